import { cassandra } from './cassandra.ts'
import type { Family } from './family.ts'
import { files } from './files.ts'
import { grpc } from './grpc.ts'
import { hint, hintAgainst } from './hint.ts'
import { http, httpAnswer, httpServer } from './http.ts'
import { language, runtime } from './language.ts'
import { mail } from './mail.ts'
import { amqp, kafka } from './messaging.ts'
import { mongo } from './mongo.ts'
import { names, network } from './network.ts'
import { redis } from './redis.ts'
import { search } from './search.ts'
import { service } from './service.ts'
import { mssql, mysql, oracle, prisma, sql, sqlite } from './sql.ts'
import { texts } from './texts.ts'
import { validation } from './validation.ts'

/**
 * All families by how much they say: of all matches in a chain the strongest counts, among equals the outermost, and about one
 * error the families are asked in this order.
 *
 * - `specific`: a code, a status 4xx, the shape of a validation error.
 * - `generic`: any 5xx, a name such as TimeoutError, a text. True of much, so a specific error beneath knows better.
 * - `bare`: an error of the language itself with nothing beneath it.
 */
export const families = {
  specific: [
    ...[hint, mysql, sql, mssql, oracle, sqlite, prisma, redis, mongo, grpc, kafka, amqp, mail, search, cassandra],
    ...[service, network, files, http, runtime, validation],
  ],
  generic: [httpServer, hintAgainst, names, texts],
  bare: [httpAnswer, language],
} satisfies Record<string, readonly Family[]>

/** How much a match says. */
export type Evidence = keyof typeof families
