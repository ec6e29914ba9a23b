import { answerShares, type NumberSummary, summariseNumbers } from '#domain/common/numbers.ts'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { isScaleFrom0To10 } from '#domain/questionnaire/used-settings.ts'
import { canChooseSeveral, scaleOf } from '#domain/run/replies.ts'
import {
  type AnsweredVersion,
  type AskedQuestion,
  askedQuestions,
  type ChoiceCount,
} from './asked-questions.ts'
import { numberedAnswers } from './filter-choices.ts'

type AnswerStats = {
  answer_text: string
  count: number
  percentage: number
  /** Filter for the counted participants; only for choices. */
  filter?: string | undefined
  /** Earlier texts of the answer, newest first; absent if its text never changed. */
  earlier_texts?: string[] | undefined
}
/** Counts and percentages of the answers to one question. */
export type QuestionStats = { question_text: string; answers: AnswerStats[] }

/**
 * Number of participants who typed a text, to an open question or next to « Autre… ». The text of a date is its month,
 * such as `2026-03`.
 */
export type TextCount = { question_id: string; text: string; count: number }

const OTHER_TEXTS = 'Autres réponses'
const OTHER_MONTHS = 'Autres mois'
/** Number of most frequent texts that are listed. */
export const MAX_FREQUENT_TEXTS = 10
/** Maximum number of listed months, ten years; beyond it, only the most frequent months are listed. */
export const MAX_MONTHS = 120

/**
 * Returns the counts and percentages of each question by id, in the order of the newest version (product 10.2).
 * Percentages refer to participants who answered the question; they may exceed 100 together if several answers can be
 * chosen. An answer whose text changed has one line with its newest text.
 */
export const questionStats = (
  versions: readonly AnsweredVersion[],
  choices: readonly ChoiceCount[],
  texts: readonly TextCount[],
): Map<string, QuestionStats> => {
  const byQuestion = Map.groupBy(texts, ({ question_id }) => question_id)
  return new Map(
    askedQuestions(versions, choices).map((summary) => {
      const { question, nb_answered } = summary
      const lines = linesOf(summary, byQuestion.get(question.id) ?? [])
      const shares = answerShares(
        lines.map(({ count }) => count),
        { total: nb_answered, takes_several: canTakeSeveral(summary) },
      )
      const answers = lines.map((line, rank) => ({ ...line, percentage: shares[rank] ?? 0 }))
      return [question.id, { question_text: question.text, answers }]
    }),
  )
}

/** Returns true if a version of the question allows several answers. */
export const canTakeSeveral = ({ question, appearances }: AskedQuestion): boolean =>
  isChoice(question) && appearances.some((appearance) => canChooseSeveral(appearance.question))

type Line = Omit<AnswerStats, 'percentage'>

const linesOf = (summary: AskedQuestion, texts: readonly TextCount[]): Line[] => {
  const { question, nb_answered } = summary
  if (isChoice(question)) return choiceLines(summary)
  if (question.type === 'scale')
    return scaleCounts(summary).map(({ value, count }) => ({ answer_text: `${value}`, count }))
  const isDate = question.type === 'date'
  const frequent = texts.slice(0, isDate ? MAX_MONTHS : MAX_FREQUENT_TEXTS)
  const others = nb_answered - frequent.reduce((sum, { count }) => sum + count, 0)
  const lines = isDate ? monthLines(frequent) : frequent.map(lineOf)
  return others > 0
    ? [...lines, { answer_text: isDate ? OTHER_MONTHS : OTHER_TEXTS, count: others }]
    : lines
}

const lineOf = ({ text, count }: TextCount): Line => ({ answer_text: text, count })

const choiceLines = ({ appearances }: AskedQuestion): Line[] => {
  const written = new Map<string, Line>()
  const others = new Map<string, Line>()
  for (const { question, countOf } of appearances)
    for (const { id, text, number } of numberedAnswers(question)) {
      const lines = number < question.answers.length ? written : others
      const line = lines.get(id) ?? { answer_text: text, count: 0, filter: id }
      lines.set(id, line)
      line.count += countOf(number)
      const { answer_text, earlier_texts = [] } = line
      if (text !== answer_text && !earlier_texts.includes(text))
        line.earlier_texts = [...earlier_texts, text]
    }
  return [...written.values(), ...others.values()]
}

/** Returns the count of each number of a scale in ascending order, also of 0. */
const scaleCounts = ({
  appearances,
}: Pick<AskedQuestion, 'appearances'>): { value: number; count: number }[] => {
  const counts = new Map<number, number>()
  for (const { question, countOf } of appearances) {
    const { from, to } = scaleOf(question)
    for (let value = from; value <= to; value++)
      counts.set(value, (counts.get(value) ?? 0) + countOf(value))
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value)
}

