import { appliedChanges } from '#domain/editing/apply-changes.ts'
import { changesBetween, isEmpty, rowsById } from '#domain/editing/changes.ts'
import type { Answer, Draft, Question } from '#domain/questionnaire/quiz.ts'
import { changed, type EditorDraft } from './editor-draft.ts'

/** Of many tries that failed one after another, all but the oldest of these. */
const MOST = 50

export type SentDrafts = ReturnType<typeof createSentDrafts>

/**
 * Drafts that were sent, by this page or by the one that was left, and not acknowledged: the server may hold any of them.
 * What it holds of one is the creator's own, over which they have edited further.
 */
export const createSentDrafts = () => {
  let drafts: EditorDraft[] = []
  /** Once the server is known to have gone on from `base`, what was sent on top of it comes too late. */
  const sentOn = ({ revision }: EditorDraft): EditorDraft[] =>
    drafts.filter((draft) => draft.revision === revision)

  return {
    sentOn,
    /** Records a draft that is sent on top of `base`; gives what takes it back when it is known not to be stored. */
    add: (base: EditorDraft, draft: EditorDraft): (() => void) => {
      const sent = sentOn(base)
      if (isEmpty(changesBetween(sent.at(-1) ?? base, draft))) return () => undefined
      const added = { ...draft, revision: base.revision }
      drafts = [...sent.slice(1 - MOST), added]
      return () => {
        drafts = drafts.filter((one) => one !== added)
      }
    },
  }
}

/**
 * What two sides of a merge have in common when `theirs` may hold some of the drafts that were `sent` on top of `base`: with
 * that in the base, whatever the creator has made of it since is an edit of theirs.
 */
export const commonBase = (
  base: EditorDraft,
  sent: readonly EditorDraft[],
  theirs: EditorDraft,
): EditorDraft =>
  sent.reduce((known, draft) => {
    const held = appliedChanges(known, changesBetween(known, draft), theirs)
    return isEmpty(held) ? known : changed(known, held)
  }, base)

type Row = { id: string }

export type RemovedRows = ReturnType<typeof createRemovedRows>

/**
 * Rows that a session has seen removed, as they were. When both sides of a merge have such a row again, it is their common
 * base.
 */
export const createRemovedRows = () => {
  const known = new Map<string, Row>()

  const complete = <R extends Row>(base: R[], sides: R[][], rankOf: (row: R) => number): R[] => {
    const has = new Set(base.map(({ id }) => id))
    const [mine = [], theirs = []] = sides
    const there = new Set(theirs.map(({ id }) => id))
    const missing = mine.flatMap(({ id }) => {
      const row = has.has(id) || !there.has(id) ? undefined : known.get(id)
      // Ids are unique across the kinds of rows.
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
      ({ position }) => position,
    )
    return answers === question.answers ? question : { ...question, answers }
  }

  return {
    /** Records the rows of `before` that `after` no longer has. */
    removedBetween: (before: Draft, after: Draft): void => {
      const kept = rowsById(after)
      for (const [id, row] of rowsById(before)) if (!kept.has(id)) known.set(id, row)
    },
    /** The base of a merge, completed with the recorded rows that both sides have. */
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
      }
    },
  }
}
