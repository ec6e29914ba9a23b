import { isDay } from '#domain/common/days.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { readNumber } from '#domain/common/read-number.ts'
import { localDay } from '#domain/common/time-zone.ts'
import { CONTACT_ROLES, type ProviderName, type QuestionType } from '#domain/common/vocabulary.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import { UTM_NAMES } from '#domain/questionnaire/parameters.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  ANSWER_SEPARATOR,
  chosenTexts,
  formatReply,
  replyPartsOf,
  scaleNumber,
} from '#domain/run/replies.ts'
import type { ReadDimension } from '#domain/run/stored-dimensions.ts'
import { type FieldType, NATIVE_FIELDS } from './account-fields.ts'
import { fieldNameOf, PROVIDER_LABELS, parameterFieldOf } from './integrations.ts'

/** Kinds of values that a field of a tool can receive, besides the contact data. */
export const MAPPING_SOURCES = [
  ...(['question', 'score', 'result', 'dimension', 'own_page'] as const),
  // Answer to the second consent, and the day of its acceptance (docs/decisions/086).
  ...(['measure', 'measure_day'] as const),
] as const
/** Kind of value that a field of a tool receives. */
export type MappingSource = (typeof MAPPING_SOURCES)[number]

/** Types of fields that can receive a value; fields of other types are never written. */
export const MAPPED_TYPES = ['text', 'number', 'date'] as const satisfies readonly FieldType[]
/** Type of a field that can receive a value. */
export type MappedType = (typeof MAPPED_TYPES)[number]

/** Maximum number of mapped fields of one quiz at one tool. */
export const MAX_MAPPINGS = 20

/** Value that a field receives. */
export type MappedSource = {
  source: MappingSource
  /** Question whose reply is sent; null for the other sources. */
  question_id: string | null
  /** Dimension whose percent is sent; null or absent for the other sources. */
  dimension_id?: string | null
}

/** Field of a tool that receives a value of each participant. Mappings apply at once and belong to no version. */
export type FieldMapping = MappedSource & {
  provider: ProviderName
  /** Name of the field, as the creator sees it at the tool. */
  field_name: string
  /** Key of the field at the tool; null until the field is found or created. */
  field_key: string | null
  field_type: MappedType
  /** Reason why the tool refuses the field; null if it does not. */
  refused_code: string | null
}

/** Types of questions whose reply is a number. */
const NUMBER_QUESTIONS: readonly QuestionType[] = ['number', 'scale']

/** Returns the types of fields that can receive a source. `question_type` is null for the other sources. */
export const acceptingTypes = (
  source: MappingSource,
  question_type: QuestionType | null,
): readonly MappedType[] =>
  MAPPED_TYPES.filter((type) => {
    if (type === 'text') return true
    if (type === 'date')
      return source === 'measure_day' || (source === 'question' && question_type === 'date')
    if (source !== 'question') return source === 'score' || source === 'dimension'
    return question_type !== null && NUMBER_QUESTIONS.includes(question_type)
  })

/** Run of a participant, from which mapped values are taken. */
export type MappedRun = {
  /** Questions that the participant saw. */
  visited: readonly SnapshotQuestion[]
  replies: Replies
  score: number | null
  /** Dimensions that the participant was shown. */
  dimensions: readonly Pick<ReadDimension, 'dimension_id' | 'percent'>[]
  result_name: string | null
  /** Address of the page of the participant; null or absent unless the quiz keeps such pages. */
  result_url?: string | null
  /** Answer to the second consent; null or absent if its box was not shown. */
  measure?: MeasureAnswer | null
}

/** Answer to the second consent, and the day on which the participant gave the answer (ISO 8601). */
export type MeasureAnswer = { is_accepted: boolean; day: string }

