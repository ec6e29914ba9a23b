import fc from 'fast-check'
import { CORRECTION_MOMENTS, FONTS, REPORTS, TIE_RULES } from '#domain/common/vocabulary.ts'
import {
  deletePage,
  insertItem,
  insertPage,
  moveItem,
  movePage,
  removeItem,
} from '#domain/questionnaire/arrange.ts'
import { COLOR_NAMES } from '#domain/questionnaire/look/colors.ts'
import { editRows, rankByIndex, withRow } from '#domain/questionnaire/ordered-rows.ts'
import { type Item, itemsInOrder, placeOf, renumber } from '#domain/questionnaire/pages.ts'
import {
  type Answer,
  type Draft,
  type ImageFields,
  isChoice,
  type Question,
} from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import { DIMENSION_EDITS, editDimensions, isDimensionEdit } from './dimension-edits.ts'
import { answerOf, drafts, IMAGE_IDS, questionOf, resultOf, textBlockOf } from './drafts.ts'

/** Random edits of a draft, as a creator makes them in the editor. */

const EDIT_NAMES = [
  'rename_quiz',
  'set_color',
  'set_welcome_text',
  'set_font',
  'set_tie_rule',
  'add_question',
  'set_question_text',
  'set_question_label',
  'set_question_image',
  'set_max_choices',
  'set_grid',
  'set_explanation',
  'set_report',
  'add_block',
  'set_block_text',
  'move_item',
  'remove_item',
  'delete_page',
  'move_page',
  'insert_page',
  'add_answer',
  'set_answer_text',
  'set_answer_score',
  'set_answer_image',
  'set_answer_jump',
  'toggle_correct',
  'toggle_association',
  'move_answer',
  'remove_answer',
  'add_result',
  'rename_result',
  'set_result_minimum',
  'set_result_image',
  'set_button_text',
  'move_result',
  'remove_result',
  ...DIMENSION_EDITS,
] as const

/** Edit with its values. `rank`, `to` and `page_number` choose targets, modulo the number of targets. */
export type DraftEdit = {
  name: (typeof EDIT_NAMES)[number]
  rank: number
  to: number
  page_number: number
  text: string
}

/** Random edits of every kind. */
export const randomEdits: fc.Arbitrary<DraftEdit> = fc.record({
  name: fc.constantFrom(...EDIT_NAMES),
  rank: fc.nat(20),
  to: fc.nat(20),
  page_number: fc.integer({ min: 1, max: 3 }),
  text: fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'b', 'é') }),
})

/** Returns the draft after an edit. The draft stays unchanged if the edit has no target. */
export const applyEdit = (draft: Draft, step: DraftEdit, newId: () => string): Draft =>
  dropLostReferences(edit(draft, step, newId))

