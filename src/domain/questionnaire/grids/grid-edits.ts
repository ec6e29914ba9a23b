import {
  ANSWER_DEFAULTS,
  GRID_DEFAULTS,
  NO_IMAGE,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import {
  type Content,
  groupIntoPages,
  type Item,
  itemsInOrder,
  placeItems,
  placeOf,
} from '#domain/questionnaire/pages.ts'
import type { Answer, Question } from '#domain/questionnaire/quiz.ts'
import { groupOf } from './arrange-grids.ts'
import { findMisfits } from './grids.ts'

/** Changes of the rows and columns of one grid. Each returns the whole content, so that a change is one undo step. */

type NewId = () => string

/** Returns the rows of the grid that a question belongs to; the question alone outside grids. */
const rowsOf = (content: Content, id: string): Question[] =>
  groupOf(content, id).flatMap((item) => (item.kind === 'question' ? item.question : []))

/**
 * Makes questions the rows of a grid. The first row gets the title of `before`, and the others continue the grid.
 */
const asRows = (before: readonly Question[], rows: readonly Question[]): Question[] => {
  const grid_title = before[0]?.grid_title ?? null
  return rows.map((question, rank) => ({
    ...question,
    ...(rank === 0
      ? { continues_grid: false, grid_title }
      : { continues_grid: true, grid_title: null }),
  }))
}

/** Replaces the rows of a grid and keeps its title. */
const withRows = (
  content: Content,
  before: readonly Question[],
  rows: readonly Question[],
): Content => withQuestions(content, before, asRows(before, rows))

/** Replaces consecutive questions. */
const withQuestions = (
  content: Content,
  before: readonly Question[],
  questions: readonly Question[],
): Content => {
  const replaced = new Set(before.map(({ id }) => id))
  const items = itemsInOrder(content).flatMap((item): Item[] => {
    const { id } = placeOf(item)
    if (id === before[0]?.id)
      return questions.map((question) => ({ kind: 'question' as const, question }))
    return replaced.has(id) ? [] : [item]
  })
  return placeItems(items)
}

/**
 * Adds rows after the last row of a grid, with the columns, scores, associations and settings of that row. `ids`
 * are the ids of the new questions, in the order of `texts`.
 */
export const addRows = (
  content: Content,
  id: string,
  texts: readonly string[],
  ids: readonly string[],
  newId: NewId,
): Content => {
  const rows = rowsOf(content, id)
  const last = rows.at(-1)
  if (!last) return content
  const added = texts.map((text, rank) => copyRow(last, { id: ids[rank] ?? newId(), text }, newId))
  return withRows(content, rows, [...rows, ...added])
}

const copyRow = (
  row: Question,
  { id, text }: Pick<Question, 'id' | 'text'>,
  newId: NewId,
): Question => ({
  ...row,
  ...NO_IMAGE,
  id,
  text,
  label: null,
  help: null,
  explanation: null,
  answers: row.answers.map((answer) => {
    const answer_id = newId()
    return {
      ...answer,
      ...ANSWER_DEFAULTS,
      id: answer_id,
      question_id: id,
      jump_to: answer.jump_to,
      associations: answer.associations.map((link) => ({
        ...link,
        id: `${answer_id} ${link.result_id}`,
        answer_id,
      })),
    }
  }),
})

/** Removes a row. The remaining rows keep the title. */
export const removeRow = (content: Content, id: string): Content => {
  const rows = rowsOf(content, id)
  return withRows(
    content,
    rows,
    rows.filter((row) => row.id !== id),
  )
}

/** Moves a row to an index inside its grid. Returns the content unchanged if the grid has no such index. */
export const moveRow = (content: Content, id: string, to: number): Content => {
  const rows = rowsOf(content, id)
  const from = rows.findIndex((row) => row.id === id)
  const row = rows[from]
  if (!row || !rows[to]) return content
  return withRows(content, rows, rows.toSpliced(from, 1).toSpliced(to, 0, row))
}

/** Turns a row into a single question after its grid. */
export const leaveGrid = (content: Content, id: string): Content => {
  const rows = rowsOf(content, id)
  const row = rows.find((other) => other.id === id)
  const others = rows.filter((other) => other !== row)
  if (!row) return content
  return withQuestions(content, rows, [...asRows(rows, others), { ...row, ...GRID_DEFAULTS }])
}

/** Turns every row of a grid into a single question. */
export const splitGrid = (content: Content, id: string): Content => {
  const rows = rowsOf(content, id)
  return withQuestions(
    content,
    rows,
    rows.map((row) => ({ ...row, ...GRID_DEFAULTS })),
  )
}

/** Sets the title of a grid. An empty title becomes null; spaces are kept as typed. */
export const setGridTitle = (content: Content, id: string, title: string): Content => ({
  ...content,
  questions: content.questions.map((question) =>
    question.id === id ? { ...question, grid_title: title === '' ? null : title } : question,
  ),
})

/** Changes a row and gives its columns to the other rows. The other rows keep their scores and settings. */
export const editColumns = (
  content: Content,
  id: string,
  edit: (question: Question) => Question,
  newId: NewId,
): Content => {
  const rows = rowsOf(content, id)
  const before = rows.find((row) => row.id === id)
  if (!before) return content
  const after = edit(before)
  return withQuestions(
    content,
    rows,
    rows.map((row) => (row === before ? after : withColumns(row, { before, after, newId }))),
  )
}

const withColumns = (
  row: Question,
  { before, after, newId }: { before: Question; after: Question; newId: NewId },
): Question => ({
  ...row,
  ...scaleOptions(after),
  answers: after.answers.map((answer, position) => {
    const own = row.answers[before.answers.findIndex(({ id }) => id === answer.id)]
    return columnAnswer(answer, own, { question_id: row.id, position, newId })
  }),
})

const scaleOptions = ({
  scale_min,
  scale_max,
  scale_min_label,
  scale_max_label,
}: Question): Partial<Question> => ({ scale_min, scale_max, scale_min_label, scale_max_label })

/** Returns a row's own answer with the text of a column, or a new answer. */
const columnAnswer = (
  column: Answer,
  own: Answer | undefined,
  { question_id, position, newId }: { question_id: string; position: number; newId: NewId },
): Answer =>
  own
    ? { ...own, question_id, position, text: column.text }
    : {
        ...column,
        ...ANSWER_DEFAULTS,
        id: newId(),
        question_id,
        position,
        score: null,
        associations: [],
      }

/**
 * Gives a question that does not fit the preceding grid the columns of this grid. A question of another type gets a new
 * id, because its replies cannot be kept.
 */
export const rejoinGrid = (content: Content, id: string, newId: NewId): Content => {
  const misfit = groupIntoPages(content)
    .flatMap(({ items }) => findMisfits(items))
    .find(({ question }) => question.id === id)
  if (!misfit?.first_row) return content
  const { question, first_row } = misfit
  const question_id = question.type === first_row.type ? id : newId()
  const { max_choices, has_other } = QUESTION_DEFAULTS
  const changed: Question = {
    ...question,
    ...scaleOptions(first_row),
    id: question_id,
    type: first_row.type,
    max_choices,
    has_other,
    answers: first_row.answers.map((column, position) => {
      const own = question.answers[position]
      const plain = own && { ...own, ...NO_IMAGE }
      return columnAnswer(column, plain, { question_id, position, newId })
    }),
  }
  return withQuestions(content, [question], [changed])
}

/** Turns a question that does not fit the preceding grid into a single question. */
export const keepSingle = (content: Content, id: string): Content => ({
  ...content,
  questions: content.questions.map((question) =>
    question.id === id ? { ...question, ...GRID_DEFAULTS } : question,
  ),
})
