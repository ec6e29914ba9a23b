import { isBlankText, shortenText } from '#domain/common/text.ts'
import { namesOf } from '#domain/questionnaire/fields/field.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question, QuestionOptions } from '#domain/questionnaire/quiz.ts'
import { fieldId, jumpId, optionId, optionsId, scoreId } from '#web/editor/fields/field-ids.ts'
import { describeRows, type RevertedChange, restoredChange } from './describe-rows.ts'

/** Descriptions of changes inside questions. */

const EXCERPT_LENGTH = 40
/** Returns the beginning of a text in quotation marks; `otherwise` if the text is blank. */
export const quoted = (text: string, otherwise: string): string =>
  isBlankText(text) ? otherwise : `« ${shortenText(text.trim(), EXCERPT_LENGTH)} »`

/** Options that one action may give to several questions (domain/questionnaire/shared-settings.ts). */
const SHARED_NAMES = [
  'dimension_id',
  'is_required',
  'counts_in_score',
  'scale_min',
  'scale_max',
] as const

const OPTION_NAMES = namesOf(OPTION_FIELDS)
const isScaleOption = (name: keyof QuestionOptions): boolean =>
  ['scale', 'scale_0_10'].includes(OPTION_FIELDS[name].use ?? '')

/** Describes a change of the settings of several questions, which one action changes together. */
export const describeSharedSettings = (
  before: readonly Question[],
  after: readonly Question[],
): RevertedChange | null => {
  const olds = new Map(before.map((question) => [question.id, question]))
  const changed = after.filter((question) => {
    const old = olds.get(question.id)
    return old && SHARED_NAMES.some((name) => old[name] !== question[name])
  })
  const [first] = changed
  if (!first || changed.length < 2 || before.length !== after.length) return null
  return restoredChange(`réglages de ${changed.length} questions`, {
    step: 'questions',
    field_ids: [optionsId(first.id), fieldId(first.id)],
  })
}

/** Describes a change of a question's option. Its target is the field, or the line that opens the options. */
export const describeOption = (before: Question, after: Question): RevertedChange | null => {
  const [name, ...others] = OPTION_NAMES.filter((option) => before[option] !== after[option])
  if (!name || name.startsWith('image_') || before.text !== after.text) return null
  // A preset changes several settings of a scale at once.
  const [first = '', ...rest] =
    others.length > 0 && isScaleOption(name) ? 'Échelle' : OPTION_FIELDS[name].label
  const { id, text } = after
  const field_id = /_label$|^grid_title$/.test(name) ? optionId(id, name) : optionsId(id)
  const what = `${first.toLowerCase()}${rest.join('')}, question ${quoted(text, 'sans texte')}`
  return restoredChange(what, { step: 'questions', field_ids: [field_id, fieldId(id)] })
}

/** Describes a change of the answers of a question. */
export const describeAnswers = (before: Question, after: Question): RevertedChange | null => {
  if (before.text !== after.text) return null
  return describeRows(before.answers, after.answers, {
    rowName: ({ text }) => `réponse ${quoted(text, 'vide')}`,
    orderName: 'ordre des réponses',
    place: ({ id }) => ({ step: 'questions', field_ids: [fieldId(id), fieldId(after.id)] }),
    describeFieldChange: (old, now) => {
      const field = (what: string, id: string): RevertedChange =>
        restoredChange(`${what} ${quoted(now.text, 'la réponse')}`, {
          step: 'questions',
          field_ids: [id, fieldId(now.id), fieldId(after.id)],
        })
      if (old.jump_to !== now.jump_to) return field('où mène', jumpId(now.id))
      if (old.is_correct !== now.is_correct) return field('bonne réponse', now.id)
      return old.score === now.score ? null : field('score de', scoreId(now.id))
    },
  })
}
