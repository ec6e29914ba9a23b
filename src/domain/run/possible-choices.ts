import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { leadsTo } from './path.ts'
import { maxChoicesOf, OTHER, scaleOf } from './replies.ts'

/** The ranks that are chosen of each question that a run passes and on which anything depends, by its id. */
export type ChosenRanks = ReadonlyMap<string, readonly number[]>

/** Replies of a run that makes these choices; where nothing depends on a reply, the first that may be given. */
export const repliesOf = (questions: readonly SnapshotQuestion[], chosen: ChosenRanks): Replies =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const ranks = chosen.get(question.id) ?? defaultRanks(question)
      const parts = ranks.map((rank) => partOf(question, rank))
      return parts.length === 0 ? [] : [[question.id, parts.length > 1 ? parts : (parts[0] ?? '')]]
    }),
  )

const partOf = (question: SnapshotQuestion, rank: number): string => {
  if (question.type === 'scale') return `${scaleOf(question).from + rank}`
  return question.answers[rank]?.id ?? `${OTHER}…`
}

/** Of a compulsory choice or scale: its first. Texts are the reader's own. */
const defaultRanks = (question: SnapshotQuestion): number[] => {
  if (question.is_required === false) return []
  const isOffered = isChoice(question)
    ? question.answers.length > 0 || question.has_other === true
    : question.type === 'scale'
  return isOffered ? [0] : []
}

/** How likely the replies to a question are, each beside the others; by their sum they become shares. */
export type Likelihoods = {
  /**
   * Of each answer in order, and then of « Autre »; of each number of a scale in order. Where several answers may be
   * chosen, a set of them is as likely as the product of theirs.
   */
  replies: readonly number[]
  /** Of leaving it blank, where it may be. */
  blank: number
}

/** One of the things that a visitor may reply to a question, as far as anything depends on it. */
export type Choice = {
  /** Its share of the replies. */
  share: number
  /** The ranks of the chosen answers; the rank of « Autre » follows the last; of a scale the number's. */
  ranks: readonly number[]
  /** What it adds to each component of the sums. */
  adds: readonly number[]
  /** The page it leads to, Infinity for the end; null is the next. */
  leads_to: number | null
}

/** What an answer adds to each component. */
export type Adds = (answer: SnapshotAnswer) => readonly number[]

/** By what the replies to a question are read. */
export type Reading = {
  likelihoods: Likelihoods | undefined
  adds: Adds
  /** What a number of a scale adds. */
  addsOfNumber: (number: number) => readonly number[]
  nothing: readonly number[]
}

/** A question on which anything depends, how its replies are read, and what they are; null where too many to list. */
export type Asked = { question: SnapshotQuestion; reading: Reading; choices: Choice[] | null }

/**
 * What may be replied to a question, replies of the same effect taken together; null when they are more than `most`.
 * Without likelihoods each reply is as likely as another: each answer where one is chosen, each set of answers where
 * several may be.
 */
export const choicesOf = (
  question: SnapshotQuestion,
  reading: Reading,
  most: number,
): Choice[] | null => {
  if (isChoice(question)) return takeTogether(setsOf(question, reading, most))
  if (question.type === 'scale') return takeTogether(numbersOf(question, reading))
  return [{ share: 1, ranks: [], adds: reading.nothing, leads_to: null }]
}

/** Likelihoods of which something is left for this question; undefined when each reply is as likely as another. */
export const usableLikelihoods = (
  question: SnapshotQuestion,
  likelihoods: Likelihoods | undefined,
): Likelihoods | undefined => {
  const { from, to } = scaleOf(question)
  const { answers, has_other } = question
  const nb_replies =
    question.type === 'scale' ? to - from + 1 : answers.length + (has_other ? 1 : 0)
  const isAny = likelihoods?.replies.slice(0, nb_replies).some((weight) => weight > 0)
  return isAny || weightOfBlank(question, likelihoods ?? { replies: [], blank: 0 }) > 0
    ? likelihoods
    : undefined
}

const weightOf = (likelihoods: Likelihoods | undefined, rank: number): number =>
  likelihoods ? (likelihoods.replies[rank] ?? 0) : 1

/** How likely it is that a question is left blank, beside its replies. */
export const weightOfBlank = (
  { is_required }: Pick<SnapshotQuestion, 'is_required'>,
  likelihoods: Likelihoods | undefined,
): number => (is_required === false ? (likelihoods?.blank ?? 1) : 0)

const blankOf = (question: SnapshotQuestion, { likelihoods, nothing }: Reading): Choice[] => [
  { share: weightOfBlank(question, likelihoods), ranks: [], adds: nothing, leads_to: null },
]

