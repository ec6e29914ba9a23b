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
 * Packs sums of many components into few numbers. Each of these numbers is called a word. Each component has its own
 * digits of a word in a mixed radix, so that packed sums are added like numbers.
 */
export type Packing = {
  /** Packed sums before any reply; every word stays a whole number from 0. */
  first: readonly number[]
  pack: (adds: readonly number[]) => number[]
  /** Writes the components of packed sums into `to`. */
  unpack: (packed_sums: ArrayLike<number>, to: Float64Array) => Float64Array
}

/** Returns the packing for all sums of one choice per question, with `size` components. */
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
    const packed_sums: number[] = Array(word + 1).fill(0)
    for (const [at, place] of places.entries())
      packed_sums[place.word] = (packed_sums[place.word] ?? 0) + (adds[at] ?? 0) * place.stride
    return packed_sums
  }
  const wordOf = Int32Array.from(places, ({ word }) => word)
  const strides = Float64Array.from(places, ({ stride }) => stride)
  const radices = Float64Array.from(places, ({ radix }) => radix)
  const lows = Float64Array.from(places, ({ low }) => low)
  return {
    first: pack(places.map(({ low }) => -low)),
    pack,
    unpack: (packed_sums, to) => {
      // Each quotient uses the whole word instead of the previous remainder, so that the processor can compute the
      // quotients in parallel.
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

/** Maximum number of combined replies that one stage draws. */
const MAX_COMBINED = 512

/** Returns the stages that draw a run of these questions. */
export const createStages = (
  asked: readonly RelevantQuestion[],
  { pack }: Pick<Packing, 'pack'>,
): Stage[] => {
  const stages: Stage[] = []
  let pending: DrawnQuestion[] = []
  const closeStage = (): void => {
    if (pending.length > 0) stages.push(stageOfChoices(pending))
    pending = []
  }
  const hasJumps = asked.some(hasJump)
  for (const one of asked) {
    const { question, choices } = one
    if (!choices) {
      closeStage()
      stages.push(...stagesOfSet(one, pack))
      continue
    }
    const nb_combined = pending.reduce((product, { choices: { length } }) => product * length, 1)
    const page = pending[0]?.question.page_number ?? question.page_number
    const isPassedToo = !hasJumps || page === question.page_number
    if (nb_combined * choices.length > MAX_COMBINED || !isPassedToo) closeStage()
    pending.push({
      question,
      choices: choices.map((choice) => ({ ...choice, packed_sums: pack(choice.adds) })),
    })
  }
  closeStage()
  return stages
}

const hasJump = ({ question, reading }: RelevantQuestion): boolean =>
  answerOptionsOf(question, reading).some(({ leads_to }) => leads_to !== null)

/** Question that a stage draws, with its packed choices. */
type DrawnQuestion = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly (Choice & { packed_sums: readonly number[] })[]
}

/** Returns a stage that draws the replies to consecutive questions of a page together, from all combinations. */
const stageOfChoices = (questions: readonly DrawnQuestion[]): Stage => {
  let options: (StageOption & { share: number })[] = [
    { chosen: [], packed_sums: [], leads_to: null, count: 0, share: 1 },
  ]
  for (const { question, choices } of questions)
    options = options.flatMap((option) =>
      choices.map(({ share, ranks, packed_sums, leads_to }) => ({
        chosen: [...option.chosen, { question_id: question.id, ranks }],
        packed_sums: packed_sums.map((added, word) => (option.packed_sums[word] ?? 0) + added),
        leads_to: option.leads_to ?? leads_to,
        count: 0,
        share: option.share * share,
      })),
    )
  return createStage(questions[0]?.question.page_number ?? 0, options, {
    ...{ counts_anew: true, most_counted: 0 },
    shares: [Float64Array.from(options, ({ share }) => share)],
  })
}

/** Answers that one stage draws. Fewer if the stage needs a probability table for each of ten or more counts. */
const ANSWERS_PER_STAGE = 8
const ANSWERS_PER_STAGE_IF_MANY_COUNTS = 4
const MANY_COUNTS = 10

type SetOption = Omit<AnswerOption, 'adds'> & { packed_sums: readonly number[] }

/**
 * Returns stages that together draw a set of at most the allowed number of answers. The probability of a set is
 * proportional to the product of its weights, and the empty set has its own weight. Each stage draws some answers and
 * accounts for what later stages can add.
 */
const stagesOfSet = ({ question, reading }: RelevantQuestion, pack: Packing['pack']): Stage[] => {
  const { id, page_number } = question
  const options = answerOptionsOf(question, reading).map((option) => ({
    ...option,
    packed_sums: pack(option.adds),
  }))
  const most = maxChoicesOf(question)
  const blank = likelihoodOfBlank(question, reading.likelihoods)
  // If all answers can be chosen, the count only needs to distinguish none from some.
  const most_counted = most < options.length ? most : 1
  const nb_per_stage =
    most_counted + 1 < MANY_COUNTS ? ANSWERS_PER_STAGE : ANSWERS_PER_STAGE_IF_MANY_COUNTS
  const afterwards = (before: number, count: number): number =>
    most < options.length ? before + count : Math.min(1, before + count)
  /** Total weight of the later stages, by the number of chosen answers. */
  let laterWeights = Array.from({ length: most_counted + 1 }, (_, count) =>
    count === 0 ? blank : 1,
  )
  const stages: Stage[] = []
  for (
    let from = Math.floor((options.length - 1) / nb_per_stage) * nb_per_stage;
    from >= 0;
    from -= nb_per_stage
  ) {
    const subsets = subsetsOf(options.slice(from, from + nb_per_stage))
    const shares = laterWeights.map((_, before) =>
      Float64Array.from(
        subsets,
        ({ weight, size }) => weight * (laterWeights[afterwards(before, size)] ?? 0),
      ),
    )
    stages.unshift(
      createStage(
        page_number,
        subsets.map(({ ranks, packed_sums, leads_to, size }) => ({
          chosen: [{ question_id: id, ranks }],
          ...{ packed_sums, leads_to, count: size },
        })),
        { counts_anew: from === 0, most_counted, shares },
      ),
    )
    const sums = shares.map((of) => of.reduce((sum, share) => sum + share, 0))
    // Scaled to a maximum of 1, because products of many weights would overflow and only their ratios matter.
    const largest = Math.max(...sums)
    laterWeights = sums.map((sum) => sum / largest)
  }
  return stages
}

type Subset = { ranks: number[]; packed_sums: readonly number[]; leads_to: number | null } & {
  weight: number
  size: number
}

/** Returns all subsets of these answers. */
const subsetsOf = (options: readonly SetOption[]): Subset[] => {
  const nothing = options[0]?.packed_sums.map(() => 0) ?? []
  const subsets: Subset[] = [
    { ranks: [], packed_sums: nothing, leads_to: null, weight: 1, size: 0 },
  ]
  for (const { rank, packed_sums, leads_to, weight } of options)
    for (const set of subsets.slice())
      subsets.push({
        ranks: [...set.ranks, rank],
        packed_sums: set.packed_sums.map((sum, word) => sum + (packed_sums[word] ?? 0)),
        leads_to: set.leads_to ?? leads_to,
        weight: set.weight * weight,
        size: set.size + 1,
      })
  return subsets
}
