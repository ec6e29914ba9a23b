import {
  type AskedQuestion,
  askedQuestions,
  type ChoiceCount,
  type TakenVersion,
} from './asked-questions.ts'
import { numberedAnswers, wordedAnswers } from './filter-choices.ts'
import { isChoice } from './quiz.ts'
import { scaleOf, takesSeveral } from './replies.ts'
import { answerShares } from './shares.ts'
import { wordingFilters } from './wordings.ts'

type AnswerStats = {
  answer_text: string
  count: number
  percentage: number
  /** What filters by those that it counts; of a choice alone. */
  filter?: string | undefined
}
export type QuestionStats = { question_text: string; answers: AnswerStats[] }

/** How often one text was typed to an open question, or beside « Autre… »; of a date its month, as `2026-03`. */
export type TextCount = { question_id: string; text: string; count: number }

const OTHER_TEXTS = 'Autres réponses'
const OTHER_MONTHS = 'Autres mois'
export const MOST_FREQUENT_TEXTS = 10
/** Ten years; of more, those that were given most often have a line. */
export const MOST_MONTHS = 120

/**
 * Counts per question, keyed by question id, in the order of the newest version that has it
 * (decisions « Statistics »). A multiple-choice question lists every answer of the versions that
 * were taken, zero included, then « Autre » where one had it; an answer that was reworded has a line for each
 * wording. A scale lists its numbers, a date its months. An open question lists its most frequent texts
 * (`texts` holds those, most frequent first) and the rest as one line. Percentages are of the participants who
 * answered that question: they add up to 100 for one choice, and may exceed it for several choices. `taken` are the
 * versions that participants are filtered by, which are more than those counted under a filter.
 */
export const questionStats = (
  versions: readonly TakenVersion[],
  choices: readonly ChoiceCount[],
  texts: readonly TextCount[],
  taken = versions,
): Map<string, QuestionStats> => {
  const given = Map.groupBy(texts, ({ question_id }) => question_id)
  const filterOf = wordingFilters(wordedAnswers(taken))
  return new Map(
    askedQuestions(versions, choices).map((asked) => {
      const { question, nb_answered } = asked
      const lines = linesOf(asked, given.get(question.id) ?? [], filterOf)
      const shares = answerShares(
        lines.map(({ count }) => count),
        { total: nb_answered, takes_several: canTakeSeveral(asked) },
      )
      const answers = lines.map((line, rank) => ({ ...line, percentage: shares[rank] ?? 0 }))
      return [question.id, { question_text: question.text, answers }]
    }),
  )
}

/** Returns true if a participant may have chosen several answers to a question, in one version at least. */
export const canTakeSeveral = ({ question, appearances }: AskedQuestion): boolean =>
  isChoice(question) && appearances.some((one) => takesSeveral(one.question))

type Line = Omit<AnswerStats, 'percentage'>
type FilterOf = ReturnType<typeof wordingFilters>

const linesOf = (asked: AskedQuestion, texts: readonly TextCount[], filterOf: FilterOf): Line[] => {
  const { question, nb_answered } = asked
  if (isChoice(question)) return choiceLines(asked, filterOf)
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

const choiceLines = ({ appearances }: AskedQuestion, filterOf: FilterOf): Line[] => {
  const written = new Map<string, Line>()
  const others = new Map<string, Line>()
  for (const { question, countOf } of appearances)
    for (const { id, text, number } of numberedAnswers(question)) {
      const filter = filterOf({ id, text })
      const lines = number < question.answers.length ? written : others
      const line = lines.get(filter) ?? { answer_text: text, count: 0, filter }
      lines.set(filter, line)
      line.count += countOf(number)
    }
  return [...written.values(), ...others.values()]
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