const edit = (draft: Draft, step: DraftEdit, newId: () => string): Draft => {
  if (isDimensionEdit(step)) return editDimensions(draft, step, newId)
  const { name, rank, to, page_number, text } = step
  const place = { page_number, index: to }
  const quiz_id = draft.quiz.id
  switch (name) {
    case 'rename_quiz':
      return { ...draft, quiz: { ...draft.quiz, name: text } }
    case 'set_color': {
      const color = `#${String(to).padStart(6, '0')}`
      return {
        ...draft,
        quiz: { ...draft.quiz, [COLOR_NAMES[rank % COLOR_NAMES.length] ?? '']: color },
      }
    }
    case 'set_welcome_text':
      return { ...draft, quiz: { ...draft.quiz, welcome_text: text } }
    case 'set_font':
      return { ...draft, quiz: { ...draft.quiz, font: FONTS[rank % FONTS.length] ?? 'system' } }
    case 'set_tie_rule': {
      const tie_rule = TIE_RULES[rank % TIE_RULES.length] ?? 'priority'
      const tie_question_id = idOf(draft.questions.filter(isChoice), to) || null
      return { ...draft, quiz: { ...draft.quiz, tie_rule, tie_question_id } }
    }
    case 'add_question': {
      const question = questionOf(newId(), { quiz_id, text })
      return { ...draft, ...insertItem(draft, { kind: 'question', question }, place) }
    }
    case 'add_block': {
      const text_block = textBlockOf(newId(), { quiz_id, content: text })
      return { ...draft, ...insertItem(draft, { kind: 'text_block', text_block }, place) }
    }
    case 'set_question_text':
      return withOne(draft, 'questions', rank, (question) => ({ ...question, text }))
    case 'set_question_label':
      return withOne(draft, 'questions', rank, (question) => ({ ...question, label: text }))
    case 'set_question_image':
      return withOne(draft, 'questions', rank, (row) => ({ ...row, ...pictureOf(text) }))
    case 'set_max_choices':
      return withOne(draft, 'questions', rank, (question) => ({
        ...question,
        max_choices: to % 3 || null,
      }))
    case 'set_grid':
      return withOne(draft, 'questions', rank, (question) => ({
        ...question,
        ...(to % 2 === 0 ? { grid_title: text } : { continues_grid: !question.continues_grid }),
      }))
    case 'set_explanation':
      return withOne(draft, 'questions', rank, (question) => ({
        ...question,
        ...(to % 2 === 0 ? { explanation: text } : { all_or_nothing: !question.all_or_nothing }),
      }))
    case 'set_report': {
      const shows_corrections = CORRECTION_MOMENTS[rank % CORRECTION_MOMENTS.length] ?? 'never'
      const report = REPORTS[to % REPORTS.length] ?? 'none'
      const fields = { shows_corrections, report, certificate_percent: to * 5 }
      return { ...draft, quiz: { ...draft.quiz, ...fields, certificate_text: text } }
    }
    case 'set_block_text':
      return withOne(draft, 'text_blocks', rank, (block) => ({ ...block, content: text }))
    case 'move_item':
    case 'remove_item': {
      const id = idOf(itemsInOrder(draft).map(placeOf), rank)
      const arranged = name === 'move_item' ? moveItem(draft, id, place) : removeItem(draft, id)
      return { ...draft, ...arranged }
    }
    case 'delete_page':
      return { ...draft, ...deletePage(draft, page_number) }
    case 'move_page':
      return { ...draft, ...movePage(draft, page_number, 1 + (to % 3)) }
    case 'insert_page': {
      const text_block = textBlockOf(newId(), { quiz_id, content: text })
      const question = questionOf(newId(), { quiz_id, text })
      const items: Item[] = [
        { kind: 'text_block', text_block },
        { kind: 'question', question },
      ]
      return { ...draft, ...insertPage(draft, page_number, items) }
    }
    case 'add_result': {
      const result = resultOf(newId(), { quiz_id, name: text })
      return { ...draft, results: rankByIndex([...draft.results, result], 'priority_order') }
    }
    case 'rename_result':
      return withOne(draft, 'results', rank, (result) => ({ ...result, name: text }))
    case 'set_result_minimum':
      return withOne(draft, 'results', rank, (result) => ({ ...result, min_score: to }))
    case 'set_result_image':
      return withOne(draft, 'results', rank, (result) => ({ ...result, ...pictureOf(text) }))
    case 'set_button_text':
      return withOne(draft, 'results', rank, (result) => ({ ...result, button_text: text }))
    case 'move_result': {
      const results = editRows(draft.results, { type: 'moved', from: rank, to }, 'priority_order')
      return { ...draft, results }
    }
    case 'remove_result':
      return withoutResult(draft, idOf(draft.results, rank))
    default: {
      const choices = draft.questions.filter(({ type }) => type === 'multiple_choice')
      const id = idOf(choices, rank)
      const result_id = idOf(draft.results, page_number)
      return {
        ...draft,
        questions: draft.questions.map((question) =>
          question.id === id
            ? { ...question, answers: editAnswers(question, step, { newId, result_id }) }
            : question,
        ),
      }
    }
  }
}

