import { NEW_TEXT_VARIANT } from '#domain/questionnaire/defaults.ts'
import { editRows, type RowsAction } from '#domain/questionnaire/ordered-rows.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { firstCondition } from './conditions.ts'

/** Fields of a conditional text that a creator edits. */
export type VariantFields = Omit<TextVariant, 'id' | 'quiz_id' | 'position'>

/** Action of the card of conditional texts. */
export type VariantsAction =
  | Exclude<RowsAction<TextVariant>, { type: 'moved' }>
  | { type: 'duplicated'; id: string; new_id: string }
  /** Exchanges a text with the text `by` places after it on the same page or in the same mail. */
  | { type: 'exchanged'; id: string; by: 1 | -1 }

/** Returns a new conditional text for the end page of this draft, with the first possible condition. */
export const createVariant = (id: string, draft: Draft): TextVariant => ({
  ...NEW_TEXT_VARIANT,
  id,
  quiz_id: draft.quiz.id,
  position: draft.text_variants.length,
  place: isSondage(draft.quiz) ? 'end' : 'every_result',
  conditions: firstCondition(draft),
})

/** Returns the draft after an action. `position` is always the index. */
export const withVariants = <D extends Draft>(draft: D, action: VariantsAction): D => {
  const edit = rowsAction(draft.text_variants, action)
  return edit ? { ...draft, text_variants: editRows(draft.text_variants, edit, 'position') } : draft
}

/** Returns the edit of the list; undefined if the action changes nothing. */
const rowsAction = (
  variants: readonly TextVariant[],
  action: VariantsAction,
): RowsAction<TextVariant> | undefined => {
  if (action.type !== 'duplicated' && action.type !== 'exchanged') return action
  const from = variants.findIndex(({ id }) => id === action.id)
  const variant = variants[from]
  if (!variant) return undefined
  if (action.type === 'duplicated')
    return { type: 'added', row: { ...variant, id: action.new_id }, index: from + 1 }
  const neighbour = neighbourOf(variants, variant, action.by)
  return neighbour && { type: 'moved', from, to: variants.indexOf(neighbour) }
}

/** Returns the texts of the end page, or those of the mail, in their order. */
export const variantsOn = (
  variants: readonly TextVariant[],
  surface: 'page' | 'mail',
): TextVariant[] => variants.filter(({ place }) => (place === 'mail') === (surface === 'mail'))

const neighbourOf = (
  variants: readonly TextVariant[],
  variant: TextVariant,
  by: 1 | -1,
): TextVariant | undefined => {
  const beside = variantsOn(variants, variant.place === 'mail' ? 'mail' : 'page')
  return beside[beside.indexOf(variant) + by]
}
