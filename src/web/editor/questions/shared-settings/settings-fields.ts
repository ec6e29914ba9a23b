import { LIMITS } from '#domain/common/vocabulary.ts'
import { type Dimension, nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import {
  hasSetting,
  type ScaleOptions,
  type SharedSettings,
} from '#domain/questionnaire/shared-settings.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { SCALE_PRESETS } from '#web/editor/questions/draft/presets.ts'

/** Values of the selects of the dialog. */
export type FieldValues = Record<keyof SharedSettings, string>

/** Value of a select that changes nothing. */
export const KEEP = 'keep'
/** Value of « Nouvelle dimension… ». */
export const NEW = 'new'
const NONE = 'none'
const [YES, NO] = ['yes', 'no']

/** Values that change nothing. */
export const UNCHANGED: FieldValues = {
  dimension_id: KEEP,
  counts_in_score: KEEP,
  is_required: KEEP,
  scale: KEEP,
}

/** Select of the dialog. */
export type SettingsField = {
  name: keyof SharedSettings
  label: string
  options: { value: string; label: string }[]
}

/** Dimensions of a draft, and whether its mode lets questions give points. */
type Scoring = { dimensions: readonly Dimension[]; hasScores: boolean }

/** Returns the selects of the settings that at least one of the questions has. */
export const settingsFields = (
  questions: readonly Question[],
  { dimensions, hasScores }: Scoring,
): SettingsField[] => {
  const isFull = dimensions.length >= LIMITS.dimensions
  const yesOrNo = [
    { value: YES, label: 'Oui' },
    { value: NO, label: 'Non' },
  ]
  const fields: SettingsField[] = [
    {
      name: 'dimension_id',
      label: OPTION_FIELDS.dimension_id.label,
      options: [
        ...dimensions.map(({ id }) => ({ value: id, label: nameOfDimension(dimensions, id) })),
        { value: NONE, label: 'Aucune' },
        ...(isFull ? [] : [{ value: NEW, label: 'Nouvelle dimension…' }]),
      ],
    },
    {
      name: 'counts_in_score',
      label: OPTION_FIELDS.counts_in_score.label,
      options: yesOrNo,
    },
    { name: 'is_required', label: OPTION_FIELDS.is_required.label, options: yesOrNo },
    {
      name: 'scale',
      label: 'Échelle',
      options: scalesOf(questions).map(({ label }, index) => ({ value: `${index}`, label })),
    },
  ]
  return fields.filter(
    ({ name }) =>
      (hasScores || (name !== 'dimension_id' && name !== 'counts_in_score')) &&
      questions.some((question) => hasSetting(question, name)),
  )
}

/** Returns the settings that the selects choose. A new dimension has no id yet. */
export const readSettings = (
  { dimension_id, counts_in_score, is_required, scale }: FieldValues,
  questions: readonly Question[],
): SharedSettings => {
  const chosen = scalesOf(questions)[scale === KEEP ? -1 : Number(scale)]
  return {
    ...(dimension_id !== KEEP &&
      dimension_id !== NEW && { dimension_id: dimension_id === NONE ? null : dimension_id }),
    ...(counts_in_score !== KEEP && { counts_in_score: counts_in_score === YES }),
    ...(is_required !== KEEP && { is_required: is_required === YES }),
    ...(chosen && { scale: chosen.options }),
  }
}

type NamedScale = { label: string; options: Partial<ScaleOptions> }

/** Returns the presets of scales, then each other scale that a question already has. */
const scalesOf = (questions: readonly Question[]): NamedScale[] => {
  const scales = new Map<string, NamedScale>()
  const add = (label: string, options: ScaleOptions): void => {
    const key = JSON.stringify(Object.values(options))
    if (!scales.has(key)) scales.set(key, { label, options })
  }
  for (const { name, options } of SCALE_PRESETS) add(name, options)
  for (const question of questions)
    if (question.type === 'scale') {
      const { scale_min, scale_max, scale_min_label, scale_max_label, shows_recommendation } =
        question
      add(scaleLabel(question), {
        scale_min,
        scale_max,
        shows_recommendation,
        scale_min_label,
        scale_max_label,
      })
    }
  return [...scales.values()]
}

/** Returns the range of a scale with its labels as French text: '1–5 (jamais – toujours)'. */
const scaleLabel = (question: Question): string => {
  const { scale_min_label, scale_max_label } = question
  const labels = [scale_min_label, scale_max_label].filter(Boolean).join(' – ')
  return `${rangeLabel(question)}${labels && ` (${labels})`}`
}

const rangeLabel = (question: Question): string => {
  const { from, to } = scaleOf(question)
  return `${from}–${to}`
}

/** Returns the settings of a question as French text. */
export const describeSettings = (
  question: Question,
  { dimensions, hasScores }: Scoring,
): string => {
  const { dimension_id, counts_in_score, is_required, type } = question
  const isScale = type === 'scale'
  return [
    ...(hasScores && dimension_id ? [nameOfDimension(dimensions, dimension_id)] : []),
    ...(isScale ? [`échelle ${rangeLabel(question)}`] : []),
    ...(isScale && hasScores && counts_in_score ? ['compte dans le score'] : []),
    is_required ? 'obligatoire' : 'facultative',
  ].join(' · ')
}
