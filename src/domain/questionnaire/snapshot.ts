import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import { isSameContent } from '#domain/common/same-content.ts'
import { isBlankText } from '#domain/common/text.ts'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { QuizColors, QuizPage } from '#domain/questionnaire/quiz.ts'
import { ANSWER_DEFAULTS, ENDING_DEFAULTS } from './defaults.ts'
import {
  DIMENSION_RULE,
  freezeDimension,
  type SnapshotDimension,
  usedDimensions,
} from './dimensions.ts'
import { groupIntoPages, type Item, itemsInOrder, type Page } from './pages.ts'
import {
  type Answer,
  type AnswerOptions,
  type Association,
  type Draft,
  isChoice,
  JUMP_TO_END,
  type Question,
  type QuestionOptions,
  type Quiz,
  type QuizTies,
  type Result,
  type TextBlock,
} from './quiz.ts'
import { freezeTextVariants, type SnapshotTextVariant } from './text-variants.ts'
import {
  type NonDefaultFields,
  nonDefaultFields,
  usedPageSettings,
  usedQuestionOptions,
} from './used-settings.ts'

/** Consent text with its version number; 0 in a preview. */
export type Consent = { version: number; text: string }

/** Country with which a phone question reads numbers without a country code, and the sentence that says so. */
export type PhoneNote = { country: PhoneCountry; hint: string }

type SnapshotAssociation = Pick<Association, 'result_id' | 'weight' | 'is_checked'>
/** Frozen answer. */
export type SnapshotAnswer = Pick<Answer, 'id' | 'text' | 'score' | 'position'> &
  NonDefaultFields<AnswerOptions> & { associations: SnapshotAssociation[] }
/** Frozen question. */
export type SnapshotQuestion = Pick<
  Question,
  'id' | 'text' | 'type' | 'position' | 'global_position' | 'page_number'
> &
  NonDefaultFields<QuestionOptions> & {
    answers: SnapshotAnswer[]
    /** Consent checkbox. Added when a page is served, because it depends on the quiz's current integrations. */
    consent?: Consent | undefined
    /** Checkbox of the second consent. Added when a page is served, as `consent` is. */
    measure?: Consent | undefined
    /** Country of the account. Added when a page is served, so that a change applies without a new publication. */
    phone?: PhoneNote | undefined
  }
/** Frozen text block. */
export type SnapshotTextBlock = Pick<
  TextBlock,
  'id' | 'content' | 'global_position' | 'page_number'
>
/** Frozen result. */
export type SnapshotResult = Pick<
  Result,
  'id' | 'name' | 'description' | 'priority_order' | 'min_score' | 'max_score'
> &
  NonDefaultFields<Pick<Result, keyof typeof ENDING_DEFAULTS>>

/** Content of previews and public pages (product 6.10). Lists are sorted. */
export type Snapshot = {
  quiz: Pick<Quiz, 'name' | 'type' | 'status'> & QuizColors & NonDefaultFields<QuizPage & QuizTies>
  questions: SnapshotQuestion[]
  text_blocks: SnapshotTextBlock[]
  results: SnapshotResult[]
  /** Dimensions of a quiz by score; absent if there are none. */
  dimensions?: SnapshotDimension[] | undefined
  /** Rule of the percentages of the dimensions; absent in versions that count a blank question as 0. */
  dimension_rule?: number | undefined
  /** Conditional texts; absent if there are none. */
  text_variants?: SnapshotTextVariant[] | undefined
  quiz_mode: QuizMode
}

const inOrder = <T>(list: readonly T[], rank: (entry: T) => number): T[] =>
  [...list].sort((a, b) => rank(a) - rank(b))

/** Returns a colour in lower case, so that another spelling is not a change. */
const lowerCaseColor = (color: string | null): string | null => color?.toLowerCase() ?? null

/** Page numbers of the snapshot by page number of the draft. */
type PageNumbers = ReadonlyMap<number, number>

const freezeAnswer = (answer: Answer, position: number, pages: PageNumbers): SnapshotAnswer => ({
  id: answer.id,
  text: answer.text,
  score: answer.score,
  position,
  ...nonDefaultFields<AnswerOptions>(
    { ...answer, jump_to: frozenJump(answer, pages) },
    ANSWER_DEFAULTS,
  ),
  // Unchecked links are omitted, so that checking and unchecking is no change (product 6.4).
  associations: answer.associations
    .filter((link) => link.is_checked)
    .map(({ result_id, weight, is_checked }) => ({ result_id, weight, is_checked }))
    .sort((a, b) => (a.result_id < b.result_id ? -1 : 1)),
})

const frozenJump = ({ jump_to }: Answer, pages: PageNumbers): number | null =>
  jump_to === null || jump_to === JUMP_TO_END ? jump_to : (pages.get(jump_to) ?? null)

/** Returns the answers that visitors see, in their order. */
export const nonBlankAnswers = (question: Question): Answer[] =>
  isChoice(question)
    ? inOrder(question.answers, ({ position }) => position).filter(({ text }) => !isBlankText(text))
    : []

