import { answerOptionsOf, type Choice, likelihoodOfBlank } from '#domain/run/choice-weights.ts'
import type { RelevantQuestion } from '#domain/run/possible-choices.ts'
import { maxChoicesOf } from '#domain/run/replies.ts'
import type { Packing } from './packing.ts'
import { hasJump } from './run-sums.ts'

/** Possible outcome of a stage: the chosen answers with their points and their jump. */
type StageOption = {
  /** Relative likelihood of the option. */
  weight: number
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

const createEmptyOption = (pack: Packing['pack']): StageOption => ({
  ...{ weight: 1, chosen: [], packed_sums: pack([]), target_page: null, count: 0 },
})

/** Returns the option that chooses the answers of both options. The first jump decides. */
const combine = (first: StageOption, second: StageOption): StageOption => ({
  weight: first.weight * second.weight,
  chosen: [...first.chosen, ...second.chosen],
  packed_sums: first.packed_sums.map((sum, word) => sum + (second.packed_sums[word] ?? 0)),
  target_page: first.target_page ?? second.target_page,
  count: first.count + second.count,
})

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

/**
 * Creates a stage. `shares` has the relative probabilities of the options for each count of answers chosen before; by
 * default those of a stage that draws whole questions.
 */
const createStage = (
  page_number: number,
  options: readonly StageOption[],
  {
    resets_count = true,
    max_count = 0,
    shares = [options.map(({ weight }) => weight)],
  }: { resets_count?: boolean; max_count?: number; shares?: readonly (readonly number[])[] } = {},
): Stage => {
  const { length } = options
  const table = new Float64Array(length * shares.length)
  for (const [count, optionShares] of shares.entries())
    table.set(createAliasTable(Float64Array.from(optionShares)), count * length)
  const nb_words = options[0]?.packed_sums.length ?? 0
  const pages = options.map(({ target_page }) => Math.min(target_page ?? 0, END_PAGE))
  return {
    ...{ page_number, resets_count, max_count, table },
    nb_options: length,
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
    if (pending.length > 0) stages.push(createChoicesStage(pending, pack))
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
    pending.push({ question, choices })
  }
  closeStage()
  return stages
}

/** Question whose choices are listed. */
type ListedQuestion = Pick<RelevantQuestion, 'question'> & { choices: readonly Choice[] }

/** Creates a stage that draws one combination of replies to all these questions. */
const createChoicesStage = (questions: readonly ListedQuestion[], pack: Packing['pack']): Stage => {
  let options = [createEmptyOption(pack)]
  for (const { question, choices } of questions) {
    const replies = choices.map(
      ({ share, ranks, points, target_page }): StageOption => ({
        ...{ weight: share, target_page, count: 0 },
        chosen: [{ question_id: question.id, ranks }],
        packed_sums: pack(points),
      }),
    )
    options = options.flatMap((option) => replies.map((reply) => combine(option, reply)))
  }
  return createStage(questions[0]?.question.page_number ?? 0, options)
}

/** Number of answers of one stage; lower if the stage needs probability tables for ten or more counts. */
const ANSWERS_PER_STAGE = 8
const ANSWERS_PER_STAGE_WITH_MANY_COUNTS = 4
const MANY_COUNTS = 10

/**
 * Creates stages that together draw a set of answers, because the sets are too many to list. The probability of a set
 * is proportional to the product of its weights; the empty set has its own weight. The stages are created backwards,
 * because each needs the weights of the sets that later stages can draw. A last stage adds the points of any reply.
 */
const createAnswerSetStages = (
  { question, weights }: RelevantQuestion,
  pack: Packing['pack'],
): Stage[] => {
  const { id: question_id, page_number } = question
  const answers = answerOptionsOf(question, weights).map(
    ({ rank, weight, points, target_page }): StageOption => ({
      ...{ weight, target_page, count: 1 },
      chosen: [{ question_id, ranks: [rank] }],
      packed_sums: pack(points),
    }),
  )
  const max_answers = maxChoicesOf(question)
  const blank = likelihoodOfBlank(question, weights.likelihoods)
  // Without a limit on the number of answers, later stages only need to know whether any answer is chosen.
  const max_count = max_answers < answers.length ? max_answers : 1
  const answers_per_stage =
    max_count + 1 < MANY_COUNTS ? ANSWERS_PER_STAGE : ANSWERS_PER_STAGE_WITH_MANY_COUNTS
  const countAfter = (before: number, count: number): number =>
    max_answers < answers.length ? before + count : Math.min(1, before + count)
  /** Total weight of all sets that the later stages can draw, by the number of answers chosen before. */
  let laterWeights = Array.from({ length: max_count + 1 }, (_, count) => (count === 0 ? blank : 1))
  const stages: Stage[] = []
  for (
    let from = Math.floor((answers.length - 1) / answers_per_stage) * answers_per_stage;
    from >= 0;
    from -= answers_per_stage
  ) {
    let options = [createEmptyOption(pack)]
    for (const answer of answers.slice(from, from + answers_per_stage))
      options = [...options, ...options.map((option) => combine(option, answer))]
    const shares = laterWeights.map((_, before) =>
      options.map(({ weight, count }) => weight * (laterWeights[countAfter(before, count)] ?? 0)),
    )
    stages.unshift(
      createStage(page_number, options, { resets_count: from === 0, max_count, shares }),
    )
    const sums = shares.map((all) => all.reduce((sum, share) => sum + share, 0))
    // Scaled to a maximum of 1, because products of many weights would overflow. Only the ratios matter.
    const largest = Math.max(...sums)
    laterWeights = sums.map((sum) => sum / largest)
  }
  const { reply_points, blank_points = weights.zero_points } = weights
  if (!reply_points) return stages
  const replyOptions = [blank_points, reply_points].map((points) => ({
    ...createEmptyOption(pack),
    packed_sums: pack(points),
  }))
  const shares = laterWeights.map((_, count) => (count === 0 ? [1, 0] : [0, 1]))
  return [...stages, createStage(page_number, replyOptions, { resets_count: false, shares })]
}
