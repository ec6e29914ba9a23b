import { isSameContent } from '#domain/common/same-content.ts'
import { DEFAULT_PAGE_NUMBER } from '#domain/common/vocabulary.ts'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  NEW_DIMENSION,
  NEW_TEXT_VARIANT,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { rankByIndex } from '#domain/questionnaire/ordered-rows.ts'
import { preserveJumps, renumber } from '#domain/questionnaire/pages.ts'
import type {
  Answer,
  Association,
  Draft,
  Question,
  Result,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import {
  type Changes,
  rowsById,
  type SavedAnswer,
  type SavedAssociation,
  type SavedQuestion,
  type SavedResult,
  type SavedTextBlock,
} from './changes.ts'

/**
 * Returns the part of `changes`, which were made to `base`, that `draft` contains: equal fields, existing new rows
 * and removed rows. A new row is returned whole, because only the changes hold its initial fields.
 */
export const appliedChanges = (base: Draft, changes: Changes, draft: Draft): Changes => {
  const known = rowsById(base)
  const there = rowsById(draft)
  const keepAppliedRows = <Saved extends { id: string }>(rows: readonly Saved[]): Saved[] =>
    rows.flatMap((row) => {
      const found = there.get(row.id)
      if (!found) return []
      if (!known.has(row.id)) return [row]
      const same = fieldsOf(row).filter(
        // `question_id` locates an answer and may be missing in the row.
        ([name, value]) => !(name in found) || isSameContent(fieldOf(found, name), value),
      )
      return [Object.fromEntries(same) as Saved]
    })
  const { quiz, quiz_mode } = changes
  return {
    quiz: Object.fromEntries(
      fieldsOf(quiz).filter(([name, value]) => fieldOf(draft.quiz, name) === value),
    ),
    ...(quiz_mode !== undefined && quiz_mode === draft.quiz_mode && { quiz_mode }),
    results: keepAppliedRows(changes.results),
    questions: keepAppliedRows(changes.questions),
    answers: keepAppliedRows(changes.answers),
    associations: changes.associations.filter(({ answer_id, result_id, weight, is_checked }) => {
      const answer = there.get(answer_id) as Partial<Answer> | undefined
      const link = answer?.associations?.find((association) => association.result_id === result_id)
      // A missing link equals an unchecked link.
      return link ? link.weight === weight && link.is_checked === is_checked : !is_checked
    }),
    text_blocks: keepAppliedRows(changes.text_blocks),
    dimensions: keepAppliedRows(changes.dimensions),
    text_variants: keepAppliedRows(changes.text_variants),
    removed: changes.removed.filter((id) => !there.has(id)),
  }
}

const fieldsOf = (row: object): [string, unknown][] => Object.entries(row)
const fieldOf = (row: object, name: string): unknown => (row as Record<string, unknown>)[name]

/**
 * Returns the association of a change. Its id combines answer and result, because the editor's associations have no
 * id.
 */
export const toAssociation = ({
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
 * Returns the draft after `changes`, with ranks without gaps. Applying the changes between two drafts to the first
 * gives the second. Rows of missing parents are dropped, and jumps without a change still lead to their pages.
 */
export const applyChanges = (draft: Draft, changes: Changes): Draft => {
  const removed = new Set(changes.removed)
  const { quiz } = draft
  const results = ranked(
    upsert(draft.results, changes.results, { removed, create: resultOf(quiz.id) }),
    'priority_order',
  )

  const known = new Set(results.map(({ id }) => id))
  const answers = Map.groupBy(changes.answers, ({ question_id }) => question_id)
  const links = Map.groupBy(
    changes.associations.filter(({ result_id }) => known.has(result_id)),
    ({ answer_id }) => answer_id,
  )
  const isResultRemoved = draft.results.some(({ id }) => !known.has(id))
  const content = renumber({
    questions: upsert(draft.questions, changes.questions, {
      removed,
      create: questionOf(quiz.id),
    }).map((question) => {
      const saved = answers.get(question.id) ?? []
      const isTouched = question.answers.some(({ id }) => removed.has(id) || links.has(id))
      if (saved.length === 0 && !isTouched && !isResultRemoved) return question
      const list = ranked(
        upsert(question.answers, saved, { removed, create: answerOf }),
        'position',
      )
      return { ...question, answers: list.map((answer) => linked(answer, links, known)) }
    }),
    text_blocks: upsert(draft.text_blocks, changes.text_blocks, {
      removed,
      create: textBlockOf(quiz.id),
    }),
  })
  const withJumps = changes.answers.filter(({ jump_to }) => jump_to !== undefined)
  const explicit = new Set(withJumps.map(({ id }) => id))
  return dropLostReferences({
    quiz: { ...quiz, ...changes.quiz },
    quiz_mode: changes.quiz_mode === undefined ? draft.quiz_mode : changes.quiz_mode,
    ...content,
    questions: preserveJumps(draft, content, ({ id }) => explicit.has(id)),
    results,
    dimensions: ranked(
      upsert(draft.dimensions, changes.dimensions, {
        removed,
        create: (saved) => ({ ...NEW_DIMENSION, quiz_id: quiz.id, position: LAST, ...saved }),
      }),
      'position',
    ),
    text_variants: ranked(
      upsert(draft.text_variants, changes.text_variants, {
        removed,
        create: (saved) => ({ ...NEW_TEXT_VARIANT, quiz_id: quiz.id, position: LAST, ...saved }),
      }),
      'position',
    ),
  })
}

/** Returns the rows by rank, with ranks without gaps. */
const ranked = <Name extends 'position' | 'priority_order', Row extends Record<Name, number>>(
  rows: readonly Row[],
  rank: Name,
): Row[] =>
  rankByIndex(
    rows.toSorted((a, b) => a[rank] - b[rank]),
    rank,
  )

type RowWithId = { id: string }

const upsert = <Row extends RowWithId, Saved extends RowWithId>(
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

const linked = (
  answer: Answer,
  links: ReadonlyMap<string, SavedAssociation[]>,
  known: ReadonlySet<string>,
): Answer => {
  const saved = links.get(answer.id) ?? []
  const isResultRemoved = answer.associations.some(({ result_id }) => !known.has(result_id))
  if (saved.length === 0 && !isResultRemoved) return answer
  const byResult = new Map(
    [...answer.associations, ...saved.map(toAssociation)].map((link) => [link.result_id, link]),
  )
  return {
    ...answer,
    associations: [...byResult.values()].filter(({ result_id }) => known.has(result_id)),
  }
}

/** Rank of a row without a position: last. */
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
