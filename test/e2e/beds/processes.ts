import { run } from './run.ts'

/** A process that can be told from a later one with the same id. */
export interface ProcessMark {
  readonly pid: number
  /** As `ps` says it; undefined where the process was gone before it could be asked. */
  readonly started: string | undefined
}

export const markOf = async (pid: number): Promise<ProcessMark> => ({ pid, started: await startOf(pid) })

/** Whether exactly this process still runs. */
export const isAlive = async ({ pid, started }: ProcessMark): Promise<boolean> =>
  started !== undefined && (await startOf(pid)) === started

async function startOf(pid: number): Promise<string | undefined> {
  const { status, output } = await run('ps', ['-o', 'lstart=', '-p', String(pid)])
  return status === 0 ? output.trim() || undefined : undefined
}

/** Ends a process and its group. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
