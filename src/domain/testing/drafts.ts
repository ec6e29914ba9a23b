import fc from 'fast-check'
import {
  ADDRESS_FORMS,
  CONTACT_ROLES,
  CORRECTION_MOMENTS,
  FONTS,
  QUESTION_TYPES,
  QUIZ_MODES,
  QUIZ_TYPES,
  REPORTS,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  TIE_RULES,
  UNPUBLISHED,
} from '#domain/common/vocabulary.ts'
import {
  ACCESS_DEFAULTS,
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  TIE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import {
  type Answer,
  type Draft,
  isChoice,
  type Question,
  type Quiz,
  type Result,
  type TextBlock,
} from '#domain/questionnaire/quiz.ts'
import { dimensionParts, withDimensions } from './draft-dimensions.ts'

export { dimensionOf, textVariantOf, tierOf } from './draft-dimensions.ts'

/** Builders of drafts for tests: `questionOf` and similar functions build by hand, `drafts` at random. */

/** Ids of two images of 1,600 by 1,200 pixels. */
export const IMAGE_IDS = [
  '6404b0c8-5c3a-8000-8000-000000000001',
  '6404b0c8-5c3a-8000-8000-000000000002',
] as const

/** Returns a quiz with defaults. */
export const quizOf = (more: Partial<Quiz> = {}): Quiz => ({
  id: 'quiz',
  name: 'Quel rythme ?',
  type: 'quiz',
  status: UNPUBLISHED,
  nb_responses: 0,
  folder_id: null,
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
  kit_custom_field: null,
  brevo_attribute_name: null,
  consent_mode: 'box',
  consent_text: null,
  sender_name: null,
  measure_consent: false,
  measure_text: null,
  ...PAGE_DEFAULTS,
  ...ACCESS_DEFAULTS,
  ...TIE_DEFAULTS,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
})

/** Returns a result with defaults; its name is its id. */
export const resultOf = (id: string, more: Partial<Result> = {}): Result => ({
  id,
  quiz_id: 'quiz',
  name: id,
  description: null,
  priority_order: 0,
  min_score: null,
  max_score: null,
  ...ENDING_DEFAULTS,
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
})

/** Returns an answer with defaults. `counts_for` holds the weights of its checked associations by result id. */
export const answerOf = (
  id: string,
  { counts_for = {}, ...more }: Partial<Answer> & { counts_for?: Record<string, number> } = {},
): Answer => ({
  id,
  question_id: '',
  text: id,
  score: null,
  position: 0,
  ...ANSWER_DEFAULTS,
  associations: Object.entries(counts_for).map(([result_id, weight]) => ({
    id: `${id} ${result_id}`,
    answer_id: id,
    result_id,
    weight,
    is_checked: true,
  })),
  ...more,
})

/** Returns the answer with all associations unchecked. */
export const uncheckAssociations = (answer: Answer): Answer => ({
  ...answer,
  associations: answer.associations.map((link) => ({ ...link, is_checked: false })),
})

/** Returns a multiple-choice question with defaults; its answers get their positions. */
export const questionOf = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  quiz_id: 'quiz',
  text: `${id} ?`,
  type: 'multiple_choice',
  position: 0,
  global_position: 0,
  page_number: 1,
  ...QUESTION_DEFAULTS,
  ...more,
  answers: (more.answers ?? []).map((answer, position) => ({
    ...answer,
    question_id: id,
    position,
  })),
})

/** Returns a text block with defaults; its text is its id. */
export const textBlockOf = (id: string, more: Partial<TextBlock> = {}): TextBlock => ({
  id,
  quiz_id: 'quiz',
  content: id,
  global_position: 0,
  page_number: 1,
  ...more,
})

/** Returns a draft with defaults. */
export const draftOf = (more: Partial<Draft> = {}): Draft => ({
  quiz: quizOf(),
  quiz_mode: null,
  questions: [],
  text_blocks: [],
  results: [],
  dimensions: [],
  text_variants: [],
  ...more,
})

const page_number = fc.integer({ min: 1, max: 4 })
const score = fc.option(fc.integer({ min: -5, max: 20 }))
const bound = fc.option(fc.integer({ min: 0, max: 30 }))

const picture = fc.record({
  image_id: fc.option(fc.constantFrom(...IMAGE_IDS)),
  image_alt: fc.option(fc.constantFrom('', 'Une tasse')),
})
const words = fc.option(fc.string({ maxLength: 4 }))

