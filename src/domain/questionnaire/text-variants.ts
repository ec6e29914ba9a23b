import { isBlankText } from '#domain/common/text.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import type { Values } from './fields/field.ts'
import type { Condition } from './fields/list-values.ts'
import type { TEXT_VARIANT_FIELDS } from './fields/row-fields.ts'

/** Formatted text that participants see if its conditions hold. */
export type TextVariant = Values<typeof TEXT_VARIANT_FIELDS> & {
  id: string
  quiz_id: string
  /** Rank among all texts of the quiz, from 0. */
  position: number
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
