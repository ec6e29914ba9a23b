import { DEFAULT_WEIGHT } from '#domain/common/vocabulary.ts'
import type { SplitPages } from '#domain/editing/split-pages.ts'
import {
  deletePage,
  insertItems,
  insertPage,
  lastPage,
  movePage,
  removeItem,
  splitPage,
} from '#domain/questionnaire/arrange.ts'
import { groupOf, moveGroup } from '#domain/questionnaire/grids/arrange-grids.ts'
import { modeAfterEdit, resetMode } from '#domain/questionnaire/mode.ts'
import { editRows, rankByIndex, withRow } from '#domain/questionnaire/ordered-rows.ts'
import { type Content, type Item, placeOf } from '#domain/questionnaire/pages.ts'
import type {
  Answer,
  ImageFields,
  Question,
  QuestionOptions,
  QuizTies,
  Result,
  ScoreThreshold,
} from '#domain/questionnaire/quiz.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import type { PagePosition } from './item-positions.ts'

/** Parts of a draft that the questions screen edits. */
export type QuestionsDraft = Pick<
  EditorDraft,
  'questions' | 'text_blocks' | 'quiz_mode' | 'results' | 'page_count'
> & { quiz: QuizTies }

/** Ids of an answer and its question. */
export type AnswerPath = { question_id: string; answer_id: string }

/** Action of the questions screen. */
export type QuestionsAction =
  | {
      type: 'item_added'
      item: Item
      /** Items to add after the item. A toast announces them all. */
      more?: readonly Item[]
      to: { page_number: number; index?: number }
      is_copy?: boolean
      /** Empty answer that the item replaces. */
      erased?: AnswerPath | undefined
    }
  /** `is_dragged` suppresses the announcement, because the drag announces its own end. */
  | {
      type: 'item_moved'
      id: string
      to: { page_number: number; index: number }
      is_dragged?: boolean
    }
  /** Removes an item, or a whole grid. */
  | { type: 'item_removed'; id: string }
  /** Changes the content by a rule of the domain, such as the rows of a grid (domain/questionnaire/grids/grid-edits.ts). */
  | {
      type: 'content_edited'
      edit: (content: Content) => Content
      /** Key of a field; consecutive changes with the same key are one undo step. */
      undoGroupKey?: string | null
      /** Id of the element that receives the focus. */
      focus_id?: string | undefined
      /** Announcement for screen readers. */
      announcement?: string | undefined
    }
  | { type: 'question_replaced'; id: string; question: Question }
  | { type: 'question_written'; id: string; text: string }
  | { type: 'question_options_set'; id: string; options: Partial<QuestionOptions> }
  | ({ type: 'question_image_set'; id: string } & ImageFields)
  | { type: 'text_block_written'; id: string; content: string }
  /** Adds answers at an index; an answer that the question already has, below the index, is replaced. */
  | { type: 'answers_added'; question_id: string; answers: Answer[]; index: number }
  /** Writes the texts of the first answers. */
  | { type: 'answers_written'; question_id: string; texts: readonly string[] }
  | ({ type: 'answer_written'; text: string } & AnswerPath)
  | ({ type: 'answer_image_set' } & ImageFields & AnswerPath)
  | ({ type: 'answer_scored'; score: number } & AnswerPath)
  | ({ type: 'answer_jump_set'; jump_to: number | null } & AnswerPath)
  | ({ type: 'answer_associated'; result_id: string; is_checked: boolean } & AnswerPath)
  | ({ type: 'association_weighted'; result_id: string; weight: number } & AnswerPath)
  | { type: 'all_answers_associated'; question_id: string; result_id: string; is_checked: boolean }
  /** `is_erased` means removed by Backspace in the blank field, not by the delete button. */
  | ({ type: 'answer_removed'; is_erased?: boolean } & AnswerPath)
  | ({ type: 'threshold_set'; result_id: string } & Partial<ScoreThreshold>)
  /** One tier for each result, in the order of the results. */
  | { type: 'tiers_spread'; tiers: readonly Range[] }
  /** The lower tier ends at `at`, and the upper tier begins at `at + 1`. */
  | { type: 'boundary_moved'; lower_id: string; upper_id: string; at: number }
  /** Adds a page at the end; with `at`, after that page and with its items from the index on. */
  | { type: 'page_added'; at?: PagePosition | undefined; erased?: AnswerPath | undefined }
  | { type: 'page_moved'; from: number; to: number; is_dragged?: boolean }
  /** Inserts a copy of a page after the page; `items` are the copied items. */
  | { type: 'page_copied'; page_number: number; items: readonly Item[] }
  | { type: 'page_deleted'; page_number: number }
  /** Gives each question its own page. */
  | { type: 'pages_split'; split: SplitPages }
  | { type: 'mode_reset' }

