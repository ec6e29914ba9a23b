import type { Choice } from './odds-choices.ts'

/**
 * Sums of many components in as few numbers as possible, its words: every component has digits of its own, so that
 * packed sums are added like any numbers.
 */
export type Packing = {
  /** What no reply has added to yet: every word of packed sums is a whole number from 0. */
  first: readonly number[]
  pack: (adds: readonly number[]) => number[]
  /** Writes the sums of a packed state; they are those of all components, in `to`. */
  unpack: (words: ArrayLike<number>, to: Float64Array) => Float64Array
}

/** The packing of all sums that one choice a question can give, of so many components. */
export const packingOf = (
  questions: readonly (readonly Pick<Choice, 'adds'>[])[],
  size: number,
): Packing => {
  const places: { word: number; stride: number; radix: number; low: number }[] = []
  let word = 0
  let stride = 1
  for (let at = 0; at < size; at++) {
    const bound = (pick: (...values: number[]) => number): number =>
      questions.reduce(
        (sum, choices) => sum + choices.reduce((far, { adds }) => pick(far, adds[at] ?? 0), 0),
        0,
      )
    const low = bound(Math.min)
    const radix = bound(Math.max) - low + 1
    if (stride * radix > Number.MAX_SAFE_INTEGER) {
      word++
      stride = 1
    }
    places.push({ word, stride, radix, low })
    stride *= radix
  }
  const pack = (adds: readonly number[]): number[] => {
    const words: number[] = Array(word + 1).fill(0)
    for (const [at, place] of places.entries())
      words[place.word] = (words[place.word] ?? 0) + (adds[at] ?? 0) * place.stride
    return words
  }
  const wordOf = Int32Array.from(places, ({ word }) => word)
  const strides = Float64Array.from(places, ({ stride }) => stride)
  const radices = Float64Array.from(places, ({ radix }) => radix)
  const lows = Float64Array.from(places, ({ low }) => low)
  return {
    first: pack(places.map(({ low }) => -low)),
    pack,
    unpack: (words, to) => {
      // From the highest digits of each word down: each quotient is of the whole word, so that none waits for another.
      let higher = 0
      for (let at = size - 1; at >= 0; at--) {
        const quotient = Math.floor(
          (words[wordOf[at] as number] as number) / (strides[at] as number),
        )
        to[at] = quotient - higher * (radices[at] as number) + (lows[at] as number)
        higher = wordOf[at] === wordOf[at - 1] ? quotient : 0
      }
      return to
    },
  }
}
