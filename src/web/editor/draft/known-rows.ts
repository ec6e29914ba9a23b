import { rowsById } from '#domain/changes.ts'
import type { Answer, Draft, Question } from '#domain/quiz.ts'

type Row = { id: string }

export type KnownRows = ReturnType<typeof createKnownRows>

/**
 * Rows that a session has seen removed, as they were. When both sides of a merge have such a row again, it is their common
 * base.
 */
export const createKnownRows = () => {
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