/** Returns the draft after an action of the questions screen (product 3.5, 4.1). */
export const questionsReducer = <D extends QuestionsDraft>(
  draft: D,
  action: QuestionsAction,
): D => {
  switch (action.type) {
    case 'item_added':
      return arranged(
        draft,
        insertItems(
          withoutAnswer(draft, action.erased),
          [action.item, ...(action.more ?? [])],
          action.to,
        ),
      )
    case 'item_moved':
      return arranged(draft, moveGroup(draft, action.id, action.to))
    case 'item_removed':
      return arranged(
        draft,
        groupOf(draft, action.id).reduce<Content>(
          (left, item) => removeItem(left, placeOf(item).id),
          draft,
        ),
      )
    case 'content_edited':
      return arranged(draft, action.edit(draft))
    case 'question_replaced':
      return withMode(withQuestion(draft, action.id, () => action.question))
    case 'question_written':
      return withQuestion(draft, action.id, (question) => ({ ...question, text: action.text }))
    case 'question_options_set':
      return withMode(
        withQuestion(draft, action.id, (question) => ({ ...question, ...action.options })),
      )
    case 'question_image_set':
      return withQuestion(draft, action.id, (question) => pictured(question, action))
    case 'text_block_written':
      return {
        ...draft,
        text_blocks: withRow(draft.text_blocks, action.id, (block) => ({
          ...block,
          content: action.content,
        })),
      }
    case 'threshold_set': {
      const { type, result_id, ...bounds } = action
      return withResults(draft, (result) =>
        result.id === result_id ? { ...result, ...bounds } : result,
      )
    }
    case 'tiers_spread':
      return withResults(draft, (result, index) => {
        const tier = action.tiers[index]
        return tier ? { ...result, min_score: tier.from, max_score: tier.to } : result
      })
    case 'boundary_moved':
      return withResults(draft, (result) => {
        if (result.id === action.lower_id) return { ...result, max_score: action.at }
        return result.id === action.upper_id ? { ...result, min_score: action.at + 1 } : result
      })
    case 'page_added': {
      const left = { ...withoutAnswer(draft, action.erased), page_count: draft.page_count + 1 }
      return { ...left, ...(action.at && splitPage(left, action.at)) }
    }
    case 'page_moved':
      return { ...draft, ...movePage(draft, action.from, action.to) }
    case 'page_copied':
      return withMode({
        ...draft,
        ...insertPage(draft, action.page_number + 1, action.items),
        page_count: draft.page_count + 1,
      })
    case 'page_deleted':
      return {
        ...draft,
        ...deletePage(draft, action.page_number),
        page_count: draft.page_count - 1,
      }
    case 'pages_split':
      return { ...draft, ...action.split(draft) }
    case 'mode_reset':
      return resetMode(draft)
    default:
      return withMode(
        withQuestion(draft, action.question_id, (question) => ({
          ...question,
          answers: answersAfter(question.answers, action),
        })),
      )
  }
}

const pictured = <Row extends ImageFields>(
  row: Row,
  { image_id, image_alt }: ImageFields,
): Row => ({
  ...row,
  image_id,
  image_alt,
})

const withResults = <D extends QuestionsDraft>(
  draft: D,
  change: (result: Result, index: number) => Result,
): D => ({ ...draft, results: draft.results.map(change) })

const arranged = <D extends QuestionsDraft>(
  draft: D,
  content: Pick<QuestionsDraft, 'questions' | 'text_blocks'>,
): D =>
  withMode({ ...draft, ...content, page_count: Math.max(draft.page_count, lastPage(content)) })

const withQuestion = <D extends QuestionsDraft>(
  draft: D,
  id: string,
  change: (question: Question) => Question,
): D => ({
  ...draft,
  questions: withRow(draft.questions, id, change),
})

const withoutAnswer = <D extends QuestionsDraft>(draft: D, path: AnswerPath | undefined): D =>
  path === undefined ? draft : questionsReducer(draft, { type: 'answer_removed', ...path })

const withMode = <D extends QuestionsDraft>(draft: D): D => ({
  ...draft,
  quiz_mode: modeAfterEdit(draft.quiz_mode, draft.questions),
})

type AnswerAction = Extract<QuestionsAction, { question_id: string }>

const answersAfter = (answers: readonly Answer[], action: AnswerAction): Answer[] => {
  switch (action.type) {
    case 'answers_added': {
      const ids = new Set(action.answers.map(({ id }) => id))
      const others = answers.filter(({ id }) => !ids.has(id))
      return rankByIndex(others.toSpliced(action.index, 0, ...action.answers), 'position')
    }
    case 'answer_removed':
      return editRows(answers, { type: 'removed', id: action.answer_id }, 'position')
    case 'answers_written':
      return answers.map((answer, index) => ({
        ...answer,
        text: action.texts[index] ?? answer.text,
      }))
    case 'all_answers_associated':
      return answers.map((answer) => ({
        ...answer,
        associations: associationsAfter(answer, action),
      }))
    default:
      return withRow(answers, action.answer_id, (answer) => answerAfter(answer, action))
  }
}

type OneAnswerAction = Exclude<
  AnswerAction,
  { type: 'answers_added' | 'answers_written' | 'answer_removed' | 'all_answers_associated' }
>

const answerAfter = (answer: Answer, action: OneAnswerAction): Answer => {
  switch (action.type) {
    case 'answer_written':
      return { ...answer, text: action.text }
    case 'answer_image_set':
      return pictured(answer, action)
    case 'answer_scored':
      return { ...answer, score: action.score }
    case 'answer_jump_set':
      return { ...answer, jump_to: action.jump_to }
    case 'answer_associated':
      return { ...answer, associations: associationsAfter(answer, action) }
    case 'association_weighted': {
      const { result_id, weight } = action
      const associations = answer.associations.map((link) =>
        link.result_id === result_id ? { ...link, weight } : link,
      )
      return { ...answer, associations }
    }
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
