import type { IdempotencyStore, Queue } from './flow/ports.ts'

/**
 * Code that a batch without failures never needs is loaded with the first failure, as the SDK's clients are: a cold start loads
 * what each message needs and no more. A part that can't be loaded fails the message at hand, which stays in its queue.
 */
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

/** SQS, when the first message stays or dies. */
export function lazyQueue(open: () => Promise<Queue>): Queue {
  const queue = once(open)
  return { hide: async (entry) => await (await queue()).hide(entry), bury: async (entry) => await (await queue()).bury(entry) }
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
