import { renumber } from './arrange.ts'
import type {
  Changes,
  SavedAnswer,
  SavedAssociation,
  SavedQuestion,
  SavedResult,
  SavedTextBlock,
} from './changes.ts'
import { keepJumps } from './jumps.ts'
import {
  ANSWER_DEFAULTS,
  type Answer,
  type Association,
  type Draft,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
  type Question,
  type Result,
  type TextBlock,
} from './quiz.ts'
import { keepTieQuestion } from './tie-question.ts'
import { DEFAULT_PAGE_NUMBER } from './vocabulary.ts'

/** An association has no id of its own in the editor: it is its answer's link with one result. */
export const associationOf = ({
  answer_id,
  result_id,
  weight,
  is_checked,
}: SavedAssociation): Association => ({
  id: `${answer_id} ${result_id}`,
  answer_id,
  result_id,
  weight,
  is_checked,
})

/**
 * The draft after these changes, ranks dense again: applying what lies between two drafts to the first
 * gives the second. Rows of a result, question or answer that is not there are left out, as is a tie question, and
 * jumps of which nothing is said stay on their pages.
 */
export const applyChanges = (draft: Draft, changes: Changes): Draft => {
  const removed = new Set(changes.removed)
  const { quiz } = draft
  const results = upsert(draft.results, changes.results, { removed, create: resultOf(quiz.id) })
    .toSorted((a, b) => a.priority_order - b.priority_order)
    .map(ranked('priority_order'))
  const known = new Set(results.map(({ id }) => id))
  const answers = Map.groupBy(changes.answers, ({ question_id }) => question_id)
  const links = Map.groupBy(
    changes.associations.filter(({ result_id }) => known.has(result_id)),
    ({ answer_id }) => answer_id,
  )
  const isLosing = draft.results.some(({ id }) => !known.has(id))
  const content = renumber({
    questions: upsert(draft.questions, changes.questions, {
      removed,
      create: questionOf(quiz.id),
    }).map((question) => {
      const saved = answers.get(question.id) ?? []
      const isTouched = question.answers.some(({ id }) => removed.has(id) || links.has(id))
      if (saved.length === 0 && !isTouched && !isLosing) return question
      const list = upsert(question.answers, saved, { removed, create: answerOf })
        .toSorted((a, b) => a.position - b.position)
        .map(ranked('position'))
      return { ...question, answers: list.map((answer) => linked(answer, links, known)) }
    }),
    text_blocks: upsert(draft.text_blocks, changes.text_blocks, {
      removed,
      create: textBlockOf(quiz.id),
    }),
  })
  const saying = changes.answers.filter(({ jump_to }) => jump_to !== undefined)
  const said = new Set(saying.map(({ id }) => id))
  return keepTieQuestion({
    quiz: { ...quiz, ...changes.quiz },
    quiz_mode: changes.quiz_mode === undefined ? draft.quiz_mode : changes.quiz_mode,
    ...content,
    questions: keepJumps(draft, content, ({ id }) => said.has(id)),
    results,
  })
}

type Identified = { id: string }

const upsert = <Row extends Identified, Saved extends Identified>(
  list: readonly Row[],
  saved: readonly Saved[],
  { removed, create }: { removed: ReadonlySet<string>; create: (saved: Saved) => Row },
): Row[] => {
  const changed = new Map(saved.map((row) => [row.id, row]))
  const kept = list
    .filter(({ id }) => !removed.has(id))
    .map((row) => {
      const changes = changed.get(row.id)
      changed.delete(row.id)
      return changes ? { ...row, ...changes } : row
    })
  return [...kept, ...[...changed.values()].map(create)]
}

const ranked =
  <Name extends 'priority_order' | 'position'>(name: Name) =>
  <Row extends Record<Name, number>>(row: Row, rank: number): Row =>
    row[name] === rank ? row : { ...row, [name]: rank }

const linked = (
  answer: Answer,
  links: ReadonlyMap<string, SavedAssociation[]>,
  known: ReadonlySet<string>,
): Answer => {
  const saved = links.get(answer.id) ?? []
  const isLosing = answer.associations.some(({ result_id }) => !known.has(result_id))
  if (saved.length === 0 && !isLosing) return answer
  const byResult = new Map(
    [...answer.associations, ...saved.map(associationOf)].map((link) => [link.result_id, link]),
  )
  return {
    ...answer,
    associations: [...byResult.values()].filter(({ result_id }) => known.has(result_id)),
  }
}

/** Where what says nothing of its place goes: last. */
const LAST = Number.MAX_SAFE_INTEGER

const resultOf =
  (quiz_id: string) =>
  (saved: SavedResult): Result => ({
    quiz_id,
    name: '',
    description: null,
    priority_order: LAST,
    min_score: null,
    max_score: null,
    ...ENDING_DEFAULTS,
    updated_at: '',
    ...saved,
  })

const questionOf =
  (quiz_id: string) =>
  (saved: SavedQuestion): Question => ({
    quiz_id,
    text: '',
    type: 'multiple_choice',
    position: LAST,
    global_position: LAST,
    page_number: DEFAULT_PAGE_NUMBER,
    answers: [],
    ...QUESTION_DEFAULTS,
    ...saved,
  })

const answerOf = (saved: SavedAnswer): Answer => ({
  text: '',
  score: null,
  position: LAST,
  associations: [],
  ...ANSWER_DEFAULTS,
  ...saved,
})

const textBlockOf =
  (quiz_id: string) =>
  (saved: SavedTextBlock): TextBlock => ({
    quiz_id,
    content: '',
    global_position: LAST,
    page_number: DEFAULT_PAGE_NUMBER,
    ...saved,
  })