/** Returns the answer to the second consent of a stored participant; null if the box was not shown. */
export const measureAnswerOf = (
  measure_version: number | null,
  created_at: string,
  time_zone: string,
): MeasureAnswer | null =>
  measure_version === null
    ? null
    : { is_accepted: measure_version > 0, day: localDay(new Date(created_at), time_zone) }

/** Returns the reply to a question in the form of a field type. Null if the reply is blank or does not fit. */
const replyValue = (
  question: SnapshotQuestion,
  replies: Replies,
  field_type: MappedType,
): string | number | null => {
  const [typed = ''] = replyPartsOf(replies, question)
  if (field_type === 'date') return question.type === 'date' && isDay(typed) ? typed : null
  if (field_type === 'number') {
    if (question.type === 'scale') return scaleNumber(question, replies)
    return question.type === 'number' ? readNumber(typed) : null
  }
  const chosen = chosenTexts(question, replies).join(ANSWER_SEPARATOR)
  return (chosen || formatReply(question, replies)).trim() || null
}

/**
 * Returns the value of a mapped field for a participant. Null means that the field stays as it is, because the question
 * is blank, unseen or absent from the version. Also null without a score, result or shown dimension, or if the type does
 * not fit.
 */
export const mappedValue = (
  {
    source,
    question_id,
    dimension_id,
    field_type,
  }: MappedSource & Pick<FieldMapping, 'field_type'>,
  { visited, replies, score, dimensions, result_name, result_url = null, measure }: MappedRun,
): string | number | null => {
  if (source === 'result') return field_type === 'text' ? result_name : null
  if (source === 'own_page') return field_type === 'text' ? result_url : null
  if (source === 'measure') {
    if (!measure || field_type !== 'text') return null
    return measure.is_accepted ? 'oui' : 'non'
  }
  if (source === 'measure_day')
    return measure?.is_accepted && field_type !== 'number' ? measure.day : null
  if (source === 'score') return numberValue(score, field_type)
  if (source === 'dimension') {
    const dimension = dimensions.find((shown) => shown.dimension_id === dimension_id)
    return numberValue(dimension?.percent ?? null, field_type)
  }
  const question = visited.find(({ id }) => id === question_id)
  return question ? replyValue(question, replies, field_type) : null
}

const numberValue = (value: number | null, field_type: MappedType): string | number | null => {
  if (value === null || field_type === 'date') return null
  return field_type === 'number' ? value : String(value)
}

/** Value for a mapped field; null if the type of the field cannot take the participant's value. */
export type MappedValue<M> = { mapping: M; value: string | number | null }

/** Returns the values of mapped fields for a participant, without the fields that stay as they are. */
export const mappedValues = <M extends MappedSource & Pick<FieldMapping, 'field_type'>>(
  mappings: readonly M[],
  run: MappedRun,
): MappedValue<M>[] =>
  mappings.flatMap((mapping) =>
    mappedValue({ ...mapping, field_type: 'text' }, run) === null
      ? []
      : [{ mapping, value: mappedValue(mapping, run) }],
  )

type QuizFieldNames = Parameters<typeof fieldNameOf>[1] & { parameters: readonly string[] }

/** Field of a tool that a mapping cannot use, with the French reason. */
export type UsedField = { name: string; reason: string }

/** Lists the fields of a tool that receive contact data, the result or a URL parameter of the quiz. */
export const usedFieldsOf = (provider: ProviderName, quiz: QuizFieldNames): UsedField[] => [
  ...CONTACT_ROLES.flatMap((role) =>
    NATIVE_FIELDS[provider][role].map((name) => ({
      name,
      reason: `Ce champ reçoit la coordonnée « ${CONTACT_ROLE_LABELS[role]} ».`,
    })),
  ),
  { name: fieldNameOf(provider, quiz), reason: 'Ce champ reçoit déjà le résultat.' },
  ...[...UTM_NAMES, ...quiz.parameters].map((parameter) => ({
    name: parameterFieldOf(provider, parameter),
    reason: `Ce champ est réservé au paramètre « ${parameter} ».`,
  })),
]

