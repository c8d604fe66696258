import { acquired, decide, ended, endRefused, endsFrom, fresh } from './flow/lease.ts'
import type { IdempotencyStore } from './flow/ports.ts'
import type { LeaseRecord } from './flow/record.ts'

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** The map that holds the records by id. Give your own to look into it, or to put records there. @default a new one */
  readonly records?: Map<string, LeaseRecord>
  /** How many records are kept, see {@link memoryStore}. @default 100000 */
  readonly limit?: number
}

/**
 * An idempotency store in this process's memory: for tests, and for a single long-lived worker. Not for Lambda with more than
 * one environment: they don't see each other's records, and a new one starts with none.
 *
 * It keeps at most `limit` records. Each begin first drops expired ones from the old end; beyond the limit, the one written
 * longest ago goes, never one whose run still holds its lease. A record dropped is work that would be done again.
 */
export function memoryStore({ records = new Map(), limit = 100_000 }: MemoryStoreOptions = {}): IdempotencyStore {
  // A key written again moves to the end of the map, so that its order is that of the last writes.
  function write(record: LeaseRecord): void {
    records.delete(record.id)
    records.set(record.id, structuredClone(record))
  }

  return {
    async begin(request, signal) {
      signal?.throwIfAborted()
      dropExpired(records, request.now)
      const old = records.get(request.id)
      const decision = old ? decide(old, request) : ({ is: 'take-over', record: fresh(request) } as const)
      if (decision.is !== 'take-over') return structuredClone(decision)
      write(decision.record)
      dropOldest(records, limit, request.now)
      return acquired(structuredClone(decision.record))
    },

    async end(request, signal) {
      signal?.throwIfAborted()
      const old = records.get(request.record.id)
      if (old?.run !== request.record.run || old.state !== endsFrom(request.to)) return endRefused(request, structuredClone(old))
      write({ ...old, ...ended(request) })
      return { is: 'stored' }
    },

    async giveBack({ id, run, now, expiresAt }, signal) {
      signal?.throwIfAborted()
      const record = records.get(id)
      if (record?.run === run && record.state === 'running')
        write({ ...record, ...ended({ to: 'released', record, now, expiresAt }) })
    },

    async read(id, signal) {
      signal?.throwIfAborted()
      return structuredClone(records.get(id))
    },
  }
}

function dropExpired(records: Map<string, LeaseRecord>, now: number): void {
  for (const [id, record] of records) {
    if (record.expiresAt * 1000 > now) return
    records.delete(id)
  }
}

function dropOldest(records: Map<string, LeaseRecord>, limit: number, now: number): void {
  for (const [id, record] of records) {
    if (records.size <= limit) return
    if (record.state !== 'running' || record.freeAt <= now) records.delete(id)
  }
}
