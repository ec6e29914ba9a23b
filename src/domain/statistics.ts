import {
  type AskedQuestion,
  askedQuestions,
  type ChoiceCount,
  type TakenVersion,
} from './asked-questions.ts'
import { isChoice } from './quiz.ts'
import { OTHER_NAME, scaleOf } from './replies.ts'

type AnswerStats = { answer_text: string; count: number; percentage: number }
export type QuestionStats = { question_text: string; answers: AnswerStats[] }

/** How often one text was typed to an open question, or beside « Autre… »; of a date its month, as `2026-03`. */
export type TextCount = { question_id: string; text: string; count: number }

const OTHER_TEXTS = 'Autres réponses'
const OTHER_MONTHS = 'Autres mois'
export const MOST_FREQUENT_TEXTS = 10
/** Ten years; of more, those that were given most often have a line. */
export const MOST_MONTHS = 120

/** Percent of the whole with one decimal; 0 when the whole is 0. */
export const percentageOf = (count: number, total: number): number =>
  // Multiplied first: 201 / 400 * 1000 falls just short of 502.5 and would lose its half.
  total === 0 ? 0 : Math.round((count * 1_000) / total) / 10

/**
 * Counts per question, keyed by question id, in the order of the newest version that has it
 * (decisions « Statistics »). A multiple-choice question lists every answer of the versions that
 * were taken, zero included, then « Autre » where one had it; an answer that was reworded has a line for each
 * wording. A scale lists its numbers, a date its months. An open question lists its most frequent texts
 * (`texts` holds those, most frequent first) and the rest as one line. Percentages are of the participants who
 * answered that question: those of several choices may add up to more than 100.
 */
export const questionStats = (
  versions: readonly TakenVersion[],
  choices: readonly ChoiceCount[],
  texts: readonly TextCount[],
): Map<string, QuestionStats> => {
  const given = Map.groupBy(texts, ({ question_id }) => question_id)
  return new Map(
    askedQuestions(versions, choices).map((asked) => {
      const { question, nb_answered } = asked
      const answers = linesOf(asked, given.get(question.id) ?? []).map((line) => ({
        ...line,
        percentage: percentageOf(line.count, nb_answered),
      }))
      return [question.id, { question_text: question.text, answers }]
    }),
  )
}

type Line = Pick<AnswerStats, 'answer_text' | 'count'>

const linesOf = (asked: AskedQuestion, texts: readonly TextCount[]): Line[] => {
  const { question, nb_answered } = asked
  if (isChoice(question)) return choiceLines(asked)
  if (question.type === 'scale')
    return scaleCounts(asked).map(({ value, count }) => ({ answer_text: `${value}`, count }))
  const isDate = question.type === 'date'
  const frequent = texts.slice(0, isDate ? MOST_MONTHS : MOST_FREQUENT_TEXTS)
  const others = nb_answered - frequent.reduce((sum, { count }) => sum + count, 0)
  const lines = isDate ? monthLines(frequent) : frequent.map(lineOf)
  return others > 0
    ? [...lines, { answer_text: isDate ? OTHER_MONTHS : OTHER_TEXTS, count: others }]
    : lines
}

const lineOf = ({ text, count }: TextCount): Line => ({ answer_text: text, count })

const choiceLines = ({ appearances }: AskedQuestion): Line[] => {
  const lines = new Map<string, Line>()
  const add = (key: string, answer_text: string, count: number): void => {
    const line = lines.get(key)
    if (line) line.count += count
    else lines.set(key, { answer_text, count })
  }
  for (const { question, countOf } of appearances)
    for (const [rank, { id, text }] of question.answers.entries())
      add(`${id} ${text}`, text, countOf(rank))
  for (const { question, countOf } of appearances)
    if (question.has_other) add(OTHER_NAME, OTHER_NAME, countOf(question.answers.length))
  return [...lines.values()]
}

/** How often each number of a scale was given, in the order of the numbers, zero included. */
export const scaleCounts = ({
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

/** Months in their order, as « mars 2026 ». */
const monthLines = (months: readonly TextCount[]): Line[] => {
  const name = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return [...months]
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ text, count }) => ({ answer_text: name.format(Date.parse(`${text}-01`)), count }))
}
