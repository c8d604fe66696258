/** The demo's progress: one line that changes on a terminal, a line every two seconds elsewhere. */
/** A count by its name, e.g. of an outcome. */
export type Count = (name: string) => number

/** What the line shows. */
export interface State {
  sent: number
  readonly total: number
  /** In both source queues; `undefined`: not asked yet. */
  waiting: number | undefined
  providerIsUp: boolean
}

export interface Progress {
  /** A line that stays. */
  say(text: string): void
  stop(): void
}

/** Where lines go; `process.stdout` fits. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const ERASE = '\r\x1b[2K'
const BAR = 20

/** Starts showing. `elapsed`: seconds since the demo began. */
export function startProgress(screen: Screen, state: State, count: Count, elapsed: () => number): Progress {
  const live = screen.isTTY === true
  const time = (): string => `${elapsed().toFixed(1).padStart(6)} s  `
  const show = (): void => void screen.write(live ? `${ERASE}${time()}${line(state, count)}` : `${time()}${line(state, count)}\n`)
  const timer = setInterval(show, live ? 100 : 2_000)
  return {
    say: (text) => void screen.write(`${live ? ERASE : ''}${time()}${text}\n`),
    stop: () => {
      clearInterval(timer)
      show()
      if (live) screen.write('\n')
    },
  }
}

function line({ sent, total, waiting, providerIsUp }: State, count: Count): string {
  const settled = count('done') + count('duplicate') + count('dead')
  const full = Math.min(BAR, Math.floor((settled / total) * BAR))
  const parts = [
    `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(settled).padStart(3)}/${total}`,
    `sent ${sent}`,
    `waiting ${waiting ?? '?'}`,
    `retries ${count('retry')}`,
    `dead ${count('dead')}`,
    providerIsUp ? 'provider up' : 'PROVIDER DOWN',
  ]
  return parts.join('  ')
}
