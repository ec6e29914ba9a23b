import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningServer } from '../server.ts'

/** Quantiles of the event-loop delay in milliseconds. */
export type LoopDelay = { p50: number; p99: number }
type LoopDelayFile = LoopDelay & { written: number }

const TIMEOUT_MS = 5_000

/** Returns a function that reads the event-loop delays of the server since its previous call. */
export const createLoopDelayReader = ({
  pid,
  data_dir,
}: RunningServer): (() => Promise<LoopDelay>) => {
  const file = join(data_dir, 'loop-delay.json')
  let asked = 0
  const readWritten = (): LoopDelayFile | undefined => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as LoopDelayFile
    } catch {
      return undefined
    }
  }
  return async () => {
    asked += 1
    process.kill(pid, 'SIGUSR2')
    const deadline = performance.now() + TIMEOUT_MS
    while (performance.now() < deadline) {
      const found = readWritten()
      if (found?.written === asked) return found
      await pause(5)
    }
    throw new Error('The server’s probe does not answer')
  }
}
