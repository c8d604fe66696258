import type { EntryResult, IdempotencyStore, Queue } from './flow/ports.ts'

/** The same promise for all who ask, until it rejects: then the next one tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** SQS, when the first message stays or dies. Where the SDK can't be loaded, each entry is refused. */
export function lazyQueue(open: () => Promise<Queue>): Queue {
  const queue = once(open)
  const refusal = (error: unknown): EntryResult => ({ is: 'refused', code: 'NotLoaded', message: String(Object(error).message) })
  return {
    hide: (entry) =>
      queue()
        .then((sqs) => sqs.hide(entry))
        .catch(refusal),
    bury: (entry) =>
      queue()
        .then((sqs) => sqs.bury(entry))
        .catch(refusal),
  }
}

/** A store, at its first begin. Its calls always give a promise, even where a store of the user's own throws. */
export function lazyStore(open: () => Promise<IdempotencyStore>): IdempotencyStore {
  const store = once(open)
  return {
    begin: async (request, signal) => await (await store()).begin(request, signal),
    end: async (request, signal) => await (await store()).end(request, signal),
    giveBack: async (request, signal) => await (await store()).giveBack(request, signal),
    read: async (id, signal) => await (await store()).read(id, signal),
  }
}
