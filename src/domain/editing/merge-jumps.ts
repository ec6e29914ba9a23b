import { followPages } from '#domain/questionnaire/jumps.ts'
import { type Answer, type Draft, JUMP_TO_END, type Question } from '#domain/questionnaire/quiz.ts'
import type { Choice, MergeContext, Versions } from './merge-rows.ts'

type Content = Pick<Draft, 'questions' | 'text_blocks'>
type Follow = (page_number: number) => number

/**
 * How the jumps of two editings become one. Each has its own numbers of pages, so that a jump is compared by the
 * page it leads to: what followed its page was not changed.
 */
export const createJumpMerge = ({ base, mine, theirs }: Versions<Content>) => {
  const followed = { mine: once(base, mine), theirs: once(base, theirs) }
  const isLedElsewhere = (old: Answer, row: Answer, side: Choice): boolean =>
    row.jump_to !== under(old.jump_to, followed[side])

  /** The questions with their jumps merged, in the numbers of these pages. */
  const mergeJumps = (merged: Content, merging: MergeContext): Question[] => {
    const isLeading = ({ jump_to }: Answer): boolean => jump_to !== null
    if (![base, mine, theirs].some((one) => answersOf(one).some(isLeading))) return merged.questions
    const now = { base: once(base, merged), mine: once(mine, merged), theirs: once(theirs, merged) }
    const [before, my, their] = [base, mine, theirs].map(byId)
    const targetOf = (side: Choice, old: Answer | undefined, row: Answer): number | null =>
      old && !isLedElsewhere(old, row, side)
        ? under(old.jump_to, now.base)
        : under(row.jump_to, now[side])
    const mergedJump = (id: string): number | null => {
      const [old, mine, theirs] = [before?.get(id), my?.get(id), their?.get(id)]
      if (!mine) return theirs ? targetOf('theirs', old, theirs) : null
      if (!theirs) return targetOf('mine', old, mine)
      return merging.field<number | null>(
        { kind: 'answer', id, field: 'jump_to' },
        {
          base: old && under(old.jump_to, now.base),
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
  return { isLedElsewhere, mergeJumps }
}

/** `followPages`, worked out when it is first asked for. */
const once = (before: Content, after: Content): Follow => {
  let follow: Follow | undefined
  return (page_number) => {
    follow ??= followPages(before, after)
    return follow(page_number)
  }
}

const under = (jump_to: number | null, follow: Follow): number | null =>
  jump_to === null || jump_to <= JUMP_TO_END ? jump_to : follow(jump_to)

const answersOf = ({ questions }: Content): Answer[] => questions.flatMap(({ answers }) => answers)

const byId = (content: Content): Map<string, Answer> =>
  new Map(answersOf(content).map((answer) => [answer.id, answer]))
