import { cutText, trimText } from '#domain/common/text.ts'
import type { ConditionJoin, VariantPlace } from '#domain/common/vocabulary.ts'
import type { DisplayedPosition } from '#domain/editing/merge-order.ts'
import type { ConflictLocation, EditConflict } from '#domain/editing/merge-rows.ts'
import type { Fields } from '#domain/questionnaire/fields/field.ts'
import type { Condition, DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { COLOR_FIELDS, SAVED_QUIZ_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_FIELDS,
  DIMENSION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
  TEXT_VARIANT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import { type Draft, JUMP_TO_END, JUMP_TO_NOWHERE, quizNoun } from '#domain/questionnaire/quiz.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import {
  conditionsClause,
  JOIN_LABELS,
  placeLabel,
} from '#web/editor/results/conditional-texts/conditions.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'

const MAX_NAME_LENGTH = 60

/** Fields of each kind of row. */
const FIELDS: Record<ConflictLocation['kind'], Fields> = {
  quiz: SAVED_QUIZ_FIELDS,
  result: RESULT_FIELDS,
  question: QUESTION_FIELDS,
  text_block: TEXT_BLOCK_FIELDS,
  dimension: DIMENSION_FIELDS,
  text_variant: TEXT_VARIANT_FIELDS,
  answer: ANSWER_FIELDS,
  association: {},
}
/** French names of the conflicts that are about no field of a record. */
const OTHER_LABELS: Record<string, string> = {
  place: 'Place',
  quiz_mode: 'Façon de calculer le résultat',
}

const labelOf = (kind: ConflictLocation['kind'], field: string): string =>
  FIELDS[kind][field]?.label ?? OTHER_LABELS[field] ?? field

const MODES: Record<string, string> = { score: 'Par score', profils: 'Par profils' }

/** Returns the French name of a field of a draft, with the name of its question, answer or result. */
export const conflictTitle = (at: ConflictLocation, draft: Draft): string => {
  const { kind, id = '', field, result_id } = at
  switch (kind) {
    case 'quiz':
      if (field === 'name') return `Nom du ${quizNoun(draft.quiz)}`
      return `${field in COLOR_FIELDS ? 'Couleur : ' : ''}${labelOf(kind, field)}`
    case 'result':
      return `${labelOf(kind, field)} du résultat ${quoted(draft.results.find((candidate) => candidate.id === id)?.name)}`
    case 'question':
      return `${labelOf(kind, field)} de la question ${numbersOf(draft).get(id) ?? ''}`
    case 'text_block':
      return `${labelOf(kind, field)} du bloc de texte ${numbersOf(draft).get(id) ?? ''}`
    case 'dimension':
      return `${labelOf(kind, field)} de la dimension ${quoted(draft.dimensions.find((dimension) => dimension.id === id)?.name)}`
    case 'text_variant':
      return `${labelOf(kind, field)} du texte conditionnel ${quoted(draft.text_variants.find((variant) => variant.id === id)?.text)}`
    case 'answer':
      return `${labelOf(kind, field)} de la réponse ${answerName(draft, id)}`
    case 'association': {
      const result = draft.results.find((candidate) => candidate.id === result_id)
      return `Réponse ${answerName(draft, id)} : compte pour ${quoted(result?.name)}`
    }
  }
}

/**
 * Returns one of the two values of a conflict as French text. The draft provides the names of referenced
 * questions.
 */
export const conflictValue = (
  { kind, id, field }: EditConflict,
  value: unknown,
  draft: Draft,
): string => {
  if (field === 'place' && isPlace(value)) {
    const rank = `position ${value.rank}`
    return value.page_number > 0 ? `Page ${value.page_number}, ${rank}` : `En ${rank}`
  }
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non'
  if (kind === 'quiz' && field === 'quiz_mode') return MODES[String(value)] ?? 'Pas encore choisie'
  if (field === 'max_choices') return value === null ? 'Sans limite' : `${value} au plus`
  if (field === 'max_responses' && value === null) return 'Sans limite'
  if (field === 'opens_at' || field === 'closes_at')
    return value === null ? 'Aucune' : formatNamedMoment(`${value}`, 'long')
  if (field === 'jump_to') return jumpInWords(value)
  if (field === 'dimension_id') return dimensionInWords(value, draft)
  if (field === 'tiers') return tiersInWords(value as DimensionTier[])
  if (field === 'place') return placeLabel(value as VariantPlace, draft.quiz)
  if (field === 'result_id')
    return value === null
      ? 'Aucun'
      : quoted(draft.results.find((result) => result.id === value)?.name)
  if (field === 'joined_by') return `Montrer si ${JOIN_LABELS[value as ConditionJoin]}`
  if (field === 'conditions') return conditionsInWords(value as Condition[], id, draft)
  if (field === 'tie_question_id') return questionInWords(value, draft)
  const record = FIELDS[kind][field]
  if (record?.kind === 'image') return value === null ? 'Aucune' : 'Une image'
  if (value === null || value === '') return '(vide)'
  const names: Readonly<Record<string, string>> | undefined =
    record?.kind === 'list' ? record.names : undefined
  return names?.[String(value)] ?? String(value)
}

const questionInWords = (id: unknown, draft: Draft): string => {
  const question = draft.questions.find((candidate) => candidate.id === id)
  if (!question) return id === null ? 'Aucune' : 'Une autre question'
  return `Question ${numbersOf(draft).get(question.id)} ${quoted(question.text)}`
}

const dimensionInWords = (id: unknown, { dimensions }: Draft): string =>
  id === null ? 'Aucune' : quoted(dimensions.find((dimension) => dimension.id === id)?.name)

const tiersInWords = (tiers: readonly DimensionTier[]): string =>
  tiers
    .map(({ title, from_percent, to_percent }) => `${title} ${from_percent}–${to_percent} %`.trim())
    .join(', ') || 'Aucun'

/** Returns conditions in words, joined as in the draft. */
const conditionsInWords = (
  conditions: Condition[],
  variant_id: string | undefined,
  draft: Draft,
): string => {
  const variant = draft.text_variants.find(({ id }) => id === variant_id)
  return conditionsClause({ conditions, joined_by: variant?.joined_by ?? 'and' }, draft)
}

const jumpInWords = (jump_to: unknown): string => {
  if (jump_to === null) return 'Page suivante'
  if (jump_to === JUMP_TO_END) return 'Fin du questionnaire'
  return jump_to === JUMP_TO_NOWHERE ? 'Page supprimée' : `Page ${jump_to}`
}

const isPlace = (value: unknown): value is DisplayedPosition =>
  typeof value === 'object' && value !== null && 'rank' in value

const quoted = (name = ''): string =>
  `« ${cutText(trimText(name), MAX_NAME_LENGTH) || 'sans nom'} »`

const answerName = ({ questions }: Draft, id: string): string =>
  quoted(questions.flatMap(({ answers }) => answers).find((answer) => answer.id === id)?.text)
