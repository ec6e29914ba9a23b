import { isJumpToPage, type Page } from '#domain/questionnaire/pages.ts'
import { type Draft, isChoice, JUMP_TO_END, type Question } from '#domain/questionnaire/quiz.ts'
import { nonBlankAnswers, visiblePages } from '#domain/questionnaire/snapshot.ts'

type Content = Pick<Draft, 'questions' | 'text_blocks'>

/** Returns the pages that can follow a page, Infinity for the end. `next` is the following page. */
const exitsOf = (
  { number, items }: Page,
  { next, isVisible }: { next: number; isVisible: (page_number: number) => boolean },
): Set<number> => {
  const exits = new Set<number>()
  for (const item of items) {
    if (item.kind !== 'question') continue
    const targets = jumpsOf(item.question).map((jump_to) => {
      if (jump_to === JUMP_TO_END) return Number.POSITIVE_INFINITY
      // A run ignores jumps that lead to no later visible page.
      return jump_to !== null && jump_to > number && isVisible(jump_to) ? jump_to : undefined
    })
    for (const target of targets) if (target !== undefined) exits.add(target)
    const alwaysJumps = targets.length > 0 && targets.every((target) => target !== undefined)
    if (alwaysJumps && item.question.is_required && !item.question.has_other) return exits
  }
  return exits.add(next)
}

const jumpsOf = (question: Question): (number | null)[] =>
  isChoice(question) ? nonBlankAnswers(question).map(({ jump_to }) => jump_to) : []

/**
 * Returns the numbers of the pages that no path reaches. The first chosen answer with a jump decides, so that each
 * jump can. The following page is unreachable only if a required question without « Autre… » has a jump on every
 * answer.
 */
export const findUnreachablePages = (content: Content): number[] => {
  if (!content.questions.some(({ answers }) => answers.some(hasJump))) return []
  const pages = visiblePages(content)
  const numbers = new Set(pages.map(({ number }) => number))
  const [first] = pages
  const reached = new Set(first ? [first.number] : [])
  // Jumps only lead forward, so that all pages that lead to a page come before it.
  for (const [index, page] of pages.entries()) {
    if (!reached.has(page.number)) continue
    const next = pages[index + 1]?.number ?? Number.POSITIVE_INFINITY
    for (const exit of exitsOf(page, { next, isVisible: (number) => numbers.has(number) }))
      reached.add(exit)
  }
  return [...numbers].filter((number) => !reached.has(number))
}

const hasJump = (answer: { jump_to: number | null }): boolean =>
  isJumpToPage(answer) || answer.jump_to === JUMP_TO_END
