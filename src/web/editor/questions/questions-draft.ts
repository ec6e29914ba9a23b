import { deletePage, insertItem, lastPage, moveItem, removeItem } from '#domain/arrange.ts'
import { eraseMode, modeAfterEdit } from '#domain/mode.ts'
import type { Item } from '#domain/pages.ts'
import type {
  Answer,
  Question,
  Result,
  ScoreThreshold,
  ScoreThresholds,
  TextBlock,
} from '#domain/quiz.ts'
import { DEFAULT_WEIGHT, type QuizMode } from '#domain/vocabulary.ts'

/** What the questions screen edits. */
export type QuestionsDraft = {
  questions: Question[]
  text_blocks: TextBlock[]
  quiz_mode: QuizMode
  score_thresholds: ScoreThresholds
  /** Pages on screen, empty ones included: only those with an item after them are stored. */
  page_count: number
}

type AnswerPath = { question_id: string; answer_id: string }

export type QuestionsAction =
  | { type: 'item_added'; item: Item; to: { page_number: number; index?: number } }
  | { type: 'item_moved'; id: string; to: { page_number: number; index: number } }
  | { type: 'item_removed'; id: string }
  | { type: 'question_written'; id: string; text: string }
  | { type: 'text_block_written'; id: string; content: string }
  | { type: 'answers_added'; question_id: string; answers: Answer[]; index: number }
  | ({ type: 'answer_written'; text: string } & AnswerPath)
  | ({ type: 'answer_scored'; score: number } & AnswerPath)
  | ({ type: 'answer_associated'; result_id: string; is_checked: boolean } & AnswerPath)
  | ({ type: 'answer_removed' } & AnswerPath)
  | ({ type: 'threshold_set'; result_id: string } & Partial<ScoreThreshold>)
  | { type: 'page_added' }
  | { type: 'page_deleted'; page_number: number }
  | { type: 'mode_reset' }

export const openDraft = (unified: Omit<QuestionsDraft, 'page_count'>): QuestionsDraft => ({
  questions: unified.questions,
  text_blocks: unified.text_blocks,
  quiz_mode: unified.quiz_mode,
  score_thresholds: unified.score_thresholds,
  page_count: lastPage(unified),
})

/** The screen after one gesture (spec §4 « Ordering and pages », « Quiz mode »). */
export const questionsReducer = (
  draft: QuestionsDraft,
  action: QuestionsAction,
): QuestionsDraft => {
  switch (action.type) {
    case 'item_added':
      return arranged(draft, insertItem(draft, action.item, action.to))
    case 'item_moved':
      return arranged(draft, moveItem(draft, action.id, action.to))
    case 'item_removed':
      return arranged(draft, removeItem(draft, action.id))
    case 'question_written':
      return withQuestion(draft, action.id, (question) => ({ ...question, text: action.text }))
    case 'text_block_written':
      return {
        ...draft,
        text_blocks: draft.text_blocks.map((block) =>
          block.id === action.id ? { ...block, content: action.content } : block,
        ),
      }
    case 'threshold_set': {
      const { type, result_id, ...bounds } = action
      const before = draft.score_thresholds[result_id] ?? { min_score: null, max_score: null }
      const score_thresholds = { ...draft.score_thresholds, [result_id]: { ...before, ...bounds } }
      return { ...draft, score_thresholds }
    }
    case 'page_added':
      return { ...draft, page_count: draft.page_count + 1 }
    case 'page_deleted':
      return {
        ...draft,
        ...deletePage(draft, action.page_number),
        page_count: draft.page_count - 1,
      }
    case 'mode_reset':
      return withoutMode(draft)
    default:
      return withMode(
        withQuestion(draft, action.question_id, (question) => ({
          ...question,
          answers: answersAfter(question.answers, action),
        })),
      )
  }
}

const arranged = (
  draft: QuestionsDraft,
  content: Pick<QuestionsDraft, 'questions' | 'text_blocks'>,
): QuestionsDraft =>
  withMode({ ...draft, ...content, page_count: Math.max(draft.page_count, lastPage(content)) })

