import { unavailable } from '#server/http/errors.ts'

export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `most` at once; the others wait, and beyond `longest` of them are refused (503). */
export const createSlots = ({ most, longest }: { most: number; longest: number }): Slots => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) {
      if (waiting.length >= longest) throw unavailable()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      // The place is handed on rather than given back, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