const options = fc.record({
  help: words,
  is_required: fc.boolean(),
  max_choices: fc.constantFrom(1, 2, null),
  has_other: fc.boolean(),
  shuffles_answers: fc.boolean(),
  scale_min: fc.constantFrom(...SCALE_MINIMA),
  scale_max: fc.constantFrom(...SCALE_MAXIMA),
  scale_max_label: words,
  counts_in_score: fc.boolean(),
  shows_recommendation: fc.boolean(),
  contact_role: fc.constantFrom(...CONTACT_ROLES, null),
  explanation: words,
  all_or_nothing: fc.boolean(),
  continues_grid: fc.boolean(),
  grid_title: words,
})
/** Page number, the end, a deleted page or the following page. */
const jump_to = fc.option(fc.integer({ min: -1, max: 5 }))

const results = fc.array(
  fc
    .tuple(fc.record({ min_score: bound, max_score: bound, button_text: words }), picture)
    .map(([more, pictured]) => ({ ...more, ...pictured })),
  { maxLength: 4 },
)
const page = fc.record({
  welcome_title: words,
  end_text: words,
  shows_detail: fc.boolean(),
  font: fc.constantFrom(...FONTS),
  shows_corrections: fc.constantFrom(...CORRECTION_MOMENTS),
  report: fc.constantFrom(...REPORTS),
  certificate_percent: fc.option(fc.integer({ min: 0, max: 100 })),
  certificate_title: words,
  certificate_text: words,
  certificate_issuer: words,
  auto_advance: fc.boolean(),
  address_form: fc.constantFrom(...ADDRESS_FORMS),
  next_label: words,
  share_label: words,
  tie_rule: fc.constantFrom(...TIE_RULES),
})

/** Random drafts with up to six questions and three blocks on four pages, up to four results and three dimensions. */
export const drafts: fc.Arbitrary<Draft> = fc
  .record({
    type: fc.constantFrom(...QUIZ_TYPES),
    quiz_mode: fc.constantFrom(null, ...QUIZ_MODES),
    page,
    tied: fc.option(fc.nat(8)),
    results,
    items: fc.array(
      fc.record({
        isQuestion: fc.boolean(),
        type: fc.constantFrom(...QUESTION_TYPES),
        text: fc.string({ maxLength: 8 }),
        pictured: picture,
        options,
        page_number,
        answers: fc.array(
          fc.record({
            text: fc.string({ maxLength: 4 }),
            pictured: picture,
            score,
            jump_to,
            is_correct: fc.boolean(),
            links: fc.array(
              fc.option(
                fc.record({ weight: fc.integer({ min: 0, max: 3 }), is_checked: fc.boolean() }),
              ),
              { maxLength: 4 },
            ),
          }),
          { maxLength: 4 },
        ),
      }),
      { maxLength: 9 },
    ),
    parts: dimensionParts,
  })
  .map(({ type, quiz_mode, page, tied, results, items, parts }) => {
    const list = results.map((bounds, rank) =>
      resultOf(`r${rank}`, { ...bounds, priority_order: rank }),
    )
    const draft = draftOf({ quiz: quizOf({ type, ...page }), quiz_mode, results: list })
    for (const [global_position, item] of items.entries()) {
      const place = { global_position, page_number: item.page_number }
      const id = `i${global_position}`
      if (!item.isQuestion) {
        draft.text_blocks.push(textBlockOf(id, { content: item.text, ...place }))
        continue
      }
      const answers = item.answers.map(({ text, pictured, links, ...more }, rank) => {
        const answer_id = `${id}a${rank}`
        const associations = links.flatMap((link, index) => {
          const result_id = list[index]?.id
          return link && result_id
            ? [{ id: `${answer_id} ${result_id}`, answer_id, result_id, ...link }]
            : []
        })
        return answerOf(answer_id, { text, associations, ...more, ...pictured })
      })
      const position = draft.questions.length
      const { type, text, pictured, options } = item
      const more = { ...place, ...pictured, ...options }
      draft.questions.push(questionOf(id, { type, text, position, answers, ...more }))
    }
    // The number often belongs to another item or to none.
    draft.quiz.tie_question_id =
      draft.questions.filter(isChoice).find(({ id }) => id === `i${tied}`)?.id ?? null
    return withDimensions(draft, parts)
  })
