import { isBlankText } from '#domain/common/text.ts'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import { groupIntoPages, type Item, itemsInOrder, type Page } from './pages.ts'
import {
  ANSWER_DEFAULTS,
  type Answer,
  type AnswerOptions,
  type Association,
  CHOICE_DEFAULTS,
  COMMON_QUESTION_DEFAULTS,
  type Draft,
  ENDING_DEFAULTS,
  isChoice,
  JUMP_TO_END,
  PAGE_DEFAULTS,
  type Question,
  type QuestionOptions,
  type Quiz,
  type QuizColors,
  type QuizPage,
  type QuizTies,
  type Result,
  SCALE_DEFAULTS,
  type TextBlock,
} from './quiz.ts'

/** A wording as it is shown, under the number by which it is kept; 0 in a preview. */
export type Consent = { version: number; text: string }

type SnapshotAssociation = Pick<Association, 'result_id' | 'weight' | 'is_checked'>
/** What has its default is left out: versions of before are read as they were, and a page carries what it shows. */
type Chosen<Defaults> = { [Name in keyof Defaults]?: Defaults[Name] | undefined }
export type SnapshotAnswer = Pick<Answer, 'id' | 'text' | 'score' | 'position'> &
  Chosen<AnswerOptions> & { associations: SnapshotAssociation[] }
export type SnapshotQuestion = Pick<
  Question,
  'id' | 'text' | 'type' | 'position' | 'global_position' | 'page_number'
> &
  Chosen<QuestionOptions> & {
    answers: SnapshotAnswer[]
    /** The box beside it; in no frozen version, since it comes and goes with the quiz's integrations. */
    consent?: Consent | undefined
  }
export type SnapshotTextBlock = Pick<
  TextBlock,
  'id' | 'content' | 'global_position' | 'page_number'
>
export type SnapshotResult = Pick<
  Result,
  'id' | 'name' | 'description' | 'priority_order' | 'min_score' | 'max_score'
> &
  Chosen<Pick<Result, keyof typeof ENDING_DEFAULTS>>

/** What preview and public page are made of (spec §3 « Quiz snapshot »); lists are in their order. */
export type Snapshot = {
  quiz: Pick<Quiz, 'name' | 'type' | 'status'> & QuizColors & Chosen<QuizPage & QuizTies>
  questions: SnapshotQuestion[]
  text_blocks: SnapshotTextBlock[]
  results: SnapshotResult[]
  quiz_mode: QuizMode
}

const inOrder = <T>(list: readonly T[], rank: (entry: T) => number): T[] =>
  [...list].sort((a, b) => rank(a) - rank(b))

/** A colour in the spelling of the browser's picker: one typed in capitals is the same. */
const inOneCase = (color: string | null): string | null => color?.toLowerCase() ?? null

/**
 * The fields of `defaults` that a row has set. A blank text says nothing, and without a picture neither does
 * what describes it; the empty description of a picture says that it is decorative.
 */
const setFields = <Defaults extends object>(
  row: Defaults,
  defaults: Defaults,
): Chosen<Defaults> => {
  const chosen: Chosen<Defaults> = {}
  for (const name in defaults) {
    const value = row[name]
    const isSet = name.endsWith('image_alt')
      ? value !== null && row[name.replace(/alt$/, 'id') as typeof name] !== null
      : value !== defaults[name] && !(typeof value === 'string' && isBlankText(value))
    if (isSet) chosen[name] = value
  }
  return chosen
}

/** The numbers that visitors know pages by, from those of the draft. */
type PageNumbers = ReadonlyMap<number, number>

const freezeAnswer = (answer: Answer, position: number, pages: PageNumbers): SnapshotAnswer => ({
  id: answer.id,
  text: answer.text,
  score: answer.score,
  position,
  ...setFields<AnswerOptions>({ ...answer, jump_to: frozenJump(answer, pages) }, ANSWER_DEFAULTS),
  // An unticked link says nothing, and ticking then unticking one is no change (decisions « has-changes »).
  associations: answer.associations
    .filter((link) => link.is_checked)
    .map(({ result_id, weight, is_checked }) => ({ result_id, weight, is_checked }))
    .sort((a, b) => (a.result_id < b.result_id ? -1 : 1)),
})

