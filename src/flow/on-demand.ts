const underWay = new Set<Promise<unknown>>()

/**
 * Loads code when it is first needed: a batch without failures loads neither rules nor SDK, so a cold start stays short. What is
 * under way is known, for a clock that jumps must not jump past it.
 */
export async function onDemand<T>(load: () => Promise<T>): Promise<T> {
  const loading = load()
  underWay.add(loading)
  try {
    return await loading
  } finally {
    underWay.delete(loading)
  }
}

/** Resolves when nothing is loading. */
export async function allLoaded(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}
