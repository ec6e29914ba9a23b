import {
  type Field,
  type Fields,
  filterFields,
  namesOf,
} from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { COLOR_FIELDS, HEAD_FIELDS, TIE_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_FIELDS,
  DIMENSION_FIELDS,
  QUESTION_FIELDS,
  RESULT_FIELDS,
  TEXT_BLOCK_FIELDS,
  TEXT_VARIANT_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'

type AnySnapshot = Snapshot | RichSnapshot

/** Returns the names of the fields with one of these audiences. */
const shownTo = (fields: Fields, ...audiences: (Field['audience'] & string)[]): string[] =>
  namesOf(
    filterFields(fields, ({ audience }) => audience !== undefined && audiences.includes(audience)),
  )

/** Names of the fields of a row that every public answer may contain. */
const open = (fields: Fields): string[] => shownTo(fields, 'page', 'snapshot')

/**
 * Fields of a version that visitors may see: those of the records with an audience, and ids, places and sentences that
 * no record has. A field that is not listed here appears in no public answer.
 */
const PUBLIC_FIELDS = {
  snapshot: [
    ...(['quiz', 'questions', 'text_blocks', 'results', 'dimensions', 'text_variants'] as const),
    ...(['dimension_rule', 'quiz_mode', 'totals'] as const),
  ],
  quiz: ['status', ...open({ ...HEAD_FIELDS, ...COLOR_FIELDS, ...PAGE_FIELDS, ...TIE_FIELDS })],
  question: [
    ...(['id', 'type', 'position', 'global_position', 'page_number', 'answers'] as const),
    ...(['help_text', 'autocomplete', 'consent', 'measure', 'phone'] as const),
    ...open(QUESTION_FIELDS),
  ],
  /** Further fields of a question whose right answers the page shows. */
  explained_question: ['explanation_text', ...shownTo(QUESTION_FIELDS, 'explained')],
  /** Further field of a question whose points depend on the right answers. */
  counted_question: shownTo(QUESTION_FIELDS, 'counted'),
  answer: ['id', 'position', 'associations', ...open(ANSWER_FIELDS)],
  /** Further field of an answer if the page shows or counts the right answers of the question. */
  solved_answer: shownTo(ANSWER_FIELDS, 'solved'),
  association: ['result_id', 'weight', 'is_checked'],
  consent: ['version', 'text'],
  phone: ['country', 'hint'],
  text_block: ['id', 'global_position', 'page_number', ...open(TEXT_BLOCK_FIELDS)],
  result: ['id', 'priority_order', ...open(RESULT_FIELDS)],
  dimension: ['id', ...open(DIMENSION_FIELDS)],
  tier: ['id', 'from_percent', 'to_percent', 'title', 'text'],
  text_variant: ['id', ...open(TEXT_VARIANT_FIELDS)],
  condition: [
    ...(['kind', 'question_id', 'answer_id', 'number', 'from', 'to'] as const),
    ...(['dimension_id', 'tier_id', 'result_id'] as const),
  ],
} satisfies Record<string, readonly string[]>

/** Returns a row with the listed fields, in the order of the row. */
const pick = <Row extends object>(row: Row, ...lists: (readonly string[])[]): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => lists.some((list) => list.includes(name))),
  ) as Row

const publicQuestion = <Question extends AnySnapshot['questions'][number]>(
  question: Question,
  { is_counted, is_shown }: { is_counted: boolean; is_shown: boolean },
): Question => {
  const isSolved = is_counted || is_shown
  const shown = pick(
    question,
    PUBLIC_FIELDS.question,
    is_shown ? PUBLIC_FIELDS.explained_question : [],
    is_counted ? PUBLIC_FIELDS.counted_question : [],
  )
  return {
    ...shown,
    ...(shown.consent && { consent: pick(shown.consent, PUBLIC_FIELDS.consent) }),
    ...(shown.measure && { measure: pick(shown.measure, PUBLIC_FIELDS.consent) }),
    ...(shown.phone && { phone: pick(shown.phone, PUBLIC_FIELDS.phone) }),
    answers: question.answers.map((answer) => ({
      ...pick(answer, PUBLIC_FIELDS.answer, isSolved ? PUBLIC_FIELDS.solved_answer : []),
      associations: answer.associations.map((association) =>
        pick(association, PUBLIC_FIELDS.association),
      ),
    })),
  }
}

/**
 * Returns what visitors may see of a version (PUBLIC_FIELDS). Right answers and explanations are left out unless the page
 * shows corrections, or counts points for the right answers alone. Texts of mails are left out.
 */
export const publicSnapshot = <Version extends AnySnapshot>(snapshot: Version): Version => {
  const { quiz, quiz_mode, questions, text_blocks, results, dimensions, text_variants } = snapshot
  const isScore = quiz.type === 'quiz' && quiz_mode === 'score'
  const showsCorrections = (quiz.shows_corrections ?? 'never') !== 'never'
  const variants = text_variants?.filter(({ place }) => place !== 'mail') ?? []
  return {
    ...pick(snapshot, PUBLIC_FIELDS.snapshot),
    quiz: pick(quiz, PUBLIC_FIELDS.quiz),
    questions: questions.map((question) =>
      publicQuestion(question, {
        is_counted: isScore && question.all_or_nothing === true,
        is_shown: showsCorrections && question.answers.some(({ is_correct }) => is_correct),
      }),
    ),
    text_blocks: text_blocks.map((block) => pick(block, PUBLIC_FIELDS.text_block)),
    results: results.map((result) => pick(result, PUBLIC_FIELDS.result)),
    ...(dimensions && {
      dimensions: dimensions.map((dimension) => ({
        ...pick(dimension, PUBLIC_FIELDS.dimension),
        tiers: dimension.tiers.map((tier) => pick(tier, PUBLIC_FIELDS.tier)),
      })),
    }),
    text_variants:
      variants.length > 0
        ? variants.map((variant) => ({
            ...pick(variant, PUBLIC_FIELDS.text_variant),
            conditions: variant.conditions.map((condition) =>
              pick(condition, PUBLIC_FIELDS.condition),
            ),
          }))
        : undefined,
  } as Version
}
