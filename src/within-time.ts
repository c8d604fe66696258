import type { Clock } from './flow/ports.ts'

/** What the work comes to, or a rejection at the time given (epoch ms), whichever is first. The work itself goes on. */
export async function withinTime<T>(clock: Clock, by: number, work: Promise<T>): Promise<T> {
  let cancel = (): void => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(by - clock.now(), () =>
      reject(new DOMException('It took longer than the invocation has time.', 'TimeoutError')),
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
