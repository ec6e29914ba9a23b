import { resetMode } from '#domain/questionnaire/mode.ts'
import type { Draft, Result } from '#domain/questionnaire/quiz.ts'
import { keepTieQuestion } from '#domain/questionnaire/tie-question.ts'
import { QUIZ_FIELDS, type QuizFields, RESULT_CONTENT } from './changes.ts'
import { mergeContent, resultsWithChangedAssociations } from './merge-content.ts'
import { mergeOrders } from './merge-order.ts'
import {
  type Choices,
  createMergeContext,
  type EditConflict,
  type MergeContext,
  mergeRows,
  type Versions,
} from './merge-rows.ts'

/**
 * One draft out of two made from the same (docs/decisions/012): a field that one of them changed has
 * that value; what one edited and the other deleted stays; a field both changed differently is a clash,
 * which has their value unless `choices` says otherwise.
 */
export const mergeDrafts = (
  versions: Versions<Draft>,
  choices: Choices = {},
): { draft: Draft; clashes: EditConflict[] } => {
  const { base, mine, theirs } = versions
  if (mine === base) return { draft: theirs, clashes: [] }
  const merging = createMergeContext(choices)
  const quiz_mode = merging.field(
    { kind: 'quiz', field: 'quiz_mode' },
    { base: base.quiz_mode, mine: mine.quiz_mode, theirs: theirs.quiz_mode },
  )
  const agreed = withoutOtherMode(versions, quiz_mode)
  const results = mergeResults(agreed, merging)
  const content = mergeContent(agreed, { results, merging })
  const quiz = merging.fields<QuizFields>({ kind: 'quiz' }, QUIZ_FIELDS, {
    base: agreed.base.quiz,
    mine: agreed.mine.quiz,
    theirs: agreed.theirs.quiz,
  })
  return {
    draft: keepTieQuestion({
      quiz: { ...theirs.quiz, ...quiz },
      quiz_mode,
      results,
      ...content,
    }),
    clashes: merging.clashes,
  }
}

/** A mode kept against another takes with it what belongs to that other, as a reset does (spec §4). */
const withoutOtherMode = (
  { base, mine, theirs }: Versions<Draft>,
  quiz_mode: Draft['quiz_mode'],
): Versions<Draft> => {
  const agreed = (draft: Draft): Draft => {
    if (draft.quiz_mode === null || draft.quiz_mode === quiz_mode) return draft
    return { ...resetMode(draft), quiz_mode: draft.quiz_mode }
  }
  return { base, mine: agreed(mine), theirs: agreed(theirs) }
}

const mergeResults = ({ base, mine, theirs }: Versions<Draft>, merging: MergeContext): Result[] => {
  const ticked = {
    mine: resultsWithChangedAssociations(base, mine),
    theirs: resultsWithChangedAssociations(base, theirs),
  }
  const kept = mergeRows<Result>(
    { base: base.results, mine: mine.results, theirs: theirs.results },
    {
      isEdited: (old, row, side) =>
        ticked[side].has(row.id) || RESULT_CONTENT.some((name) => old[name] !== row[name]),
      merge: (versions) =>
        merging.fields<Result>({ kind: 'result', id: versions.mine.id }, RESULT_CONTENT, versions),
    },
  )
  const spots = (draft: Draft) => draft.results.map(({ id }) => ({ id, page_number: 0 }))
  const order = mergeOrders(
    { base: spots(base), mine: spots(mine), theirs: spots(theirs) },
    { kept: new Set(kept.keys()), isMine: merging.isPlacedByMe('result') },
  )
  return order.flatMap(({ id }, priority_order) => {
    const result = kept.get(id)
    return result ? [{ ...result, priority_order }] : []
  })
}
