import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'

type AnySnapshot = Snapshot | RichSnapshot
type Names<Row> = readonly (Row extends unknown ? keyof Row : never)[]

/** Fields of a version that visitors may see. A field that is not listed here appears in no public answer. */
const PUBLIC_FIELDS = {
  snapshot: [
    ...(['quiz', 'questions', 'text_blocks', 'results', 'dimensions', 'text_variants'] as const),
    ...(['dimension_rule', 'quiz_mode', 'totals'] as const),
  ],
  quiz: [
    ...(['name', 'type', 'status'] as const),
    ...(['bg_color', 'text_color', 'button_color', 'button_text_color', 'accent_color'] as const),
    ...(['welcome_title', 'welcome_text', 'welcome_button', 'welcome_image_id'] as const),
    ...(['welcome_image_alt', 'end_title', 'end_text', 'end_button_text'] as const),
    ...(['end_button_url', 'shows_detail', 'dimension_chart', 'allows_restart', 'font'] as const),
    ...(['corners', 'logo_image_id', 'background_image_id', 'shows_corrections'] as const),
    ...(['report', 'certificate_percent', 'certificate_title', 'certificate_text'] as const),
    ...(['certificate_issuer', 'auto_advance', 'address_form', 'next_label'] as const),
    ...(['back_label', 'finish_label'] as const),
    ...(['continue_label', 'restart_label', 'share_label', 'report_label'] as const),
    ...(['certificate_label', 'tie_rule', 'tie_question_id'] as const),
  ],
  question: [
    ...(['id', 'text', 'type', 'position', 'global_position', 'page_number'] as const),
    ...(['image_id', 'image_alt', 'label', 'help', 'help_text', 'is_required'] as const),
    ...(['contact_role', 'autocomplete', 'dimension_id', 'max_choices', 'has_other'] as const),
    ...(['shuffles_answers', 'scale_min', 'scale_max', 'scale_min_label'] as const),
    ...(['scale_max_label', 'counts_in_score', 'shows_recommendation', 'continues_grid'] as const),
    ...(['grid_title', 'answers', 'consent', 'phone'] as const),
  ],
  /** Further fields of a question whose right answers the page shows. */
  explained_question: ['explanation', 'explanation_text'],
  /** Further field of a question whose points depend on the right answers. */
  counted_question: ['all_or_nothing'],
  answer: [
    ...(['id', 'text', 'score', 'position', 'image_id', 'image_alt', 'jump_to'] as const),
    'associations',
  ],
  /** Further field of an answer if the page shows or counts the right answers of the question. */
  solved_answer: ['is_correct'],
  association: ['result_id', 'weight', 'is_checked'],
  consent: ['version', 'text'],
  phone: ['country', 'hint'],
  text_block: ['id', 'content', 'global_position', 'page_number'],
  result: [
    ...(['id', 'name', 'description', 'priority_order', 'min_score', 'max_score'] as const),
    ...(['image_id', 'image_alt', 'button_text', 'button_url', 'redirect_url'] as const),
  ],
  dimension: ['id', 'name', 'description', 'tiers'],
  tier: ['id', 'from_percent', 'to_percent', 'title', 'text'],
  text_variant: [
    ...(['id', 'place', 'result_id', 'joined_by', 'conditions', 'text'] as const),
    ...(['button_text', 'button_url'] as const),
  ],
  condition: [
    ...(['kind', 'question_id', 'answer_id', 'number', 'from', 'to'] as const),
    ...(['dimension_id', 'tier_id', 'result_id'] as const),
  ],
} satisfies {
  snapshot: Names<AnySnapshot>
  quiz: Names<AnySnapshot['quiz']>
  question: Names<AnySnapshot['questions'][number]>
  text_block: Names<AnySnapshot['text_blocks'][number]>
  result: Names<AnySnapshot['results'][number]>
} & Record<string, readonly string[]>

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
    ...(shown.phone && { phone: pick(shown.phone, PUBLIC_FIELDS.phone) }),
    answers: question.answers.map((answer) => ({
      ...pick(answer, PUBLIC_FIELDS.answer, isSolved ? PUBLIC_FIELDS.solved_answer : []),
      associations: answer.associations.map((one) => pick(one, PUBLIC_FIELDS.association)),
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
            conditions: variant.conditions.map((one) => pick(one, PUBLIC_FIELDS.condition)),
          }))
        : undefined,
  } as Version
}