const editAnswers = (
  { id: question_id, answers }: Question,
  { name, to, text, page_number }: DraftEdit,
  { newId, result_id }: { newId: () => string; result_id: string },
): Answer[] => {
  const id = idOf(answers, to)
  const changed = (change: (answer: Answer) => Answer): Answer[] =>
    answers.map((answer) => (answer.id === id ? change(answer) : answer))
  switch (name) {
    case 'add_answer': {
      const row = answerOf(newId(), { question_id, text })
      return editRows(answers, { type: 'added', row, index: to }, 'position')
    }
    case 'set_answer_text':
      return changed((answer) => ({ ...answer, text }))
    case 'set_answer_score':
      return changed((answer) => ({ ...answer, score: to }))
    case 'set_answer_image':
      return changed((answer) => ({ ...answer, ...pictureOf(text) }))
    case 'set_answer_jump':
      return changed((answer) => ({ ...answer, jump_to: [null, 0, 2, 3, 4][page_number + 1] ?? 0 }))
    case 'toggle_correct':
      return changed((answer) => ({ ...answer, is_correct: !answer.is_correct }))
    case 'toggle_association':
      return result_id ? changed((answer) => toggleAssociation(answer, result_id)) : answers
    case 'move_answer': {
      const from = answers.findIndex((answer) => answer.id === id)
      return editRows(answers, { type: 'moved', from, to: page_number }, 'position')
    }
    default:
      return editRows(answers, { type: 'removed', id }, 'position')
  }
}

const pictureOf = (text: string): ImageFields => ({
  image_id: IMAGE_IDS[text.length % 2] ?? null,
  image_alt: text,
})

const toggleAssociation = (answer: Answer, result_id: string): Answer => {
  const known = answer.associations.find((link) => link.result_id === result_id)
  const others = answer.associations.filter((link) => link !== known)
  const link = { id: `${answer.id} ${result_id}`, answer_id: answer.id, result_id, weight: 1 }
  return { ...answer, associations: [...others, { ...link, is_checked: !known?.is_checked }] }
}

const withoutResult = (draft: Draft, id: string): Draft => ({
  ...draft,
  results: editRows(draft.results, { type: 'removed', id }, 'priority_order'),
  questions: draft.questions.map((question) => ({
    ...question,
    answers: question.answers.map((answer) => ({
      ...answer,
      associations: answer.associations.filter(({ result_id }) => result_id !== id),
    })),
  })),
})

const idOf = (list: readonly { id: string }[], rank: number): string =>
  list[rank % Math.max(1, list.length)]?.id ?? ''

type Lists = Pick<Draft, 'questions' | 'text_blocks' | 'results'>

const withOne = <Name extends keyof Lists>(
  draft: Draft,
  name: Name,
  rank: number,
  change: (row: Lists[Name][number]) => Lists[Name][number],
): Draft => {
  const rows: Lists[Name][number][] = draft[name]
  const id = idOf(rows, rank)
  return { ...draft, [name]: withRow(rows, id, change) }
}

/** Random drafts, each with `count` edited copies. */
export const editedDrafts = (count: number): fc.Arbitrary<[start: Draft, ...sides: Draft[]]> =>
  fc
    .record({
      start: drafts,
      sides: fc.array(fc.array(randomEdits, { maxLength: 6 }), {
        minLength: count,
        maxLength: count,
      }),
    })
    .map(({ start, sides }) => {
      const dense = {
        ...start,
        ...renumber(start),
        results: rankByIndex(start.results, 'priority_order'),
      }
      const edited = sides.map((list, side) => {
        let made = 0
        const newId = () => `new${side}-${made++}`
        return list.reduce<Draft>((draft, step) => applyEdit(draft, step, newId), dense)
      })
      return [dense, ...edited]
    })
