import { resetMode } from '#domain/questionnaire/mode.ts'
import type { Draft, Result } from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import { RESULT_NAMES, SAVED_QUIZ_NAMES, type SavedQuizFields } from './draft-fields.ts'
import { mergeContent, resultsWithChangedAssociations } from './merge-content.ts'
import { mergeOrders } from './merge-order.ts'
import { mergeDimensionsAndTexts, resultsWithChangedTexts } from './merge-ranked-rows.ts'
import {
  type ConflictChoices,
  createMergeContext,
  type EditConflict,
  type MergeContext,
  type MergeVersions,
  mergeRows,
} from './merge-rows.ts'

/**
 * Merges two edits of one draft (docs/decisions/012). A changed field wins over an unchanged one, and an edited row
 * wins over its deletion. A field with two different changes is a conflict, which takes their value unless `choices`
 * says 'mine'.
 */
export const mergeDrafts = (
  versions: MergeVersions<Draft>,
  choices: ConflictChoices = {},
): { draft: Draft; conflicts: EditConflict[] } => {
  const { base, mine, theirs } = versions
  if (mine === base) return { draft: theirs, conflicts: [] }
  const context = createMergeContext(choices)
  const quiz_mode = context.field(
    { kind: 'quiz', field: 'quiz_mode' },
    { base: base.quiz_mode, mine: mine.quiz_mode, theirs: theirs.quiz_mode },
  )
  const agreed = withoutOtherMode(versions, quiz_mode)
  const results = mergeResults(agreed, context)
  const content = mergeContent(agreed, { results, context })
  const quiz = context.fields<SavedQuizFields>({ kind: 'quiz' }, SAVED_QUIZ_NAMES, {
    base: agreed.base.quiz,
    mine: agreed.mine.quiz,
    theirs: agreed.theirs.quiz,
  })
  return {
    draft: dropLostReferences({
      quiz: { ...theirs.quiz, ...quiz },
      quiz_mode,
      results,
      ...content,
      ...mergeDimensionsAndTexts(agreed, context),
    }),
    conflicts: context.conflicts,
  }
}

/** Resets a mode that lost against another in both versions, as a reset of the mode does (product 4.2). */
const withoutOtherMode = (
  { base, mine, theirs }: MergeVersions<Draft>,
  quiz_mode: Draft['quiz_mode'],
): MergeVersions<Draft> => {
  const agreed = (draft: Draft): Draft => {
    if (draft.quiz_mode === null || draft.quiz_mode === quiz_mode) return draft
    return { ...resetMode(draft), quiz_mode: draft.quiz_mode }
  }
  return { base, mine: agreed(mine), theirs: agreed(theirs) }
}

const mergeResults = (
  { base, mine, theirs }: MergeVersions<Draft>,
  context: MergeContext,
): Result[] => {
  const ticked = {
    mine: resultsWithChangedAssociations(base, mine),
    theirs: resultsWithChangedAssociations(base, theirs),
  }
  const worded = {
    mine: resultsWithChangedTexts(base, mine),
    theirs: resultsWithChangedTexts(base, theirs),
  }
  const kept = mergeRows<Result>(
    { base: base.results, mine: mine.results, theirs: theirs.results },
    {
      isEdited: (old, row, side) =>
        ticked[side].has(row.id) ||
        worded[side].has(row.id) ||
        RESULT_NAMES.some((name) => old[name] !== row[name]),
      merge: (versions) =>
        context.fields<Result>({ kind: 'result', id: versions.mine.id }, RESULT_NAMES, versions),
    },
  )
  const positions = (draft: Draft) => draft.results.map(({ id }) => ({ id, page_number: 0 }))
  const order = mergeOrders(
    { base: positions(base), mine: positions(mine), theirs: positions(theirs) },
    { kept: new Set(kept.keys()), isMine: context.isPlacedByMe('result') },
  )
  return order.flatMap(({ id }, priority_order) => {
    const result = kept.get(id)
    return result ? [{ ...result, priority_order }] : []
  })
}
