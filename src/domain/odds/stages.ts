import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  type Asked,
  type Choice,
  type Option,
  optionsOf,
  weightOfBlank,
} from '#domain/run/possible-choices.ts'
import { maxChoicesOf } from '#domain/run/replies.ts'
import { createStage, type Part, type Stage } from './simulation.ts'

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

/** So many combinations of replies to several questions are drawn at once, at most. */
const MOST_COMBINED = 512

/** The stages that draw a run of these questions. */
export const createStages = (asked: readonly Asked[], { pack }: Pick<Packing, 'pack'>): Stage[] => {
  const stages: Stage[] = []
  let together: Drawn[] = []
  const putTogether = (): void => {
    if (together.length > 0) stages.push(stageOfChoices(together))
    together = []
  }
  const hasJumps = asked.some(leadsAnywhere)
  for (const one of asked) {
    const { question, choices } = one
    if (!choices) {
      putTogether()
      stages.push(...stagesOfSet(one, pack))
      continue
    }
    const nb_combined = together.reduce((product, { choices: { length } }) => product * length, 1)
    const page = together[0]?.question.page_number ?? question.page_number
    const isPassedToo = !hasJumps || page === question.page_number
    if (nb_combined * choices.length > MOST_COMBINED || !isPassedToo) putTogether()
    together.push({
      question,
      choices: choices.map((choice) => ({ ...choice, words: pack(choice.adds) })),
    })
  }
  putTogether()
  return stages
}

const leadsAnywhere = ({ question, reading }: Asked): boolean =>
  optionsOf(question, reading).some(({ leads_to }) => leads_to !== null)

type Drawn = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly (Choice & { words: readonly number[] })[]
}

/**
 * One stage for the replies to questions that follow each other and are passed together, each with its choices: of all
 * ways to combine these.
 */
const stageOfChoices = (questions: readonly Drawn[]): Stage => {
  let parts: (Part & { share: number })[] = [
    { chosen: [], words: [], leads_to: null, count: 0, share: 1 },
  ]
  for (const { question, choices } of questions)
    parts = parts.flatMap((part) =>
      choices.map(({ share, ranks, words, leads_to }) => ({
        chosen: [...part.chosen, { question_id: question.id, ranks }],
        words: words.map((added, word) => (part.words[word] ?? 0) + added),
        leads_to: part.leads_to ?? leads_to,
        count: 0,
        share: part.share * share,
      })),
    )
  return createStage(questions[0]?.question.page_number ?? 0, parts, {
    ...{ counts_anew: true, most_counted: 0 },
    shares: [Float64Array.from(parts, ({ share }) => share)],
  })
}

/** So many answers are drawn at once; fewer where how many were chosen before makes many tables. */
const AT_ONCE = 8
const FEWER_AT_ONCE = 4
const MANY_TABLES = 10

type SetOption = Omit<Option, 'adds'> & { words: readonly number[] }

/**
 * Stages that together draw a set of answers, of at most so many, each set as likely as the product of the weights of its
 * answers, and none as its own weight: some answers at once, as likely as what the others can still be allows.
 */
const stagesOfSet = ({ question, reading }: Asked, pack: Packing['pack']): Stage[] => {
  const { id, page_number } = question
  const options = optionsOf(question, reading).map((option) => ({
    ...option,
    words: pack(option.adds),
  }))
  const most = maxChoicesOf(question)
  const blank = weightOfBlank(question, reading.likelihoods)
  // Where all may be chosen, only whether any is has to be known.
  const most_counted = most < options.length ? most : 1
  const at_once = most_counted + 1 < MANY_TABLES ? AT_ONCE : FEWER_AT_ONCE
  const afterwards = (before: number, count: number): number =>
    most < options.length ? before + count : Math.min(1, before + count)
  /** How likely all that is still to come is, by how many were chosen. */
  let coming = Array.from({ length: most_counted + 1 }, (_, count) => (count === 0 ? blank : 1))
  const stages: Stage[] = []
  for (
    let from = Math.floor((options.length - 1) / at_once) * at_once;
    from >= 0;
    from -= at_once
  ) {
    const subsets = subsetsOf(options.slice(from, from + at_once))
    const shares = coming.map((_, before) =>
      Float64Array.from(
        subsets,
        ({ weight, size }) => weight * (coming[afterwards(before, size)] ?? 0),
      ),
    )
    stages.unshift(
      createStage(
        page_number,
        subsets.map(({ ranks, words, leads_to, size }) => ({
          chosen: [{ question_id: id, ranks }],
          ...{ words, leads_to, count: size },
        })),
        { counts_anew: from === 0, most_counted, shares },
      ),
    )
    const sums = shares.map((of) => of.reduce((sum, share) => sum + share, 0))
    // Only how they are to each other matters, and products of many weights have no end.
    const largest = Math.max(...sums)
    coming = sums.map((sum) => sum / largest)
  }
  return stages
}

type Subset = { ranks: number[]; words: readonly number[]; leads_to: number | null } & {
  weight: number
  size: number
}

/** All sets of these answers. */
const subsetsOf = (options: readonly SetOption[]): Subset[] => {
  const nothing = options[0]?.words.map(() => 0) ?? []
  const subsets: Subset[] = [{ ranks: [], words: nothing, leads_to: null, weight: 1, size: 0 }]
  for (const { rank, words, leads_to, weight } of options)
    for (const set of subsets.slice())
      subsets.push({
        ranks: [...set.ranks, rank],
        words: set.words.map((sum, word) => sum + (words[word] ?? 0)),
        leads_to: set.leads_to ?? leads_to,
        weight: set.weight * weight,
        size: set.size + 1,
      })
  return subsets
}