/** Returns one line for each month in order, such as « mars 2026 ». */
const monthLines = (months: readonly TextCount[]): Line[] => {
  const name = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return [...months]
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ text, count }) => ({ answer_text: name.format(Date.parse(`${text}-01`)), count }))
}

/** Number of texts of a question that equal an earlier text. */
export type RepeatCount = { question_id: string; count: number }

/** Net promoter score of replies from 0 to 10: 9 and 10 are promoters, 7 and 8 passives, the others detractors. */
type Recommendation = {
  nb_promoters: number
  nb_passives: number
  nb_detractors: number
  /** Percentage of promoters minus percentage of detractors, a whole number from -100 to 100. */
  net: number
}

/** Figures of a question in addition to the count of each answer. */
export type QuestionFigures = Pick<AskedQuestion, 'nb_participants' | 'nb_seen' | 'nb_answered'> & {
  type: QuestionType
  /** True if several answers can be chosen. */
  takes_several: boolean
  /** Number of different texts; null for a choice, a scale or a date. */
  nb_distinct: number | null
  /** Most frequent texts next to « Autre… ». */
  others: { text: string; count: number }[]
  /** Summary of a number question or a scale; null for other types, and if there are too many different numbers. */
  numbers: NumberSummary | null
  /** Net promoter score, only for a scale from 0 to 10 whose newest version shows the score. */
  recommendation: Recommendation | null
}

/**
 * Returns the figures of each question by id, in the order of `questionStats`. `numbers` are the summaries of number
 * questions by id.
 */
export const questionFigures = (
  versions: readonly AnsweredVersion[],
  {
    choices,
    texts,
    repeats,
  }: {
    choices: readonly ChoiceCount[]
    texts: readonly TextCount[]
    repeats: readonly RepeatCount[]
  },
  numbers: ReadonlyMap<string, NumberSummary | null>,
): Record<string, QuestionFigures> =>
  Object.fromEntries(
    askedQuestions(versions, choices).map((summary) => {
      const { question, nb_participants, nb_seen, nb_answered } = summary
      const isScale = question.type === 'scale'
      const repeated = repeats.find(({ question_id }) => question_id === question.id)?.count ?? 0
      return [
        question.id,
        {
          type: question.type,
          nb_participants,
          nb_seen,
          nb_answered,
          takes_several: canTakeSeveral(summary),
          nb_distinct: isOpenText(question) ? nb_answered - repeated : null,
          others: isChoice(question) ? othersOf(question.id, texts) : [],
          numbers: isScale
            ? summariseNumbers(scaleCounts(summary))
            : (numbers.get(question.id) ?? null),
          recommendation: isScale ? recommendationOf(summary) : null,
        },
      ]
    }),
  )

/** Returns true if the texts of the question are counted as typed. */
const isOpenText = ({ type }: AskedQuestion['question']): boolean =>
  !isChoice({ type }) && type !== 'scale' && type !== 'date'

const othersOf = (id: string, texts: readonly TextCount[]): QuestionFigures['others'] =>
  texts
    .filter(({ question_id }) => question_id === id)
    .slice(0, MAX_FREQUENT_TEXTS)
    .map(({ text, count }) => ({ text, count }))

const MIN_PROMOTER = 9
const MAX_DETRACTOR = 6

/**
 * Returns the net promoter score of the versions whose scale goes from 0 to 10; null without replies there. The newest
 * version decides whether the score is shown, because the replies of earlier versions are the same numbers.
 */
const recommendationOf = ({ question, appearances }: AskedQuestion): Recommendation | null => {
  if (question.shows_recommendation === false) return null
  const counts = scaleCounts({
    appearances: appearances.filter((appearance) => isScaleFrom0To10(appearance.question)),
  })
  const sumOf = (isCounted: (value: number) => boolean): number =>
    counts.reduce((sum, { value, count }) => sum + (isCounted(value) ? count : 0), 0)
  const nb_promoters = sumOf((value) => value >= MIN_PROMOTER)
  const nb_detractors = sumOf((value) => value <= MAX_DETRACTOR)
  const total = sumOf(() => true)
  if (total === 0) return null
  return {
    nb_promoters,
    nb_passives: total - nb_promoters - nb_detractors,
    nb_detractors,
    // Avoids negative zero.
    net: Math.round((100 * (nb_promoters - nb_detractors)) / total) || 0,
  }
}
