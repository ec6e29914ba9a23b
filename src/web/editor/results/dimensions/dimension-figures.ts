import { isBlankText } from '#domain/common/text.ts'
import { type Content, itemsInOrder } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { canHavePoints } from '#domain/questionnaire/shared-settings.ts'
import { nonBlankAnswers } from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { countedQuestion } from '#domain/run/dimensions.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'

/** Question that can give points, with its number and the range of the points of its replies in a dimension. */
export type ScoredQuestion = { question: Question; number: number; range: Range }

/** Returns the questions with answers or a scale, in reading order. */
export const scoredQuestions = (content: Content): ScoredQuestion[] => {
  const numbers = numbersOf(content)
  return itemsInOrder(content).flatMap((item) => {
    if (item.kind !== 'question' || !canHavePoints(item.question)) return []
    const { question } = item
    return { question, number: numbers.get(question.id) ?? 0, range: rangeOf(question) }
  })
}

const rangeOf = (question: Question): Range =>
  pointsRangeOf(countedQuestion({ ...question, answers: nonBlankAnswers(question) }))

const numberFormat = new Intl.NumberFormat('fr-FR')

/** Returns a range of points as French text: 'de 0 à 3 points'. */
export const pointsLabel = ({ from, to }: Range): string => {
  const [low, high] = [from, to].map((points) => numberFormat.format(points))
  return from === to
    ? `${low} ${Math.abs(to) > 1 ? 'points' : 'point'}`
    : `de ${low} à ${high} points`
}

/** Returns the number of questions of a dimension and the range of its points as French text. */
export const dimensionLabel = (dimension_id: string, all: readonly ScoredQuestion[]): string => {
  const own = all.filter(({ question }) => question.dimension_id === dimension_id)
  if (own.length === 0) return 'Aucune question'
  const range = own.reduce(
    (sum, { range: { from, to } }) => ({ from: sum.from + from, to: sum.to + to }),
    { from: 0, to: 0 },
  )
  return `${own.length} question${own.length > 1 ? 's' : ''}, ${pointsLabel(range)}`
}

/** Returns the title of a question: 'Question 2 – Votre sommeil ?'. */
export const questionTitle = ({ question: { text }, number }: ScoredQuestion): string =>
  `Question ${number}${isBlankText(text) ? '' : ` – ${text.trim()}`}`
