import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Started } from '../server.ts'

/** Delays of the event loop in milliseconds. The probe measures once a millisecond. */
export type LoopDelay = { p50: number; p99: number }
type Written = LoopDelay & { written: number }

const PATIENCE_MS = 5_000

/** Returns a function that reads the event loop delays of the server since its last call. */
export const createLoopReader = ({ pid, data_dir }: Started): (() => Promise<LoopDelay>) => {
  const file = join(data_dir, 'loop-delay.json')
  let asked = 0
  const readWritten = (): Written | undefined => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Written
    } catch {
      return undefined
    }
  }
  return async () => {
    asked += 1
    process.kill(pid, 'SIGUSR2')
    const deadline = performance.now() + PATIENCE_MS
    while (performance.now() < deadline) {
      const found = readWritten()
      if (found?.written === asked) return found
      await pause(5)
    }
    throw new Error('The server’s probe does not answer')
  }
}
