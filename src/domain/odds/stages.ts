import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  type AnswerOption,
  answerOptionsOf,
  type Choice,
  likelihoodOfBlank,
  type ReplyWeights,
} from '#domain/run/choice-weights.ts'
import type { RelevantQuestion } from '#domain/run/possible-choices.ts'
import { maxChoicesOf } from '#domain/run/replies.ts'
import type { Packing } from './packing.ts'
import { hasJump } from './run-sums.ts'

/** Possible outcome of a stage: the chosen answers with their points and their jump. */
type StageOption = {
  /** Chosen ranks by question. */
  chosen: readonly ChosenAnswers[]
  /** Packed points of the option (`Packing`). */
  packed_sums: readonly number[]
  /** Target page of a jump; null for the following page. */
  target_page: number | null
  /** Number of chosen answers, needed if several stages draw one question; otherwise 0. */
  count: number
}
/** Chosen ranks of one question. */
type ChosenAnswers = { question_id: string; ranks: readonly number[] }

/**
 * Random draw of a simulated run. A stage draws the replies to one or more questions, or some answers of a
 * question with too many combinations. Typed arrays make a draw take nanoseconds.
 */
export type Stage = {
  page_number: number
  /** True if the stage begins a question, so that the count of its chosen answers restarts at 0. */
  resets_count: boolean
  /** Maximum of the count; larger counts are stored as this maximum. */
  max_count: number
  /** Number of options. */
  nb_options: number
  /** Alias tables of the options (`createAliasTable`), one for each count of answers chosen before. */
  table: Float64Array
  /** Packed points by word, then by option. An extra last option without points is for runs that skip the page. */
  packed_sums: Float64Array[]
  /** Number of chosen answers of each option. */
  counts: Uint8Array
  /** Target page of each option, 0 for the following page; null if no option has a jump. */
  pages: Int32Array | null
  chosenBy: (option: number) => readonly ChosenAnswers[]
}

/** Target page of an option that ends the run; larger than every page number. */
const END_PAGE = 0x7f_ff_ff_ff

/** Largest fraction in a table entry. Random numbers have 32 bits, so that a larger fraction would have no effect. */
const MAX_FRACTION = 1 - 2 ** -32

/**
 * Creates a table for drawing an index in constant time with probabilities proportional to `shares` (Walker's alias
 * method). The integer part of an entry is the alias of the index. The fraction is the probability of keeping the index.
 */
const createAliasTable = (shares: Float64Array): Float64Array => {
  const { length } = shares
  const sum = shares.reduce((total, share) => total + share, 0)
  const heights = shares.map((share) => (share * length) / sum)
  // Rounding can leave entries without a partner. Their alias is the index itself, or `fallback` at probability 0.
  const fallback = heights.findIndex((height) => height >= 1)
  const table = shares.map((share, index) => (share > 0 ? index : fallback))
  const low: number[] = []
  const high: number[] = []
  for (let index = 0; index < length; index++)
    ((heights[index] as number) < 1 ? low : high).push(index)
  while (low.length > 0 && high.length > 0) {
    const small = low.pop() as number
    const large = high.at(-1) as number
    table[small] = large + Math.min(heights[small] as number, MAX_FRACTION)
    const rest = (heights[large] as number) + (heights[small] as number) - 1
    heights[large] = rest
    if (rest >= 1) continue
    high.pop()
    low.push(large)
  }
  return table
}

type CountSettings = Pick<Stage, 'resets_count' | 'max_count'>

/** Creates a stage. `shares` has the relative probabilities of the options for each count of answers chosen before. */
const createStage = (
  page_number: number,
  options: readonly StageOption[],
  { shares, ...countSettings }: CountSettings & { shares: readonly Float64Array[] },
): Stage => {
  const { length } = options
  const table = new Float64Array(length * shares.length)
  for (const [count, optionShares] of shares.entries())
    table.set(createAliasTable(optionShares), count * length)
  const nb_words = options[0]?.packed_sums.length ?? 0
  const pages = options.map(({ target_page }) => Math.min(target_page ?? 0, END_PAGE))
  return {
    page_number,
    ...countSettings,
    nb_options: length,
    table,
    packed_sums: Array.from({ length: nb_words }, (_, word) =>
      Float64Array.from([...options.map(({ packed_sums }) => packed_sums[word] ?? 0), 0]),
    ),
    counts: Uint8Array.from([...options.map(({ count }) => count), 0]),
    pages: pages.some((page) => page > 0) ? Int32Array.from([...pages, 0]) : null,
    chosenBy: (option) => options[option]?.chosen ?? [],
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
  const hasAnyJump = questions.some(({ question }) => hasJump(question))
  for (const step of questions) {
    const { question, choices } = step
    if (!choices) {
      closeStage()
      stages.push(...createAnswerSetStages(step, pack))
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
    resets_count: true,
    max_count: 0,
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
          packed_sums,
          target_page,
          count: size,
        })),
        { resets_count: from === 0, max_count, shares },
      ),
    )
    const sums = shares.map((shares_of_count) =>
      shares_of_count.reduce((sum, share) => sum + share, 0),
    )
    // Scaled to a maximum of 1, because products of many weights would overflow. Only the ratios matter.
    const largest = Math.max(...sums)
    laterWeights = sums.map((sum) => sum / largest)
  }
  if (weights.reply_points) stages.push(createReplyStage(question, weights, { max_count, pack }))
  return stages
}

/** Creates a stage that adds the points of a blank reply, or of any reply, after the answers of a question are drawn. */
const createReplyStage = (
  { page_number }: SnapshotQuestion,
  { reply_points = [], blank_points = [] }: ReplyWeights,
  { max_count, pack }: { max_count: number; pack: Packing['pack'] },
): Stage =>
  createStage(
    page_number,
    [blank_points, reply_points].map((points) => ({
      chosen: [],
      packed_sums: pack(points),
      target_page: null,
      count: 0,
    })),
    {
      resets_count: false,
      max_count: 0,
      shares: Array.from({ length: max_count + 1 }, (_, count) =>
        Float64Array.from(count === 0 ? [1, 0] : [0, 1]),
      ),
    },
  )

/** Set of answers of one stage with its packed points; `weight` is the product of the weights of the answers. */
type Subset = {
  ranks: number[]
  packed_sums: readonly number[]
  target_page: number | null
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
