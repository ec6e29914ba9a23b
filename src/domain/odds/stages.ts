import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  type AnswerOption,
  answerOptionsOf,
  type Choice,
  likelihoodOfBlank,
  type RelevantQuestion,
} from '#domain/run/possible-choices.ts'
import { maxChoicesOf } from '#domain/run/replies.ts'
import { createStage, type Stage, type StageOption } from './simulation.ts'

/**
 * Encoding of the sums of all components in a few numbers, called words. A word is a number in a mixed radix, and each
 * component is one digit. Adding two words adds all their components at once.
 */
export type Packing = {
  /** Packed sums before any reply. The offsets keep all later words at or above 0. */
  first: readonly number[]
  pack: (points: readonly number[]) => number[]
  /** Writes the components of packed sums into `to`, and returns `to`. */
  unpack: (packed_sums: ArrayLike<number>, to: Float64Array) => Float64Array
}

/** Creates a packing with enough digits for any sum of one choice per question, with `size` components. */
export const createPacking = (
  questions: readonly (readonly Pick<Choice, 'points'>[])[],
  size: number,
): Packing => {
  const digits: { word: number; stride: number; radix: number; low: number }[] = []
  let word = 0
  let stride = 1
  for (let at = 0; at < size; at++) {
    const bound = (pick: (...values: number[]) => number): number =>
      questions.reduce(
        (sum, choices) => sum + choices.reduce((far, { points }) => pick(far, points[at] ?? 0), 0),
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

/** Maximum number of combinations of replies among which one stage draws. */
const MAX_COMBINATIONS = 512

/**
 * Creates the stages of a simulated run. A stage draws several questions together if their combinations are few; with
 * jumps, only questions of one page share a stage.
 */
export const createStages = (
  questions: readonly RelevantQuestion[],
  { pack }: Pick<Packing, 'pack'>,
): Stage[] => {
  const stages: Stage[] = []
  let pending: ListedQuestion[] = []
  const closeStage = (): void => {
    if (pending.length > 0) stages.push(createChoicesStage(pending))
    pending = []
  }
  const hasAnyJump = questions.some(hasJump)
  for (const one of questions) {
    const { question, choices } = one
    if (!choices) {
      closeStage()
      stages.push(...createAnswerSetStages(one, pack))
      continue
    }
    const nb_combined = pending.reduce((product, { choices: { length } }) => product * length, 1)
    const page = pending[0]?.question.page_number ?? question.page_number
    const canShareStage = !hasAnyJump || page === question.page_number
    if (nb_combined * choices.length > MAX_COMBINATIONS || !canShareStage) closeStage()
    pending.push({
      question,
      choices: choices.map((choice) => ({ ...choice, packed_sums: pack(choice.points) })),
    })
  }
  closeStage()
  return stages
}

const hasJump = ({ question, weights }: RelevantQuestion): boolean =>
  answerOptionsOf(question, weights).some(({ target_page }) => target_page !== null)

/** Question whose choices are listed, with their packed points. */
type ListedQuestion = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly (Choice & { packed_sums: readonly number[] })[]
}

/** Creates a stage that draws one combination of replies to all these questions. */
const createChoicesStage = (questions: readonly ListedQuestion[]): Stage => {
  let options: (StageOption & { share: number })[] = [
    { chosen: [], packed_sums: [], target_page: null, count: 0, share: 1 },
  ]
  for (const { question, choices } of questions)
    options = options.flatMap((option) =>
      choices.map(({ share, ranks, packed_sums, target_page }) => ({
        chosen: [...option.chosen, { question_id: question.id, ranks }],
        packed_sums: packed_sums.map((added, word) => (option.packed_sums[word] ?? 0) + added),
        target_page: option.target_page ?? target_page,
        count: 0,
        share: option.share * share,
      })),
    )
  return createStage(questions[0]?.question.page_number ?? 0, options, {
    ...{ resets_count: true, max_count: 0 },
    shares: [Float64Array.from(options, ({ share }) => share)],
  })
}

/** Number of answers of one stage; lower if the stage needs probability tables for ten or more counts. */
const ANSWERS_PER_STAGE = 8
const ANSWERS_PER_STAGE_WITH_MANY_COUNTS = 4
const MANY_COUNTS = 10

/** Answer with its packed points. */
type PackedAnswer = Omit<AnswerOption, 'points'> & { packed_sums: readonly number[] }

/**
 * Creates stages that together draw a set of answers, because the sets are too many to list. The probability of a set
 * is proportional to the product of its weights; the empty set has its own weight. The stages are created backwards,
 * because each needs the weights of the sets that later stages can draw.
 */
const createAnswerSetStages = (
  { question, weights }: RelevantQuestion,
  pack: Packing['pack'],
): Stage[] => {
  const { id, page_number } = question
  const options = answerOptionsOf(question, weights).map((option) => ({
    ...option,
    packed_sums: pack(option.points),
  }))
  const max_answers = maxChoicesOf(question)
  const blank = likelihoodOfBlank(question, weights.likelihoods)
  // Without a limit on the number of answers, later stages only need to know whether any answer is chosen.
  const max_count = max_answers < options.length ? max_answers : 1
  const answers_per_stage =
    max_count + 1 < MANY_COUNTS ? ANSWERS_PER_STAGE : ANSWERS_PER_STAGE_WITH_MANY_COUNTS
  const countAfter = (before: number, count: number): number =>
    max_answers < options.length ? before + count : Math.min(1, before + count)
  /** Total weight of all sets that the later stages can draw, by the number of answers chosen before. */
  let laterWeights = Array.from({ length: max_count + 1 }, (_, count) => (count === 0 ? blank : 1))
  const stages: Stage[] = []
  for (
    let from = Math.floor((options.length - 1) / answers_per_stage) * answers_per_stage;
    from >= 0;
    from -= answers_per_stage
  ) {
    const subsets = subsetsOf(options.slice(from, from + answers_per_stage))
    const shares = laterWeights.map((_, before) =>
      Float64Array.from(
        subsets,
        ({ weight, size }) => weight * (laterWeights[countAfter(before, size)] ?? 0),
      ),
    )
    stages.unshift(
      createStage(
        page_number,
        subsets.map(({ ranks, packed_sums, target_page, size }) => ({
          chosen: [{ question_id: id, ranks }],
          ...{ packed_sums, target_page, count: size },
        })),
        { resets_count: from === 0, max_count, shares },
      ),
    )
    const sums = shares.map((of) => of.reduce((sum, share) => sum + share, 0))
    // Scaled to a maximum of 1, because products of many weights would overflow. Only the ratios matter.
    const largest = Math.max(...sums)
    laterWeights = sums.map((sum) => sum / largest)
  }
  return stages
}

/** Set of answers of one stage with its packed points; `weight` is the product of the weights of the answers. */
type Subset = { ranks: number[]; packed_sums: readonly number[]; target_page: number | null } & {
  weight: number
  size: number
}

/** Returns all subsets of these answers. */
const subsetsOf = (options: readonly PackedAnswer[]): Subset[] => {
  const zero_points = options[0]?.packed_sums.map(() => 0) ?? []
  const subsets: Subset[] = [
    { ranks: [], packed_sums: zero_points, target_page: null, weight: 1, size: 0 },
  ]
  for (const { rank, packed_sums, target_page, weight } of options)
    for (const set of subsets.slice())
      subsets.push({
        ranks: [...set.ranks, rank],
        packed_sums: set.packed_sums.map((sum, word) => sum + (packed_sums[word] ?? 0)),
        target_page: set.target_page ?? target_page,
        weight: set.weight * weight,
        size: set.size + 1,
      })
  return subsets
}