const frozenJump = ({ jump_to }: Answer, pages: PageNumbers): number | null =>
  jump_to === null || jump_to === JUMP_TO_END ? jump_to : (pages.get(jump_to) ?? null)

const FOR_CHOICES: Chosen<QuestionOptions> = { ...COMMON_QUESTION_DEFAULTS, ...CHOICE_DEFAULTS }
const FOR_SCALES: Chosen<QuestionOptions> = { ...COMMON_QUESTION_DEFAULTS, ...SCALE_DEFAULTS }
const FOR_OTHERS: Chosen<QuestionOptions> = COMMON_QUESTION_DEFAULTS

/** What a question of each type is asked by, beside what all have. */
const frozenOptions = (question: Question): Chosen<QuestionOptions> => {
  if (question.type === 'scale') return setFields<Chosen<QuestionOptions>>(question, FOR_SCALES)
  return setFields<Chosen<QuestionOptions>>(question, isChoice(question) ? FOR_CHOICES : FOR_OTHERS)
}

/** The answers of a question that visitors see, in their order. */
export const nonBlankAnswers = (question: Question): Answer[] =>
  isChoice(question)
    ? inOrder(question.answers, ({ position }) => position).filter(({ text }) => !isBlankText(text))
    : []

/** A question or a block without text yet; publishing leaves it out. */
export const isBlank = (item: Item): boolean =>
  item.kind === 'question'
    ? isBlankText(item.question.text) && nonBlankAnswers(item.question).length === 0
    : isBlankText(item.text_block.content)

/** The pages that visitors see, under the numbers they have in the draft. */
export const visiblePages = (content: Pick<Draft, 'questions' | 'text_blocks'>): Page[] =>
  groupIntoPages(contentOf(itemsInOrder(content).filter((item) => !isBlank(item))))

/**
 * The draft as visitors would take it now (spec §3, decisions « Draft and published version »): what
 * is blank left out, ranks and page numbers dense from 0 and 1, and nothing that only the editor
 * needs. The same content always gives the same snapshot.
 */
export const takeSnapshot = ({
  quiz,
  quiz_mode,
  questions,
  text_blocks,
  results,
}: Draft): Snapshot => {
  const snapshot: Snapshot = {
    quiz: {
      name: quiz.name,
      type: quiz.type,
      status: quiz.status,
      bg_color: inOneCase(quiz.bg_color),
      text_color: inOneCase(quiz.text_color),
      button_color: inOneCase(quiz.button_color),
      button_text_color: inOneCase(quiz.button_text_color),
      accent_color: inOneCase(quiz.accent_color),
      ...setFields<QuizPage>(quiz, PAGE_DEFAULTS),
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
      ...setFields<Pick<Result, keyof typeof ENDING_DEFAULTS>>(result, ENDING_DEFAULTS),
    })),
    quiz_mode,
  }
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
      const answers = nonBlankAnswers(item.question).map((answer, rank) =>
        freezeAnswer(answer, rank, numbers),
      )
      const options = frozenOptions(item.question)
      snapshot.questions.push({ id, text, type, position, ...place, ...options, answers })
    }
  }
  return { ...snapshot, quiz: { ...snapshot.quiz, ...frozenTies(quiz, snapshot) } }
}

/** How ties are settled where there may be some; a question that visitors do not see settles none. */
const frozenTies = (
  { type, tie_rule, tie_question_id }: Quiz,
  { quiz_mode, questions }: Snapshot,
): Chosen<QuizTies> => {
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

/** Results as they are considered everywhere: priority_order first, list order (creation) on ties (decisions « Ties and order »). */
export const inResultOrder = <R extends { priority_order: number }>(results: readonly R[]): R[] =>
  inOrder(results, ({ priority_order }) => priority_order)

/** True when the two snapshots differ in content; the order of object keys and the status do not count. */
export const differs = (a: Snapshot, b: Snapshot): boolean => {
  const plain = (snapshot: Snapshot): unknown => ({
    ...snapshot,
    quiz: { ...snapshot.quiz, status: '' },
  })
  return !sameContent(plain(a), plain(b))
}

const sameContent = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameContent(value, right.get(key)))
  )
}
