import { excerpt, isBlankText } from '#domain/common/text.ts'
import { roleInsertionNames } from '#domain/deliveries/mail-insertions.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { isChoice, isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import { conditionField, type TextVariant } from '#domain/questionnaire/text-variants.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { buttonErrors } from './button-check.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'
import { insertionAndLinkErrors } from './text-check.ts'

/**
 * Returns the errors of conditional texts. Each needs a text or button, a place that the questionnaire has, and only
 * conditions that refer to something.
 */
export const textVariantErrors = (draft: PublishCheckInput): PublishError[] => {
  const { text_variants, questions } = draft
  if (text_variants.length === 0) return []
  const byId = new Map(questions.map((question) => [question.id, question]))
  const roles = roleInsertionNames(
    questions.filter((question) => !isBlank({ kind: 'question', question })),
  )
  return text_variants.flatMap((variant) => {
    const { id, place, text, button_text, button_url } = variant
    const about = { text_variant_id: id }
    const name = (): string => nameVariant(variant)
    const end = { about, nb_labels: undefined, more_names: place === 'mail' ? roles : [] }
    return [
      ...placeErrors(variant, draft),
      ...conditionErrors(variant, (condition) => conditionFault(condition, draft, byId)),
      ...buttonErrors([button_text, button_url], {
        name: () => `Le bouton du texte ${calledOf(variant)}`,
        about,
        field: 'button',
      }),
      ...insertionAndLinkErrors(draft, [
        { ...end, text, name, about: { ...about, field: 'text' } },
        {
          ...end,
          text: button_url ?? '',
          is_plain: true,
          name: () => `L’adresse du bouton du texte ${calledOf(variant)}`,
          about: { ...about, field: 'button_url' },
        },
      ]),
    ]
  })
}

const calledOf = ({ text, position }: Pick<TextVariant, 'text' | 'position'>): string =>
  isBlankText(text)
    ? `conditionnel ${position + 1}`
    : `conditionnel « ${excerpt(text, EXCERPT_CHARACTERS)} »`
const nameVariant = (variant: TextVariant): string => `Le texte ${calledOf(variant)}`

const placeErrors = (variant: TextVariant, { quiz }: PublishCheckInput): PublishError[] => {
  const { id, place, text, button_text } = variant
  const errors: PublishError[] = []
  if (isBlankText(text) && isBlankText(button_text ?? ''))
    errors.push({
      message: `${nameVariant(variant)} est vide : écrivez-le, ou supprimez-le`,
      text_variant_id: id,
      field: 'text',
    })
  const isLacking = isSondage(quiz)
    ? place === 'result' || place === 'every_result'
    : place === 'end'
  if (isLacking)
    errors.push({
      message: `${nameVariant(variant)} est placé ${isSondage(quiz) ? 'sur un résultat, et un sondage n’en a pas' : 'à la fin d’un sondage, et ce quiz a des résultats'} : choisissez une autre place`,
      text_variant_id: id,
      field: 'place',
    })
  return errors
}

const conditionErrors = (
  variant: TextVariant,
  faultOf: (condition: Condition) => string | undefined,
): PublishError[] => {
  const { id, conditions } = variant
  if (conditions.length === 0)
    return [
      {
        message: `Ajoutez une condition au texte ${calledOf(variant)}`,
        text_variant_id: id,
        field: 'conditions',
      },
    ]
  return conditions.flatMap((condition, index) => {
    const fault = faultOf(condition)
    if (!fault) return []
    const which = conditions.length > 1 ? `la condition ${index + 1}` : 'la condition'
    const message = `${nameVariant(variant)} : ${which} ${fault}`
    return [{ message, text_variant_id: id, field: conditionField(index) }]
  })
}

/** Returns the end of a French sentence about a condition that can refer to nothing; undefined for other conditions. */
const conditionFault = (
  condition: Condition,
  { quiz, quiz_mode, results, dimensions }: PublishCheckInput,
  questions: ReadonlyMap<string, Question>,
): string | undefined => {
  const isScore = !isSondage(quiz) && quiz_mode === 'score'
  switch (condition.kind) {
    case 'answer_chosen':
    case 'answer_not_chosen': {
      const question = questions.get(condition.question_id)
      const fault = questionFault(question)
      if (fault || !question) return fault
      if (!isChoice(question)) return 'porte sur une question qui n’est pas à choix multiple'
      const answer = question.answers.find(({ id }) => id === condition.answer_id)
      if (!answer) return 'porte sur une réponse supprimée : choisissez-en une autre'
      return isBlankText(answer.text) ? 'porte sur une réponse vide' : undefined
    }
    case 'scale_at_least':
    case 'scale_at_most': {
      const question = questions.get(condition.question_id)
      const fault = questionFault(question)
      if (fault || !question) return fault
      if (question.type !== 'scale') return 'porte sur une question qui n’est pas une échelle'
      const { from, to } = scaleOf(question)
      const { number } = condition
      return number < from || number > to
        ? `porte sur le nombre ${number}, et l’échelle va de ${from} à ${to}`
        : undefined
    }
    case 'total_between': {
      const { from, to } = condition
      if (!isScore) return 'porte sur le total, qui n’existe que dans un quiz par score'
      if (from === null && to === null) return 'n’a pas de total : indiquez au moins une borne'
      return from !== null && to !== null && from > to
        ? `va d’un total de ${from} à ${to} : inversez les bornes`
        : undefined
    }
    case 'dimension_tier': {
      if (!isScore) return 'porte sur une dimension, qui n’existe que dans un quiz par score'
      const dimension = dimensions.find(({ id }) => id === condition.dimension_id)
      if (!dimension) return 'porte sur une dimension supprimée : choisissez-en une autre'
      if (dimension.tiers.length === 0)
        return 'porte sur une dimension sans palier : ajoutez-lui des paliers, ou changez la condition'
      return dimension.tiers.some(({ id }) => id === condition.tier_id)
        ? undefined
        : 'porte sur un palier supprimé : choisissez-en un autre'
    }
    case 'dimensions_equal':
      if (!isScore) return 'porte sur les dimensions, qui n’existent que dans un quiz par score'
      return dimensions.length === 0
        ? 'compare les dimensions, et ce quiz n’en a plus : changez la condition'
        : undefined
    case 'result':
      if (isSondage(quiz)) return 'porte sur un résultat, et un sondage n’en a pas'
      return results.some(({ id }) => id === condition.result_id)
        ? undefined
        : 'porte sur un résultat supprimé : choisissez-en un autre'
  }
}

const questionFault = (question: Question | undefined): string | undefined => {
  if (!question) return 'porte sur une question supprimée : choisissez-en une autre'
  return isBlank({ kind: 'question', question }) ? 'porte sur une question vide' : undefined
}
