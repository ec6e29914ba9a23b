import { isBlankText } from '#domain/common/text.ts'
import type { ConditionJoin, QuizType, VariantPlace } from '#domain/common/vocabulary.ts'

/** Condition of a text. A condition on a question that was not on the path of the run does not hold. */
export type Condition =
  | { kind: 'answer_chosen' | 'answer_not_chosen'; question_id: string; answer_id: string }
  | { kind: 'scale_at_least' | 'scale_at_most'; question_id: string; number: number }
  /** Both ends are included; null means no bound. */
  | { kind: 'total_between'; from: number | null; to: number | null }
  | { kind: 'dimension_tier'; dimension_id: string; tier_id: string }
  /** All shown dimensions have one percentage; also if only one is shown. */
  | { kind: 'dimensions_equal' }
  | { kind: 'result'; result_id: string }

/** Formatted text that participants see if its conditions hold. */
export type TextVariant = {
  id: string
  quiz_id: string
  place: VariantPlace
  /** Result that shows the text; only for the place 'result'. */
  result_id: string | null
  /** Rank among all texts of the quiz, from 0. */
  position: number
  joined_by: ConditionJoin
  conditions: Condition[]
  text: string
  button_text: string | null
  button_url: string | null
}

/** Frozen conditional text; texts are sorted. */
export type SnapshotTextVariant = Omit<TextVariant, 'quiz_id' | 'position'>

/** Field of a condition that holds the id of a row. */
export type ReferenceField = 'question_id' | 'answer_id' | 'dimension_id' | 'tier_id' | 'result_id'

/** Returns the name of the condition at this index in publish errors. */
export const conditionField = (index: number): string => `condition_${index + 1}`

/** Returns the condition with other ids of the rows that it refers to. */
export const replaceConditionIds = (
  condition: Condition,
  renewed: (id: string, field: ReferenceField) => string,
): Condition =>
  Object.fromEntries(
    Object.entries(condition).map(([name, value]) => [
      name,
      name.endsWith('_id') ? renewed(`${value}`, name as ReferenceField) : value,
    ]),
  ) as Condition

/** Returns the conditional texts that a version of this type of questionnaire holds. Empty texts are omitted. */
export const freezeTextVariants = (
  variants: readonly TextVariant[],
  type: QuizType,
): SnapshotTextVariant[] => {
  const missing = type === 'sondage' ? ['result', 'every_result'] : ['end']
  return variants
    .filter(({ place, text, button_text }) => {
      const isEmpty = isBlankText(text) && isBlankText(button_text ?? '')
      return !missing.includes(place) && !isEmpty
    })
    .map(({ quiz_id, position, ...variant }) => variant)
}
