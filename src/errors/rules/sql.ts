import type { Link } from '../chain.ts'
import { read, readText } from '../read.ts'
import { family } from './family.ts'

/** SQLSTATE, five characters of which the first two are a class: PostgreSQL and all that speak like it. */
export const sql = family('sql', states, {
  conflict: /^(40|55P03|55006)/,
  connection: /^08(?!P01)/,
  exhausted: /^53/,
  unavailable: /^(57|58|25006|25P0|72000|70100)/,
  timeout: /^08P01 (.*time|server|no more|pgbouncer)/,
  denied: /^(28|42501|0L|0P)/,
  absent: /^3D/,
  exists: /^23(505|P01)/,
  invalid: /^(2[123]|42|44|45|54|P0|HV00|08P01 bind)/,
})

/**
 * The numbers of MySQL and MariaDB, where the SQLSTATE is too coarse: it lumps together what differs under 42000, HY000 and
 * others, and the names that drivers give to MariaDB's numbers are wrong.
 */
export const mysql = family('mysql', mysqlKeys, {
  connection: [
    'PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT 1927 2002 2003 2006 2013 2055 4031',
    /^(PROTOCOL_ENQUEUE|POOL_|ER_(GET_CONNECTION|SOCKET|CMD_CONNECTION|CONNECTION_|POOL))/,
  ],
  timeout: '1028 1317 1907 1969 3024',
  unavailable: '1047 1180 1290 1792 1836 3100 3168 3169',
  conflict: '1020 1205 1206 1213 1412 1479 1615 1637 3058 3101 3572',
  exhausted: '1021 1037 1038 1041 1114 1203 1226',
  denied: '1044 1045 1130 1142 1143 1227 1251 1370 1698 3118',
  absent: '1049',
  misconfigured: /^HANDSHAKE/,
  exists: '1007 1050 1061 1062 1169 1586',
  invalid: '1054 1055 1064 1072 1091 1149 1153 1210 1265 1305 1318 1364 1365 1366 1411 1701 3819',
})

/** The numbers of SQL Server and Azure SQL. */
export const mssql = family('mssql', ({ value }) => [numberOf(value, 'number')], {
  throttled: '10928 10929 10936 40501 40544 40549 40550 40551 40552 40553 49918 49919 49920',
  unavailable: '64 233 596 615 669 921 976 983 988 4221 6005 10053 10054 10060 40143 40197 40540 40613 42108 42109',
  conflict: '1204 1205 1222 3935 3960 3961 41301 41302 41305 41325 41839',
  exhausted: '701 802 1105 8628 8645 8651 9002 17300',
  denied: '229 230 262 297 300 916 18452 18456 40615',
  absent: '911 4060',
  exists: '2601 2627 2714',
  invalid:
    '102 105 109 137 156 201 206 207 208 213 220 232 241 242 245 248 257 515 547 1934 2628 2812 4104 4121 8114 8115 8134 8144 8152 50000',
})

/** Oracle Database and its driver. */
export const oracle = family('oracle', ({ code }) => [code], {
  conflict: /^ORA-0*(54|60|4020|4068|8177|30006)$/,
  connection:
    /^(ORA-0*(28|3113|3114|3135|3136|1012|1033|1034|1089|1090|1092|125\d\d|12170|257\d\d)|NJS-(040|076|5\d\d)|DPI-10(10|67|80))$/,
  timeout: /^ORA-0*(1013|51)$/,
  denied: /^ORA-0*(1017|1031|28000|28001)$/,
  exists: /^ORA-0*(1|955)$/,
  invalid: /^ORA-0*(9\d\d|1400|1407|1438|1476|1722|1747|1830|1843|1858|1861|229[0-3]|2289|6502|6550|12899|20\d\d\d)$/,
})

/** SQLite by the first word of its code; node:sqlite has the number only, of which the low byte counts. */
export const sqlite = family('sqlite', sqliteKeys, {
  conflict: 'BUSY LOCKED PROTOCOL SCHEMA 5 6 15 17',
  exhausted: 'NOMEM IOERR FULL 7 10 13',
  aborted: 'ABORT INTERRUPT 4 9',
  denied: 'PERM READONLY CANTOPEN AUTH 3 8 14 23',
  invalid: 'ERROR CORRUPT TOOBIG CONSTRAINT MISMATCH MISUSE RANGE NOTADB 1 11 18 19 20 21 25 26',
})

/** Prisma's own codes. P2010 and P2036 only wrap: the driver's error is beneath. */
export const prisma = family('prisma', ({ code, value }) => [code, readText(value, 'errorCode')], {
  connection: 'P1001 P1002 P1008 P1017 P6008',
  timeout: 'P2028 P6004',
  exhausted: 'P2024 P2037',
  conflict: 'P2034',
  throttled: 'P5011',
  quota: 'P6003',
  denied: 'P1000 P1010 P1011 P6002',
  absent: 'P1003',
  exists: 'P2002',
  nonexistent: 'P2001 P2015 P2018 P2025',
  invalid: ['P1012', /^P2(?!010|027|036)\d{3}$/],
})

function states({ value, code, message }: Link): readonly string[] {
  const candidates = [
    readText(value, 'originalCode'),
    // Prisma's raw queries.
    code === 'P2010' ? readText(read(value, 'meta'), 'code') : '',
    // MySQL puts too much under 42000.
    readText(value, 'sqlState').replace('42000', ''),
    String(code),
    /Error \{ code: "(\w{5})"/.exec(message)?.[1] ?? '',
  ]
  const state = candidates.find((candidate) => /^(?=.*\d)[0-9A-Z]{5}$/.test(candidate)) ?? ''
  // The protocol violation stands for two things, which only the text tells apart.
  return [state === '08P01' ? `${state} ${message}` : state]
}

function mysqlKeys({ value, code }: Link): ReadonlyArray<string | number | undefined> {
  const name = String(code)
  const isMysql = readText(value, 'sqlState') !== '' || /^(ER|PROTOCOL|POOL|HANDSHAKE)_/.test(name)
  return isMysql ? [numberOf(value, 'errno'), name] : []
}

function sqliteKeys({ value, code }: Link): ReadonlyArray<string | number | undefined> {
  const number = numberOf(value, 'errcode')
  return [number === undefined ? /^SQLITE_([A-Z]+)/.exec(String(code))?.[1] : number & 255]
}

function numberOf(value: unknown, field: string): number | undefined {
  const number = read(value, field)
  return typeof number === 'number' ? number : undefined
}