/** Returns a name in the form of the keys that tools derive from names, so that both can be compared. */
const comparable = (name: string): string =>
  normalizeText(name, 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('_')

/** Returns true if two names or keys mean one field, as the tools compare them. */
export const isSameField = (first: string, second: string): boolean =>
  first.toLowerCase() === second.toLowerCase() ||
  (comparable(first) !== '' && comparable(first) === comparable(second))

/** Returns the reason why a mapping cannot use a field with one of these names; undefined if it can. */
export const usedFieldReason = (
  used: readonly UsedField[],
  names: readonly string[],
): string | undefined =>
  used.find((field) => names.some((name) => isSameField(field.name, name)))?.reason

/** Message of a mapping whose question is neither in the draft nor in the published version. */
export const QUESTION_DELETED = 'La question a été supprimée'
/** Message of a mapping whose dimension is neither in the draft nor in the published version. */
export const DIMENSION_DELETED = 'La dimension a été supprimée'
/** French error for a mapping of the participant's page in a quiz without such pages. */
export const NO_OWN_PAGES =
  'Ce questionnaire ne garde pas de page du participant : rien n’est envoyé dans ce champ.'
/** French error for a mapping of the second consent in a quiz that does not ask for it. */
export const NO_MEASURE =
  'Ce questionnaire ne demande pas d’accord pour la mesure : rien n’est envoyé dans ce champ.'
/** Message of a mapping whose dimension is only in the published version. */
export const DIMENSION_DELETED_IN_DRAFT =
  'La dimension a été supprimée du brouillon : son pourcentage n’est plus envoyé dès la prochaine publication.'
/** Message of a mapping whose question is only in the published version. */
export const QUESTION_DELETED_IN_DRAFT =
  'La question a été supprimée du brouillon : sa réponse n’est plus envoyée dès la prochaine publication.'

const REFUSALS: Record<string, string> = {
  field_of_another_type: 'ce champ y est d’un autre type',
  field_used: 'ce champ reçoit déjà une autre valeur',
  result_field_refused: 'ce nom n’y est pas accepté, ou votre offre ne permet pas plus de champs',
}

/** Returns the French sentence about a field that the tool refuses. */
export const fieldRefusal = (provider: ProviderName, code: string): string =>
  `${PROVIDER_LABELS[provider]} refuse ce champ : ${REFUSALS[code] ?? 'le champ n’a pas été accepté'}. Le reste est envoyé.`

/** French names of the values that fields of each type expect. */
export const EXPECTED_VALUES: Record<FieldType, string> = {
  text: 'un texte',
  number: 'un nombre',
  date: 'une date',
  boolean: '« oui » ou « non »',
  list: 'une valeur de sa liste',
}

/** Returns the French reason why a field of this type cannot receive a value. */
export const typeRefusal = (type: FieldType): string =>
  `Ce champ attend ${EXPECTED_VALUES[type]} : choisissez une autre valeur ou un champ de texte.`

/** French names of the values of the second consent. */
export const MEASURE_LABELS = {
  measure: 'Mesure des ouvertures acceptée',
  measure_day: 'Date de l’accord pour la mesure',
} as const

/** Returns the French name of the value that a field receives. A deleted question or dimension has no name. */
export const sourceLabel = (
  source: MappingSource,
  question_name: string | undefined,
  dimension?: { name: string } | undefined,
): string => {
  if (source === 'dimension')
    return dimension ? `Dimension « ${dimension.name} » (%)` : 'Dimension supprimée'
  if (source === 'score') return 'Score total'
  if (source === 'result') return 'Résultat'
  if (source === 'own_page') return 'Page du participant'
  if (source === 'measure') return MEASURE_LABELS.measure
  if (source === 'measure_day') return MEASURE_LABELS.measure_day
  return question_name === undefined
    ? 'Réponse à une question supprimée'
    : `Réponse à « ${question_name} »`
}
