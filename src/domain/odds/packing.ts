import { addPoints, type Choice } from '#domain/run/choice-weights.ts'
import type { RelevantQuestion } from '#domain/run/possible-choices.ts'

/**
 * Encoding of the sums of all components in a few numbers, called words. A word is a number in a mixed radix, and each
 * component is one digit. Adding two words adds all their components at once.
 */
export type Packing = {
  /** Number of components. */
  size: number
  /** Packed sums before any reply. The offsets keep all later words at or above 0. */
  first: readonly number[]
  pack: (points: readonly number[]) => number[]
  /** Writes the components of packed sums into `to`, and returns `to`. */
  unpack: (packed_sums: ArrayLike<number>, to: Float64Array) => Float64Array
}

/** Creates a packing with enough digits for any sum of one choice per question, with `size` components. */
export const createPacking = (questions: readonly RelevantQuestion[], size: number): Packing => {
  const extremes = questions.map(extremePointsOf)
  const digits: { word: number; stride: number; radix: number; low: number }[] = []
  let word = 0
  let stride = 1
  for (let at = 0; at < size; at++) {
    const bound = (pick: (...values: number[]) => number): number =>
      extremes.reduce(
        (sum, all) => sum + all.reduce((far, { points }) => pick(far, points[at] ?? 0), 0),
        0,
      )
    const low = bound(Math.min)
    const radix = bound(Math.max) - low + 1
    if (stride * radix > Number.MAX_SAFE_INTEGER) {
      word++
      stride = 1
    }
    digits.push({ word, stride, radix, low })
    stride *= radix
  }
  const pack = (points: readonly number[]): number[] => {
    const packed_sums: number[] = Array(word + 1).fill(0)
    for (const [at, place] of digits.entries())
      packed_sums[place.word] = (packed_sums[place.word] ?? 0) + (points[at] ?? 0) * place.stride
    return packed_sums
  }
  const wordOf = Int32Array.from(digits, ({ word }) => word)
  const strides = Float64Array.from(digits, ({ stride }) => stride)
  const radices = Float64Array.from(digits, ({ radix }) => radix)
  const lows = Float64Array.from(digits, ({ low }) => low)
  return {
    size,
    first: pack(digits.map(({ low }) => -low)),
    pack,
    unpack: (packed_sums, to) => {
      // Each quotient is computed from the whole word, not from the previous remainder. The divisions are then
      // independent, so that the processor can execute them in parallel.
      let higher = 0
      for (let at = size - 1; at >= 0; at--) {
        const quotient = Math.floor(
          (packed_sums[wordOf[at] as number] as number) / (strides[at] as number),
        )
        to[at] = quotient - higher * (radices[at] as number) + (lows[at] as number)
        higher = wordOf[at] === wordOf[at - 1] ? quotient : 0
      }
      return to
    },
  }
}

/** Returns choices that include the smallest and largest points of a question for each component. */
const extremePointsOf = ({
  question,
  weights: { points, zero_points, reply_points, blank_points },
  choices,
}: RelevantQuestion): readonly Pick<Choice, 'points'>[] => {
  if (choices) return choices
  const answers = question.answers.map(points)
  // The sum of all negative (or all positive) points bounds the points of any allowed set of answers.
  const sumOf = (pick: (...values: number[]) => number): readonly number[] =>
    zero_points.map((_, at) => answers.reduce((sum, added) => sum + pick(0, added[at] ?? 0), 0))
  const sums = [sumOf(Math.min), sumOf(Math.max)]
  const replies = reply_points ? sums.map((sum) => addPoints(sum, reply_points)) : sums
  return [...sums, ...replies, blank_points ?? zero_points].map((points) => ({ points }))
}