/** Returns true if an item has no text yet. Publishing omits such items. */
export const isBlank = (item: Item): boolean =>
  item.kind === 'question'
    ? isBlankText(item.question.text) && nonBlankAnswers(item.question).length === 0
    : isBlankText(item.text_block.content)

/** Returns the pages that visitors see, with their draft numbers. */
export const visiblePages = (content: Pick<Draft, 'questions' | 'text_blocks'>): Page[] =>
  groupIntoPages(contentOf(itemsInOrder(content).filter((item) => !isBlank(item))))

/**
 * Returns the draft as visitors would take it now (product 6.10). Blank items and editor-only fields are omitted; ranks
 * start at 0 and pages at 1, without gaps. Equal content always gives an equal snapshot.
 */
export const takeSnapshot = ({
  quiz,
  quiz_mode,
  questions,
  text_blocks,
  results,
  dimensions,
  text_variants,
}: Draft): Snapshot => {
  const used = usedDimensions({ quiz, quiz_mode, dimensions })
  const has_dimensions = used.length > 0
  const snapshot: Snapshot = {
    quiz: {
      name: quiz.name,
      type: quiz.type,
      status: quiz.status,
      bg_color: lowerCaseColor(quiz.bg_color),
      text_color: lowerCaseColor(quiz.text_color),
      button_color: lowerCaseColor(quiz.button_color),
      button_text_color: lowerCaseColor(quiz.button_text_color),
      accent_color: lowerCaseColor(quiz.accent_color),
      ...usedPageSettings(quiz),
    },
    questions: [],
    text_blocks: [],
    results: inResultOrder(results).map((result, priority_order) => ({
      id: result.id,
      name: result.name,
      description: result.description || null,
      priority_order,
      min_score: result.min_score,
      max_score: result.max_score,
      ...nonDefaultFields<Pick<Result, keyof typeof ENDING_DEFAULTS>>(result, ENDING_DEFAULTS),
    })),
    ...(has_dimensions && {
      dimensions: used.map(freezeDimension),
      dimension_rule: DIMENSION_RULE,
    }),
    quiz_mode,
  }
  const variants = freezeTextVariants(text_variants, quiz.type)
  if (variants.length > 0) snapshot.text_variants = variants
  let global_position = 0
  const grouped = visiblePages({ questions, text_blocks })
  const numbers: PageNumbers = new Map(grouped.map(({ number }, index) => [number, index + 1]))
  for (const [index, page] of grouped.entries()) {
    for (const item of page.items) {
      const place = { global_position: global_position++, page_number: index + 1 }
      if (item.kind === 'text_block') {
        const { id, content } = item.text_block
        snapshot.text_blocks.push({ id, content, ...place })
        continue
      }
      const { id, text, type } = item.question
      const position = snapshot.questions.length
      const shown_answers = nonBlankAnswers(item.question)
      const answers = shown_answers.map((answer, rank) => freezeAnswer(answer, rank, numbers))
      const { dimension_id, ...others } = usedQuestionOptions(item.question, shown_answers)
      const options = has_dimensions && dimension_id ? { ...others, dimension_id } : others
      snapshot.questions.push({ id, text, type, position, ...place, ...options, answers })
    }
  }
  return { ...snapshot, quiz: { ...snapshot.quiz, ...frozenTies(quiz, snapshot) } }
}

/** Returns the tie rule if ties are possible. A tie question that visitors do not see is omitted. */
const frozenTies = (
  { type, tie_rule, tie_question_id }: Quiz,
  { quiz_mode, questions }: Snapshot,
): NonDefaultFields<QuizTies> => {
  if (type === 'sondage' || quiz_mode !== 'profils' || tie_rule === 'priority') return {}
  if (tie_rule === 'both') return { tie_rule }
  const isAsked = questions.some(
    (question) => question.id === tie_question_id && isChoice(question),
  )
  return isAsked ? { tie_rule, tie_question_id } : {}
}

const contentOf = (items: Item[]): { questions: Question[]; text_blocks: TextBlock[] } => ({
  questions: items.flatMap((item) => (item.kind === 'question' ? item.question : [])),
  text_blocks: items.flatMap((item) => (item.kind === 'text_block' ? item.text_block : [])),
})

/** Returns the results by priority_order, then by list order (product 2.3). */
export const inResultOrder = <R extends { priority_order: number }>(results: readonly R[]): R[] =>
  inOrder(results, ({ priority_order }) => priority_order)

/** Returns the result with this rank, from 1, that a visitor can share; undefined if there is none. */
export const resultAt = (
  { quiz, results }: Snapshot,
  rank: number | undefined,
): SnapshotResult | undefined =>
  quiz.type === 'quiz' && rank !== undefined ? results[rank - 1] : undefined

/** Returns true if the content differs. Key order and status are ignored. */
export const hasDifferentContent = (a: Snapshot, b: Snapshot): boolean => {
  const plain = (snapshot: Snapshot): unknown => ({
    ...snapshot,
    quiz: { ...snapshot.quiz, status: '' },
  })
  return !isSameContent(plain(a), plain(b))
}
