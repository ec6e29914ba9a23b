import { mapPageNumbers } from '#domain/questionnaire/pages.ts'
import { type Answer, type Draft, JUMP_TO_END, type Question } from '#domain/questionnaire/quiz.ts'
import type { MergeContext, MergeSide, MergeVersions } from './merge-rows.ts'

type Content = Pick<Draft, 'questions' | 'text_blocks'>
type Follow = (page_number: number) => number

/**
 * Returns functions that merge the jumps of two edits. Each edit has its own page numbers, so that jumps are compared
 * by the page they lead to. A jump that only followed its page has not changed.
 */
export const createJumpMerge = ({ base, mine, theirs }: MergeVersions<Content>) => {
  const followed = { mine: followLazily(base, mine), theirs: followLazily(base, theirs) }
  const isRedirected = (old: Answer, row: Answer, side: MergeSide): boolean =>
    row.jump_to !== renumbered(old.jump_to, followed[side])

  /** Returns the questions with merged jumps, in the page numbers of `merged`. */
  const mergeJumps = (merged: Content, context: MergeContext): Question[] => {
    const hasJump = ({ jump_to }: Answer): boolean => jump_to !== null
    if (![base, mine, theirs].some((questions) => answersOf(questions).some(hasJump)))
      return merged.questions
    const now = {
      base: followLazily(base, merged),
      mine: followLazily(mine, merged),
      theirs: followLazily(theirs, merged),
    }
    const [before, my, their] = [base, mine, theirs].map(byId)
    const targetOf = (side: MergeSide, old: Answer | undefined, row: Answer): number | null =>
      old && !isRedirected(old, row, side)
        ? renumbered(old.jump_to, now.base)
        : renumbered(row.jump_to, now[side])
    const mergedJump = (id: string): number | null => {
      const [old, mine, theirs] = [before?.get(id), my?.get(id), their?.get(id)]
      if (!mine) return theirs ? targetOf('theirs', old, theirs) : null
      if (!theirs) return targetOf('mine', old, mine)
      return context.field<number | null>(
        { kind: 'answer', id, field: 'jump_to' },
        {
          base: old && renumbered(old.jump_to, now.base),
          mine: targetOf('mine', old, mine),
          theirs: targetOf('theirs', old, theirs),
        },
      )
    }
    return merged.questions.map((question) => {
      const answers = question.answers.map((answer) => {
        const jump_to = mergedJump(answer.id)
        return jump_to === answer.jump_to ? answer : { ...answer, jump_to }
      })
      const isSame = answers.every((answer, index) => answer === question.answers[index])
      return isSame ? question : { ...question, answers }
    })
  }
  return { isRedirected, mergeJumps }
}

/** Returns `mapPageNumbers`, computed at the first call. */
const followLazily = (before: Content, after: Content): Follow => {
  let follow: Follow | undefined
  return (page_number) => {
    follow ??= mapPageNumbers(before, after)
    return follow(page_number)
  }
}

const renumbered = (jump_to: number | null, follow: Follow): number | null =>
  jump_to === null || jump_to <= JUMP_TO_END ? jump_to : follow(jump_to)

const answersOf = ({ questions }: Content): Answer[] => questions.flatMap(({ answers }) => answers)

const byId = (content: Content): Map<string, Answer> =>
  new Map(answersOf(content).map((answer) => [answer.id, answer]))