const numbersOf = (question: SnapshotQuestion, reading: Reading): Choice[] => {
  const { from, to } = scaleOf(question)
  const numbers = Array.from(
    { length: to - from + 1 },
    (_, rank): Choice => ({
      share: weightOf(reading.likelihoods, rank),
      ranks: [rank],
      adds: question.counts_in_score ? reading.addsOfNumber(from + rank) : reading.nothing,
      leads_to: null,
    }),
  )
  return [...numbers, ...blankOf(question, reading)]
}

/** One answer that may be chosen, or « Autre ». */
export type Option = Omit<Choice, 'share' | 'ranks'> & { rank: number; weight: number }

/** The answers of a question in order, then « Autre », each with how likely it is beside the others. */
export const optionsOf = (
  question: SnapshotQuestion,
  { likelihoods, adds, nothing }: Omit<Reading, 'addsOfNumber'>,
): Option[] => {
  const { answers, has_other } = question
  const options = answers.map(
    (answer, rank): Option => ({
      rank,
      weight: weightOf(likelihoods, rank),
      adds: adds(answer),
      leads_to: leadsTo(answer, question) ?? null,
    }),
  )
  const { length: rank } = answers
  if (has_other)
    options.push({ rank, weight: weightOf(likelihoods, rank), adds: nothing, leads_to: null })
  return options
}

/** Sets of answers of every allowed size, grown answer by answer; those of the same effect are kept as one. */
const setsOf = (question: SnapshotQuestion, reading: Reading, most: number): Choice[] | null => {
  const options = optionsOf(question, reading).filter(({ weight }) => weight > 0)
  const limit = Math.min(maxChoicesOf(question), options.length)
  if (limit > 1 && mostEffects(options) > MUCH_MORE * most) return null
  // Where all may be chosen at once, only whether any is has to be known of a set that grows.
  const last = limit < options.length ? limit : 1
  /** By size, from none. */
  let sets: Map<string, Choice>[] = Array.from({ length: last + 1 }, () => new Map())
  sets[0]?.set('', { share: 1, ranks: [], adds: reading.nothing, leads_to: null })
  for (const { rank, weight, adds, leads_to } of options) {
    const grown = sets.map((of) => new Map(of))
    for (const [size, of] of sets.entries()) {
      const larger = grown[limit < options.length ? size + 1 : 1]
      for (const set of larger ? of.values() : [])
        addChoice(larger as Map<string, Choice>, {
          share: set.share * weight,
          ranks: [...set.ranks, rank],
          adds: set.adds.map((sum, index) => sum + (adds[index] ?? 0)),
          leads_to: set.leads_to ?? leads_to,
        })
    }
    if (grown.reduce((sum, { size }) => sum + size, 0) > most) return null
    sets = grown
  }
  return [...sets.slice(1).flatMap((of) => [...of.values()]), ...blankOf(question, reading)]
}

/** By so much may the most effects of sets be above what they turn out to be for a try to be worth its time. */
const MUCH_MORE = 8

/** At most so many effects do sets of these answers have, whatever their size. */
const mostEffects = (options: readonly Option[]): number => {
  const alike = Map.groupBy(options, effectOf)
  const kinds = [...alike.values()].reduce((product, { length }) => product * (length + 1), 1)
  const pages = new Set(options.map(({ leads_to }) => leads_to)).size + 1
  const sums = options[0]?.adds.map((_, at) => {
    const far = (pick: (...values: number[]) => number): number =>
      options.reduce((sum, { adds }) => sum + pick(0, adds[at] ?? 0), 0)
    return far(Math.max) - far(Math.min) + 1
  })
  return Math.min(
    kinds,
    (sums ?? []).reduce((product, count) => product * count, pages),
  )
}

const effectOf = ({ leads_to, adds }: Pick<Choice, 'leads_to' | 'adds'>): string =>
  `${leads_to} ${adds}`

const addChoice = (to: Map<string, Choice>, choice: Choice): void => {
  const effect = effectOf(choice)
  const known = to.get(effect)
  to.set(effect, known ? { ...known, share: known.share + choice.share } : choice)
}

const takeTogether = (choices: readonly Choice[] | null): Choice[] | null => {
  if (!choices) return null
  const together = new Map<string, Choice>()
  for (const choice of choices) if (choice.share > 0) addChoice(together, choice)
  const sum = choices.reduce((total, { share }) => total + share, 0)
  return [...together.values()].map((choice) => ({ ...choice, share: choice.share / sum }))
}
