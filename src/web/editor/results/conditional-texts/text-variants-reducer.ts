import { NEW_TEXT_VARIANT } from '#domain/questionnaire/defaults.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { firstCondition } from './conditions.ts'

/** Fields of a conditional text that a creator edits. */
export type VariantFields = Omit<TextVariant, 'id' | 'quiz_id' | 'position'>

/** Action of the card of conditional texts. */
export type VariantsAction =
  | { type: 'added'; variant: TextVariant }
  | { type: 'changed'; id: string; fields: Partial<VariantFields> }
  | { type: 'duplicated'; id: string; new_id: string }
  /** Exchanges a text with the text `by` places after it on the same page or in the same mail. */
  | { type: 'moved'; id: string; by: 1 | -1 }
  | { type: 'removed'; id: string }

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
export const withVariants = <D extends Draft>(draft: D, action: VariantsAction): D => ({
  ...draft,
  text_variants: reduce(draft.text_variants, action).map((variant, position) =>
    variant.position === position ? variant : { ...variant, position },
  ),
})

const reduce = (variants: readonly TextVariant[], action: VariantsAction): TextVariant[] => {
  switch (action.type) {
    case 'added':
      return [...variants, action.variant]
    case 'changed':
      return variants.map((one) => (one.id === action.id ? { ...one, ...action.fields } : one))
    case 'duplicated':
      return variants.flatMap((one) =>
        one.id === action.id ? [one, { ...one, id: action.new_id }] : [one],
      )
    case 'moved': {
      const list = [...variants]
      const from = list.findIndex(({ id }) => id === action.id)
      const moved = list[from]
      const neighbour = moved && neighbourOf(list, moved, action.by)
      if (!moved || !neighbour) return list
      const to = list.indexOf(neighbour)
      list.splice(from, 1)
      list.splice(to, 0, moved)
      return list
    }
    case 'removed':
      return variants.filter(({ id }) => id !== action.id)
  }
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

/** Returns the key of the typed field, whose successive changes form one undo step; null for other actions. */
export const variantsUndoGroupKey = (action: VariantsAction): string | null =>
  action.type === 'changed' ? [action.id, ...Object.keys(action.fields)].join(' ') : null