const withQuestion = (
  draft: QuestionsDraft,
  id: string,
  change: (question: Question) => Question,
): QuestionsDraft => ({
  ...draft,
  questions: draft.questions.map((question) => (question.id === id ? change(question) : question)),
})

const withMode = (draft: QuestionsDraft): QuestionsDraft => ({
  ...draft,
  quiz_mode: modeAfterEdit(draft.quiz_mode, draft.questions),
})

const withoutMode = (draft: QuestionsDraft): QuestionsDraft => ({
  ...draft,
  questions: eraseMode(draft.questions),
  quiz_mode: null,
  score_thresholds: Object.fromEntries(
    Object.keys(draft.score_thresholds).map((id) => [id, { min_score: null, max_score: null }]),
  ),
})

type AnswerAction = Extract<QuestionsAction, { question_id: string }>

const answersAfter = (answers: readonly Answer[], action: AnswerAction): Answer[] => {
  switch (action.type) {
    case 'answers_added':
      return ranked(answers.toSpliced(action.index, 0, ...action.answers))
    case 'answer_removed':
      return ranked(answers.filter(({ id }) => id !== action.answer_id))
    default:
      return answers.map((answer) =>
        answer.id === action.answer_id ? answerAfter(answer, action) : answer,
      )
  }
}

const ranked = (answers: readonly Answer[]): Answer[] =>
  answers.map((answer, position) => ({ ...answer, position }))

type OneAnswerAction = Exclude<AnswerAction, { type: 'answers_added' | 'answer_removed' }>

const answerAfter = (answer: Answer, action: OneAnswerAction): Answer => {
  switch (action.type) {
    case 'answer_written':
      return { ...answer, text: action.text }
    case 'answer_scored':
      return { ...answer, score: action.score }
    case 'answer_associated':
      return { ...answer, associations: associationsAfter(answer, action) }
  }
}

const associationsAfter = (
  { id: answer_id, associations }: Answer,
  { result_id, is_checked }: { result_id: string; is_checked: boolean },
): Answer['associations'] => {
  const known = associations.some((link) => link.result_id === result_id)
  if (known)
    return associations.map((link) =>
      link.result_id === result_id ? { ...link, is_checked } : link,
    )
  const id = `${answer_id} ${result_id}`
  return [...associations, { id, answer_id, result_id, weight: DEFAULT_WEIGHT, is_checked }]
}

/** The field that an action types in, all of whose changes undo as one; null for any other gesture. */
export const questionsBurst = (action: QuestionsAction): string | null => {
  switch (action.type) {
    case 'question_written':
    case 'text_block_written':
      return action.id
    case 'answer_written':
      return action.answer_id
    case 'answer_scored':
      return `score ${action.answer_id}`
    case 'threshold_set':
      return `${'min_score' in action ? 'minimum' : 'maximum'} ${action.result_id}`
    default:
      return null
  }
}

/** The draft as the autosave sends it: blank text blocks left out (spec §5 « Questions »). */
export const savedDraft = ({
  questions,
  text_blocks,
  score_thresholds,
  quiz_mode,
}: QuestionsDraft) => ({
  questions: questions.map(({ id, text, type, global_position, page_number, answers }) => ({
    id,
    text,
    type,
    global_position,
    page_number,
    answers: answers.map(({ id, text, score, associations }) => ({
      id,
      text,
      score,
      associations: associations.map(({ result_id, weight, is_checked }) => ({
        result_id,
        weight,
        is_checked,
      })),
    })),
  })),
  text_blocks: text_blocks
    .filter(({ content }) => content.trim() !== '')
    .map(({ id, content, global_position, page_number }) => ({
      id,
      content,
      global_position,
      page_number,
    })),
  score_thresholds,
  quiz_mode,
})

/** The results with the bounds that are on screen. */
export const withThresholds = (results: readonly Result[], thresholds: ScoreThresholds): Result[] =>
  results.map((result) => ({ ...result, ...thresholds[result.id] }))
