import { answerShares, type NumberSummary, summariseNumbers } from '#domain/common/numbers.ts'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { scaleOf, takesSeveral } from '#domain/run/replies.ts'
import {
  type AnsweredVersion,
  type AskedQuestion,
  askedQuestions,
  type ChoiceCount,
} from './asked-questions.ts'
import { answerWordings, numberedAnswers } from './filter-choices.ts'
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
export const MAX_MONTHS = 120

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
  versions: readonly AnsweredVersion[],
  choices: readonly ChoiceCount[],
  texts: readonly TextCount[],
  taken = versions,
): Map<string, QuestionStats> => {
  const given = Map.groupBy(texts, ({ question_id }) => question_id)
  const filterOf = wordingFilters(answerWordings(taken))
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
  const frequent = texts.slice(0, isDate ? MAX_MONTHS : MOST_FREQUENT_TEXTS)
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

/** Months in their order, as « mars 2026 ». */
const monthLines = (months: readonly TextCount[]): Line[] => {
  const name = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return [...months]
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ text, count }) => ({ answer_text: name.format(Date.parse(`${text}-01`)), count }))
}

/** How many of the texts given to a question had been given before. */
export type RepeatCount = { question_id: string; count: number }

/** Of those who gave a number from 0 to 10: 9 and 10 promote, 7 and 8 are passive, the others detract. */
type Recommendation = {
  nb_promoters: number
  nb_passives: number
  nb_detractors: number
  /** Percent of promoters less percent of detractors, a whole number from -100 to 100. */
  net: number
}

/** What is known of the replies to a question beside the count of each. */
export type QuestionFigures = Pick<AskedQuestion, 'nb_participants' | 'nb_seen' | 'nb_answered'> & {
  type: QuestionType
  /** Whether several answers may be chosen. */
  takes_several: boolean
  /** How many different texts were given; null of a choice, a scale or a date. */
  nb_distinct: number | null
  /** The most frequent texts typed beside « Autre… ». */
  others: { text: string; count: number }[]
  /** Of a number question or a scale; null of any other, and when too many different ones were given. */
  numbers: NumberSummary | null
  /** Of a scale from 0 to 10. */
  recommendation: Recommendation | null
}

/**
 * The figures of each question, by its id, in the order of `questionStats`. `numbers` are those of number
 * questions, by their ids.
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
    askedQuestions(versions, choices).map((asked) => {
      const { question, nb_participants, nb_seen, nb_answered } = asked
      const isScale = question.type === 'scale'
      const repeated = repeats.find(({ question_id }) => question_id === question.id)?.count ?? 0
      return [
        question.id,
        {
          type: question.type,
          ...{ nb_participants, nb_seen, nb_answered },
          takes_several: canTakeSeveral(asked),
          nb_distinct: isListed(question) ? nb_answered - repeated : null,
          others: isChoice(question) ? othersOf(question.id, texts) : [],
          numbers: isScale
            ? summariseNumbers(scaleCounts(asked))
            : (numbers.get(question.id) ?? null),
          recommendation: isScale ? recommendationOf(asked) : null,
        },
      ]
    }),
  )

/** Whether its texts are told apart as they were typed. */
const isListed = ({ type }: AskedQuestion['question']): boolean =>
  !isChoice({ type }) && type !== 'scale' && type !== 'date'

const othersOf = (id: string, texts: readonly TextCount[]): QuestionFigures['others'] =>
  texts
    .filter(({ question_id }) => question_id === id)
    .slice(0, MOST_FREQUENT_TEXTS)
    .map(({ text, count }) => ({ text, count }))

const LEAST_OF_PROMOTERS = 9
const MOST_OF_DETRACTORS = 6

/** Counted in the versions in which the scale goes from 0 to 10; null where these have no answer. */
const recommendationOf = ({ appearances }: AskedQuestion): Recommendation | null => {
  const counts = scaleCounts({
    appearances: appearances.filter(({ question }) => {
      const { from, to } = scaleOf(question)
      return from === 0 && to === 10
    }),
  })
  const sumOf = (isCounted: (value: number) => boolean): number =>
    counts.reduce((sum, { value, count }) => sum + (isCounted(value) ? count : 0), 0)
  const nb_promoters = sumOf((value) => value >= LEAST_OF_PROMOTERS)
  const nb_detractors = sumOf((value) => value <= MOST_OF_DETRACTORS)
  const total = sumOf(() => true)
  if (total === 0) return null
  return {
    ...{ nb_promoters, nb_passives: total - nb_promoters - nb_detractors, nb_detractors },
    // Without « -0 ».
    net: Math.round((100 * (nb_promoters - nb_detractors)) / total) || 0,
  }
}
