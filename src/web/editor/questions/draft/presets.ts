import type { QuestionType } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { type Content, groupIntoPages, type Item } from '#domain/questionnaire/pages.ts'
import type { Question, QuestionOptions } from '#domain/questionnaire/quiz.ts'
import type { ScaleOptions } from '#domain/questionnaire/shared-settings.ts'
import { insertionKey } from '#domain/run/rich-text.ts'
import { type CreationContext, createAnswer, createQuestion, createTextBlock } from './new-items.ts'

/** Settings of a scale that a creator often needs. */
export type ScalePreset = { name: string; options: ScaleOptions }

/** Presets of a scale. */
export const SCALE_PRESETS: readonly ScalePreset[] = [
  {
    name: 'Satisfaction 1–5',
    options: {
      scale_min: 1,
      scale_max: 5,
      shows_recommendation: false,
      scale_min_label: 'Pas du tout satisfaisant',
      scale_max_label: 'Très satisfaisant',
    },
  },
  {
    name: 'Recommandation 0–10',
    options: {
      scale_min: 0,
      scale_max: 10,
      shows_recommendation: true,
      scale_min_label: 'Certainement pas',
      scale_max_label: 'Sans hésiter',
    },
  },
]

/** Preset of two answers. */
export const YES_OR_NO = { name: 'Oui / Non', answers: ['Oui', 'Non'] } as const

/** Returns true if a scale has all settings of a preset. */
export const hasPreset = (scale: QuestionOptions, { options }: ScalePreset): boolean =>
  (Object.keys(options) as (keyof ScaleOptions)[]).every((name) => scale[name] === options[name])

/** Returns a choice between yes and no that replaces a scale. The text, the place and the common options stay. */
export const createYesOrNo = (scale: Question, newId: () => string): Question => {
  const id = newId()
  const answers = YES_OR_NO.answers.map((text, position) => ({
    ...createAnswer(id, newId(), text),
    position,
  }))
  return { ...scale, id, type: 'multiple_choice', answers }
}

/**
 * Returns the settings that a new scale repeats: those of the last scale before its position, or else of the last scale
 * of the quiz. The first scale of a quiz goes from 0 to 10, without a net promoter score.
 */
export const settingsOfNewScale = (
  content: Content,
  { page_number, index = Number.POSITIVE_INFINITY }: { page_number: number; index?: number },
): Partial<QuestionOptions> => {
  const isScale = ({ type }: Question): boolean => type === 'scale'
  const before = groupIntoPages(content).flatMap(({ number, items }) => {
    if (number > page_number) return []
    return number < page_number ? items : items.slice(0, index)
  })
  const scale =
    before.flatMap((item) => (item.kind === 'question' ? item.question : [])).findLast(isScale) ??
    content.questions.findLast(isScale)
  if (!scale) return { shows_recommendation: false }
  const { is_required, scale_min, scale_max, scale_min_label, scale_max_label } = scale
  const { counts_in_score, shows_recommendation } = scale
  return {
    is_required,
    scale_min,
    scale_max,
    scale_min_label,
    scale_max_label,
    counts_in_score,
    shows_recommendation,
  }
}

/** Short name of the question for the first name, by which texts insert the reply. */
const FIRST_NAME_LABEL = 'prénom'

/** Returns the parts of the preset « Coordonnées » that a question already asks for, by their French names. */
export const knownContactParts = (questions: readonly Question[]): string[] => [
  ...(questions.some((question) => contactRoleOf(question) === 'first_name') ? ['prénom'] : []),
  ...(questions.some(({ type }) => type === 'email') ? ['email'] : []),
]

/**
 * Returns the items of the preset « Coordonnées »: a text block, the first name and the email address. An address that
 * is already asked for is left out. The first name lacks a role or short name that another question has.
 */
export const createContactItems = (
  { questions }: Pick<Content, 'questions'>,
  context: CreationContext,
): [Item, ...Item[]] => {
  const known = knownContactParts(questions)
  const ask = (type: QuestionType, text: string, options: Partial<QuestionOptions>): Item => ({
    kind: 'question',
    question: { ...createQuestion(type, { ...context, options }), text },
  })
  const isLabelTaken = questions.some(({ label }) => insertionKey(label ?? '') === FIRST_NAME_LABEL)
  return [
    { kind: 'text_block', text_block: { ...createTextBlock(context), content: 'Vos coordonnées' } },
    ask('text', 'Prénom', {
      contact_role: known.includes('prénom') ? null : 'first_name',
      label: isLabelTaken ? null : FIRST_NAME_LABEL,
    }),
    ...(known.includes('email') ? [] : [ask('email', 'Email', {})]),
  ]
}
