import { excerpt, isBlankText, trimText } from '#domain/common/text.ts'
import type { VariantPlace } from '#domain/common/vocabulary.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { TEXT_VARIANT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { type Draft, isChoice, isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'

/** Kind of a condition. */
export type ConditionKind = Condition['kind']

/** French names of the kinds of conditions, in the order of the menu. */
export const KIND_LABELS: Record<ConditionKind, string> = {
  answer_chosen: 'Réponse choisie',
  answer_not_chosen: 'Réponse non choisie',
  scale_at_least: 'Échelle au moins',
  scale_at_most: 'Échelle au plus',
  total_between: 'Total entre',
  dimension_tier: 'Palier d’une dimension',
  dimensions_equal: 'Toutes les dimensions sont égales',
  result: 'Résultat',
}
/** French names of the two ways to join conditions, which follow « Montrer si ». */
export const JOIN_LABELS = TEXT_VARIANT_FIELDS.joined_by.names

/** Returns the French name of a place of conditional texts. */
export const placeLabel = (place: VariantPlace, quiz: Draft['quiz']): string =>
  place === 'mail' && isSondage(quiz)
    ? 'Dans l’email aux participants'
    : TEXT_VARIANT_FIELDS.place.names[place]

const KINDS = Object.keys(KIND_LABELS) as ConditionKind[]

/** Choice of a select. */
export type Choice = { value: string; label: string }

const answersIn = ({ answers }: Question): Question['answers'] =>
  answers.filter(({ text }) => !isBlankText(text))

/** Returns the questions to which a condition of this kind can refer. */
const questionsFor = (kind: ConditionKind, { questions }: Draft): Question[] =>
  kind.startsWith('scale_')
    ? questions.filter(({ type }) => type === 'scale')
    : questions.filter((question) => isChoice(question) && answersIn(question).length > 0)

/**
 * Returns a condition of this kind on the first possible row of the draft; undefined if no row is possible. Parts of
 * `before` that fit are kept.
 */
export const conditionOf = (
  kind: ConditionKind,
  draft: Draft,
  before?: Condition,
): Condition | undefined => {
  const isScore = !isSondage(draft.quiz) && draft.quiz_mode === 'score'
  const question_id = before && 'question_id' in before ? before.question_id : undefined
  switch (kind) {
    case 'answer_chosen':
    case 'answer_not_chosen': {
      const all = questionsFor(kind, draft)
      const question = all.find(({ id }) => id === question_id) ?? all[0]
      const answers = question ? answersIn(question) : []
      const named = before && 'answer_id' in before ? before.answer_id : undefined
      const answer = answers.find(({ id }) => id === named) ?? answers[0]
      return question && answer && { kind, question_id: question.id, answer_id: answer.id }
    }
    case 'scale_at_least':
    case 'scale_at_most': {
      const all = questionsFor(kind, draft)
      const question = all.find(({ id }) => id === question_id) ?? all[0]
      if (!question) return undefined
      const { from, to } = scaleOf(question)
      const number = before && 'number' in before ? before.number : to
      return { kind, question_id: question.id, number: Math.min(Math.max(number, from), to) }
    }
    case 'total_between':
      return isScore ? { kind, from: null, to: null } : undefined
    case 'dimension_tier': {
      const dimension = draft.dimensions.find(({ tiers }) => tiers.length > 0)
      const [tier] = dimension?.tiers ?? []
      return isScore && dimension && tier
        ? { kind, dimension_id: dimension.id, tier_id: tier.id }
        : undefined
    }
    case 'dimensions_equal':
      return isScore && draft.dimensions.length > 1 ? { kind } : undefined
    case 'result': {
      const [result] = draft.results
      return !isSondage(draft.quiz) && result ? { kind, result_id: result.id } : undefined
    }
  }
}

/** Returns the kinds of conditions that this draft allows. */
export const possibleKinds = (draft: Draft): ConditionKind[] =>
  KINDS.filter((kind) => conditionOf(kind, draft) !== undefined)

/** Returns the first possible condition as a list; empty if no condition is possible. */
export const firstCondition = (draft: Draft): Condition[] => {
  const [kind] = possibleKinds(draft)
  const condition = kind && conditionOf(kind, draft)
  return condition ? [condition] : []
}

