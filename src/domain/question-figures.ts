import {
  type AskedQuestion,
  askedQuestions,
  type ChoiceCount,
  type TakenVersion,
} from './asked-questions.ts'
import { type NumberSummary, summarise } from './numbers.ts'
import { isChoice } from './quiz.ts'
import { scaleOf } from './replies.ts'
import { canTakeSeveral, MOST_FREQUENT_TEXTS, scaleCounts, type TextCount } from './statistics.ts'
import type { QuestionType } from './vocabulary.ts'

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
  versions: readonly TakenVersion[],
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
          numbers: isScale ? summarise(scaleCounts(asked)) : (numbers.get(question.id) ?? null),
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
