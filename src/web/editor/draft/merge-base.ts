import { appliedChanges } from '#domain/editing/apply-changes.ts'
import { type Changes, changesBetween, hasNoChanges, rowsById } from '#domain/editing/changes.ts'
import type { Answer, Draft, Question } from '#domain/questionnaire/quiz.ts'
import { type EditorDraft, withChanges } from './editor-draft.ts'

/** Maximum number of recorded drafts; the oldest ones are dropped. */
const MAX_SENT_DRAFTS = 50

/** Drafts of a session that were sent without an acknowledgement. */
export type SentDrafts = ReturnType<typeof createSentDrafts>

/**
 * Records drafts that were sent without an acknowledgement; the server may hold any of them. Their stored
 * changes are the creator's own edits, so they are no conflict.
 */
export const createSentDrafts = () => {
  let drafts: EditorDraft[] = []
  /**
   * Returns the drafts sent on top of `base`. Drafts based on another revision are ignored, because the
   * server would reject them.
   */
  const sentOn = ({ revision }: EditorDraft): EditorDraft[] =>
    drafts.filter((draft) => draft.revision === revision)

  return {
    sentOn,
    /**
     * Records a draft sent on top of `base`. Returns a function that removes the draft when the server has
     * rejected it.
     */
    add: (base: EditorDraft, draft: EditorDraft): (() => void) => {
      const sent = sentOn(base)
      if (hasNoChanges(changesBetween(sent.at(-1) ?? base, draft))) return () => undefined
      const added = { ...draft, revision: base.revision }
      drafts = [...sent.slice(1 - MAX_SENT_DRAFTS), added]
      return () => {
        drafts = drafts.filter((kept) => kept !== added)
      }
    },
  }
}

/**
 * Returns the base of a merge when `theirs` may contain drafts that were sent on top of `base`. Sent changes
 * that `theirs` contains become part of the base, so that later edits are no conflict.
 */
export const commonBase = (
  base: EditorDraft,
  sent: readonly EditorDraft[],
  theirs: EditorDraft,
): EditorDraft =>
  sent.reduce((known, draft) => {
    const held = appliedChanges(known, changesBetween(known, draft), theirs)
    return hasNoChanges(held) ? known : withHeldChanges(known, held)
  }, base)

/**
 * Returns the base with the changes that the server holds. If the changes delete a dimension, its questions keep their
 * `dimension_id` in the base. Each side clears this field itself, and the merge must find this edit of the question.
 */
const withHeldChanges = (base: EditorDraft, held: Changes): EditorDraft => {
  const dimensions = new Map(base.questions.map(({ id, dimension_id }) => [id, dimension_id]))
  for (const { id, dimension_id } of held.questions)
    if (dimension_id !== undefined) dimensions.set(id, dimension_id)
  const later = withChanges(base, held)
  const questions = later.questions.map((question) => {
    const dimension_id = dimensions.get(question.id) ?? null
    return dimension_id === question.dimension_id ? question : { ...question, dimension_id }
  })
  return { ...later, questions }
}

type Row = { id: string }
const positionOf = ({ position }: { position: number }): number => position

/** Rows that were removed during a session. */
export type RemovedRows = ReturnType<typeof createRemovedRows>

/**
 * Records rows that were removed during a session. If both sides of a merge contain such a row again, the
 * recorded row is their common base.
 */
export const createRemovedRows = () => {
  const known = new Map<string, Row>()

  const complete = <R extends Row>(base: R[], sides: R[][], rankOf: (row: R) => number): R[] => {
    const has = new Set(base.map(({ id }) => id))
    const [mine = [], theirs = []] = sides
    const their_ids = new Set(theirs.map(({ id }) => id))
    const missing = mine.flatMap(({ id }) => {
      const row = has.has(id) || !their_ids.has(id) ? undefined : known.get(id)
      // Ids are unique across kinds of rows, so the row has the type of this list.
      return row ? [row as R] : []
    })
    return missing.length === 0
      ? base
      : [...base, ...missing].toSorted((a, b) => rankOf(a) - rankOf(b))
  }

  const withAnswers = (question: Question, sides: Map<string, Question>[]): Question => {
    const answers = complete<Answer>(
      question.answers,
      sides.map((side) => side.get(question.id)?.answers ?? []),
      positionOf,
    )
    return answers === question.answers ? question : { ...question, answers }
  }

  return {
    /** Records the rows of `before` that are missing in `after`. */
    removedBetween: (before: Draft, after: Draft): void => {
      const kept = rowsById(after)
      for (const [id, row] of rowsById(before)) if (!kept.has(id)) known.set(id, row)
    },
    /** Returns the base of a merge, completed with the recorded rows that both sides contain. */
    completing: <D extends Draft>(base: D, { mine, theirs }: { mine: Draft; theirs: Draft }): D => {
      if (known.size === 0) return base
      const questions = [mine.questions, theirs.questions]
      const byId = questions.map((side) => new Map(side.map((question) => [question.id, question])))
      const place = (row: { global_position: number }): number => row.global_position
      return {
        ...base,
        results: complete(
          base.results,
          [mine.results, theirs.results],
          ({ priority_order }) => priority_order,
        ),
        questions: complete(base.questions, questions, place).map((question) =>
          withAnswers(question, byId),
        ),
        text_blocks: complete(base.text_blocks, [mine.text_blocks, theirs.text_blocks], place),
        dimensions: complete(base.dimensions, [mine.dimensions, theirs.dimensions], positionOf),
        text_variants: complete(
          base.text_variants,
          [mine.text_variants, theirs.text_variants],
          positionOf,
        ),
      }
    },
  }
}
