import { OPENING_NAMES } from '#domain/editing/draft-fields.ts'
import { namesOf } from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  COLOR_FIELDS,
  OPENING_FIELDS,
  TIE_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  DIMENSION_FIELDS,
  ENDING_FIELDS,
  RESULT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import { COLOR_NAMES } from '#domain/questionnaire/look/colors.ts'
import {
  type Draft,
  type QuizPage,
  type QuizTies,
  quizNoun,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { isWelcomeOrEndFilled } from '#domain/questionnaire/used-settings.ts'
import {
  boundId,
  colorFieldId,
  dimensionFieldId,
  fieldId,
  imageAltId,
  NAME_FIELD_ID,
  pageFieldId,
  pageHeadingId,
  resultFieldId,
  resultNameId,
  textVariantTarget,
  thresholdId,
} from '#web/editor/fields/field-ids.ts'
import { LINK_FIELDS } from '#web/editor/results/results-reducer.ts'
import {
  describeAnswers,
  describeOption,
  describeSharedSettings,
  quoted,
} from './describe-questions.ts'
import {
  type ChangeTarget,
  describeRows,
  type RevertedChange,
  removedChange,
  restoredChange,
} from './describe-rows.ts'

const PAGE_NAMES = namesOf(PAGE_FIELDS)

type ShownDraft = Draft & { page_count?: number }

/**
 * Describes the change made by an undo or a redo; null when nothing visible has changed. A text is described rather
 * than the short name that its insertion gave to a question.
 */
export const describeRevertedChange = (
  before: ShownDraft,
  after: ShownDraft,
): RevertedChange | null =>
  describeChange(withLabelsOf(before, after), after) ?? describeChange(before, after)

const withLabelsOf = (before: ShownDraft, after: ShownDraft): ShownDraft => {
  const labels = new Map(after.questions.map(({ id, label }) => [id, label]))
  return {
    ...before,
    questions: before.questions.map((question) => ({
      ...question,
      label: labels.get(question.id) ?? null,
    })),
  }
}

const describeChange = (before: ShownDraft, after: ShownDraft): RevertedChange | null => {
  if (before.quiz.name !== after.quiz.name)
    return restoredChange(`nom du ${quizNoun(after.quiz)}`, {
      step: null,
      field_ids: [NAME_FIELD_ID],
    })
  if (before.quiz.type !== after.quiz.type)
    return restoredChange('type du questionnaire', { step: null, field_ids: [] })
  const color = COLOR_NAMES.find((name) => before.quiz[name] !== after.quiz[name])
  if (color)
    return restoredChange(COLOR_FIELDS[color].label.toLowerCase(), {
      step: 'settings',
      field_ids: [colorFieldId(color)],
    })
  const opening = OPENING_NAMES.find((name) => before.quiz[name] !== after.quiz[name])
  if (opening)
    return restoredChange(OPENING_FIELDS[opening].label.toLowerCase(), {
      step: 'settings',
      field_ids: [pageFieldId(opening)],
    })
  if (haveOnlyOtherDescriptions(before, after))
    return restoredChange('descriptions des images', { step: null, field_ids: [] })
  const page = PAGE_NAMES.find((name) => before.quiz[name] !== after.quiz[name])
  if (page)
    return restoredChange(
      PAGE_FIELDS[page].label.toLowerCase(),
      targetOfPageField(page, after.quiz),
    )
  return (
    // A deleted dimension also changes its questions.
    describeDimensions(before, after) ??
    describeSharedSettings(before.questions, after.questions) ??
    describeRows(before.questions, after.questions, {
      rowName: ({ text }) => `question ${quoted(text, 'sans texte')}`,
      groupName: ({ grid_title }) => grid_title && `grille ${quoted(grid_title, 'sans titre')}`,
      orderName: 'ordre des questions',
      place: ({ id }) => ({ step: 'questions', field_ids: [fieldId(id)] }),
      describeFieldChange: (old, now) => describeOption(old, now) ?? describeAnswers(old, now),
    }) ??
    describeRows(before.text_blocks, after.text_blocks, {
      rowName: ({ content }) => `bloc de texte ${quoted(content, 'vide')}`,
      orderName: 'ordre des blocs de texte',
      place: ({ id }) => ({ step: 'questions', field_ids: [fieldId(id)] }),
    }) ??
    describeCopiedLinks(before.results, after.results) ??
    describeRows(before.results, after.results, {
      rowName: ({ name }) => `résultat ${quoted(name, 'sans nom')}`,
      orderName: 'ordre des résultats',
      place: ({ id }) => ({ step: 'results', field_ids: [resultNameId(id)] }),
      describeFieldChange: describeResult,
    }) ??
    describeConditionalTexts(before, after) ??
    describePages(before.page_count ?? 0, after.page_count ?? 0) ??
    (before.quiz_mode === after.quiz_mode
      ? null
      : restoredChange('mode de calcul', { step: 'questions', field_ids: [] })) ??
    describeTies(before.quiz, after.quiz)
  )
}

/** Returns true if the drafts differ in the descriptions of several images, and in nothing else. */
const haveOnlyOtherDescriptions = (before: Draft, after: Draft): boolean => {
  const descriptions = ({ quiz, questions, results }: Draft): (string | null)[] => [
    quiz.welcome_image_alt,
    ...[...questions, ...results].map(({ image_alt }) => image_alt),
  ]
  const old = descriptions(before)
  const nb_changed = descriptions(after).filter((alt, index) => alt !== old[index]).length
  const withoutDescriptions = (draft: Draft): string =>
    JSON.stringify(draft, (key, value) => (key.endsWith('image_alt') ? undefined : value))
  return nb_changed > 1 && withoutDescriptions(before) === withoutDescriptions(after)
}

/**
 * Describes a change of the tie rule. A tie question that returns together with its question is described as
 * the question.
 */
const describeTies = (before: QuizTies, after: QuizTies): RevertedChange | null => {
  const field_ids = [pageFieldId(`tie_rule-${after.tie_rule}`)]
  const step = 'results'
  if (before.tie_rule !== after.tie_rule)
    return restoredChange(TIE_FIELDS.tie_rule.label.toLowerCase(), { step, field_ids })
  if (before.tie_question_id === after.tie_question_id) return null
  field_ids.unshift(pageFieldId('tie_question_id'))
  return restoredChange(TIE_FIELDS.tie_question_id.label.toLowerCase(), { step, field_ids })
}

/** Returns where a field of `QuizPage` is shown: with the questions, the results or the settings. */
const targetOfPageField = (name: keyof QuizPage, quiz: QuizPage): ChangeTarget => {
  const { part, step = 'settings' } = PAGE_FIELDS[name]
  const field_ids = [pageFieldId(name)]
  if (part === 'welcome' || part === 'end') {
    if (name === 'welcome_image_alt') field_ids.push(pageFieldId('welcome_image_id'))
    // An empty welcome or end screen shows only its button, so the card is a second target.
    if (!isWelcomeOrEndFilled(quiz, part)) field_ids.push(pageFieldId(part))
  }
  return { step, field_ids }
}

const RESULT_NAMES = ['description', ...namesOf(ENDING_FIELDS)] as const

/**
 * Describes a change of a result. Bounds are shown on the questions step, other fields on the results step.
 */
const describeResult = (old: Result, now: Result): RevertedChange | null => {
  const { id, name } = now
  const ofResult = (what: string): string => `${what} de ${quoted(name, 'ce résultat')}`
  if (old.min_score !== now.min_score || old.max_score !== now.max_score)
    return restoredChange(ofResult('palier'), {
      step: 'questions',
      field_ids: [boundId('minimum', id), thresholdId(id)],
    })
  const field =
    old.name === name
      ? RESULT_NAMES.find((field_name) => old[field_name] !== now[field_name])
      : undefined
  if (!field) return null
  // A removed picture has no description field, so further targets follow.
  const field_ids =
    field === 'image_alt'
      ? [imageAltId(id), resultFieldId(id, 'image_id'), resultNameId(id)]
      : [resultFieldId(id, field), resultNameId(id)]
  return restoredChange(ofResult(RESULT_FIELDS[field].label.toLowerCase()), {
    step: 'results',
    field_ids,
  })
}

/** Describes a change of the dimensions. */
const describeDimensions = (before: Draft, after: Draft): RevertedChange | null =>
  describeRows(before.dimensions, after.dimensions, {
    rowName: ({ name }) => `dimension ${quoted(name, 'sans nom')}`,
    orderName: 'ordre des dimensions',
    place: ({ id }) => ({ step: 'results', field_ids: [dimensionFieldId(id, 'name')] }),
    describeFieldChange: (old, now) => {
      const field = old.tiers === now.tiers ? 'description' : 'tiers'
      if (old.name !== now.name) return null
      return restoredChange(
        DIMENSION_FIELDS[field].label
          .toLowerCase()
          .concat(` de ${quoted(now.name, 'cette dimension')}`),
        {
          step: 'results',
          field_ids: [dimensionFieldId(now.id, field), dimensionFieldId(now.id, 'name')],
        },
      )
    },
  })

/** Describes a change of the button or the redirection of several results, which one action copies to all. */
const describeCopiedLinks = (
  before: readonly Result[],
  after: readonly Result[],
): RevertedChange | null => {
  const olds = new Map(before.map((result) => [result.id, result]))
  const changed = after.flatMap((result) => {
    const old = olds.get(result.id) ?? result
    const field = LINK_FIELDS.find((name) => old[name] !== result[name])
    return field ? [resultFieldId(result.id, field)] : []
  })
  if (changed.length < 2) return null
  const what = `bouton et redirection de ${changed.length} résultats`
  return restoredChange(what, { step: 'results', field_ids: changed.slice(0, 1) })
}

/** Describes a change of the conditional texts. */
const describeConditionalTexts = (before: Draft, after: Draft): RevertedChange | null =>
  describeRows(before.text_variants, after.text_variants, {
    rowName: ({ text }) => `texte conditionnel ${quoted(text, 'vide')}`,
    orderName: 'ordre des textes conditionnels',
    place: ({ id }) => textVariantTarget({ id, field: 'text' }, after.quiz),
  })

/** Describes an added or removed empty page, which only the page count shows. */
const describePages = (before: number, after: number): RevertedChange | null => {
  const place = (number: number): ChangeTarget => ({
    step: 'questions',
    field_ids: [pageHeadingId(number)],
  })
  if (after > before) return restoredChange(`page ${after}`, place(after))
  return after < before ? removedChange(`page ${before}`, place(after)) : null
}
