import { moveResult } from '#domain/arrange.ts'
import type { Result } from '#domain/quiz.ts'

export type ResultsAction =
  | { type: 'added'; result: Result }
  | { type: 'renamed'; id: string; name: string }
  | { type: 'described'; id: string; description: string }
  | { type: 'removed'; id: string }
  | { type: 'moved'; from: number; to: number }

/** A result just created; undefined when its name is blank (spec §5 « Results »). */
export const createResult = (typed: {
  id: string
  quiz_id: string
  name: string
  now: string
}): Result | undefined => {
  const name = typed.name.trim()
  if (name === '') return undefined
  return {
    id: typed.id,
    quiz_id: typed.quiz_id,
    name,
    description: null,
    priority_order: 0,
    min_score: null,
    max_score: null,
    updated_at: typed.now,
  }
}

/** The list of the results screen after one gesture; priority_order is always the index (spec §4). */
export const resultsReducer = (results: Result[], action: ResultsAction): Result[] => {
  switch (action.type) {
    case 'added':
      return ranked([...results, action.result])
    case 'renamed':
      return changed(results, action.id, { name: action.name })
    case 'described':
      return changed(results, action.id, { description: action.description || null })
    case 'removed':
      return ranked(results.filter(({ id }) => id !== action.id))
    case 'moved':
      return moveResult(results, action.from, action.to)
  }
}

/** The field that an action types in, all of whose changes undo as one; null for any other gesture. */
export const resultsBurst = (action: ResultsAction): string | null =>
  action.type === 'renamed' || action.type === 'described' ? `${action.type} ${action.id}` : null

const ranked = (results: readonly Result[]): Result[] =>
  results.map((result, priority_order) => ({ ...result, priority_order }))

const changed = (results: readonly Result[], id: string, changes: Partial<Result>): Result[] =>
  results.map((result) => (result.id === id ? { ...result, ...changes } : result))

/** A result as the results screen saves it: its thresholds are the questions screen's. */
export type SavedResult = Pick<Result, 'id' | 'name' | 'description' | 'priority_order'>

export const savedResults = (results: readonly Result[]): SavedResult[] =>
  results.map(({ id, name, description, priority_order }) => ({
    id,
    name,
    description,
    priority_order,
  }))