const numbered = (
  questions: readonly Question[],
  question: Question,
  numbers: ReadonlyMap<string, number>,
): string => {
  const text = trimText(questionText(questions, question))
  return `Question ${numbers.get(question.id)}${text && ` – ${text}`}`
}

/** Returns the choices of a select, with the current value if it refers to something that was deleted. */
export const withCurrent = (choices: Choice[], value: string, missing: string): Choice[] =>
  choices.some((choice) => choice.value === value)
    ? choices
    : [{ value, label: missing }, ...choices]

/** Prefix of the value of a place on one result; the id of the result follows. */
export const RESULT_PLACE = 'result:'

/** Returns the places that a text of this draft can have. The value of a result has its id. */
export const placeChoices = ({ quiz, results }: Draft): Choice[] => {
  const choiceOf = (value: 'end' | 'mail' | 'every_result'): Choice => ({
    value,
    label: placeLabel(value, quiz),
  })
  return isSondage(quiz)
    ? [choiceOf('end'), choiceOf('mail')]
    : [
        choiceOf('every_result'),
        ...results.map(({ id, name }) => ({
          value: `${RESULT_PLACE}${id}`,
          label: `Sur le résultat « ${name} »`,
        })),
        choiceOf('mail'),
      ]
}

/** Returns the choices of the questions for a kind of condition. */
export const questionChoices = (kind: ConditionKind, draft: Draft): Choice[] => {
  const numbers = numbersOf(draft)
  return questionsFor(kind, draft).map((question) => ({
    value: question.id,
    label: numbered(draft.questions, question, numbers),
  }))
}

/** Returns the choices of the answers of a question; empty for a deleted question. */
export const answerChoices = (question_id: string, { questions }: Draft): Choice[] => {
  const question = questions.find(({ id }) => id === question_id)
  return question ? answersIn(question).map(({ id, text }) => ({ value: id, label: text })) : []
}

const EXCERPT = 40
const quoted = (text: string | undefined, missing: string): string =>
  text === undefined ? missing : `« ${excerpt(text.trim(), EXCERPT)} »`

/** Returns a condition as a French clause, such as « Oui » choisie à la question 2. */
export const conditionClause = (
  condition: Condition,
  draft: Draft,
  numbers: ReadonlyMap<string, number>,
): string => {
  const question_number =
    'question_id' in condition ? numbers.get(condition.question_id) : undefined
  const question =
    question_number === undefined ? 'une question supprimée' : `la question ${question_number}`
  switch (condition.kind) {
    case 'answer_chosen':
    case 'answer_not_chosen': {
      const { question_id, answer_id, kind } = condition
      const answers = draft.questions.find(({ id }) => id === question_id)?.answers
      const answer = answers?.find(({ id }) => id === answer_id)?.text
      const verb = kind === 'answer_chosen' ? 'choisie' : 'non choisie'
      return `${quoted(answer, 'réponse supprimée')} ${verb} à ${question}`
    }
    case 'scale_at_least':
      return `au moins ${condition.number} à ${question}`
    case 'scale_at_most':
      return `au plus ${condition.number} à ${question}`
    case 'total_between': {
      const { from, to } = condition
      if (from === null) return to === null ? 'total à préciser' : `total d’au plus ${to}`
      return to === null ? `total d’au moins ${from}` : `total de ${from} à ${to}`
    }
    case 'dimension_tier': {
      const dimension = draft.dimensions.find(({ id }) => id === condition.dimension_id)
      const tier = dimension?.tiers.find(({ id }) => id === condition.tier_id)
      return `${quoted(dimension?.name, 'dimension supprimée')} au palier ${quoted(tier?.title, 'supprimé')}`
    }
    case 'dimensions_equal':
      return 'toutes les dimensions sont égales'
    case 'result': {
      const name = draft.results.find(({ id }) => id === condition.result_id)?.name
      return `résultat ${quoted(name, 'supprimé')}`
    }
  }
}

/** Returns the conditions of a text as one French clause. */
export const conditionsClause = (
  { conditions, joined_by }: Pick<TextVariant, 'conditions' | 'joined_by'>,
  draft: Draft,
): string => {
  if (conditions.length === 0) return 'Sans condition'
  const numbers = numbersOf(draft)
  return `Si ${conditions
    .map((condition) => conditionClause(condition, draft, numbers))
    .join(joined_by === 'or' ? ' ou ' : ' et ')}`
}
