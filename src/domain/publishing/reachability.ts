import { leadsToPage } from '#domain/questionnaire/jumps.ts'
import { groupIntoPages, type Page } from '#domain/questionnaire/pages.ts'
import type { PublishError } from '#domain/questionnaire/publish-error.ts'
import {
  type Answer,
  type Draft,
  isChoice,
  JUMP_TO_END,
  JUMP_TO_NOWHERE,
  type Question,
} from '#domain/questionnaire/quiz.ts'
import { nonBlankAnswers, visiblePages } from '#domain/questionnaire/snapshot.ts'

/**
 * The answers that visitors see and that lead to no later page, each with `nameOf` and why in French: a run would
 * go on with the next page instead.
 */
export const jumpErrors = (
  content: Pick<Draft, 'questions' | 'text_blocks'>,
  nameOf: (answer: Answer, question: Question) => string,
): PublishError[] => {
  const hasJump = ({ answers }: Question): boolean =>
    answers.some(({ jump_to }) => jump_to !== null && jump_to !== JUMP_TO_END)
  if (!content.questions.some(hasJump)) return []
  const visible = new Set(visiblePages(content).map(({ number }) => number))
  return content.questions.filter(isChoice).flatMap((question) =>
    nonBlankAnswers(question).flatMap((answer) => {
      const fault = jumpFault(answer, question, visible)
      if (!fault) return []
      const about = { question_id: question.id, answer_id: answer.id, field: 'jump_to' }
      return [{ message: `${nameOf(answer, question)} ${fault}`, ...about }]
    }),
  )
}

const jumpFault = (
  { jump_to }: Answer,
  { page_number }: Question,
  visible: ReadonlySet<number>,
): string | undefined => {
  if (jump_to === null || jump_to === JUMP_TO_END) return undefined
  if (jump_to === JUMP_TO_NOWHERE) return 'mène à une page qui a été supprimée'
  if (jump_to === page_number) return 'mène à sa propre page'
  if (jump_to < page_number) return `mène à la page ${jump_to}, qui vient avant la sienne`
  return visible.has(jump_to) ? undefined : `mène à la page ${jump_to}, où il n’y a rien à voir`
}

type Content = Pick<Draft, 'questions' | 'text_blocks'>

/** Where a run may go on after a page: the numbers of other pages, Infinity for the end; `next` is the page after it. */
const exitsOf = (
  { number, items }: Page,
  { next, isVisible }: { next: number; isVisible: (page_number: number) => boolean },
): Set<number> => {
  const exits = new Set<number>()
  for (const item of items) {
    if (item.kind !== 'question') continue
    const targets = jumpsOf(item.question).map((jump_to) => {
      if (jump_to === JUMP_TO_END) return Number.POSITIVE_INFINITY
      // One that is no later page is passed over, by a run as here.
      return jump_to !== null && jump_to > number && isVisible(jump_to) ? jump_to : undefined
    })
    for (const target of targets) if (target !== undefined) exits.add(target)
    const alwaysLeads = targets.length > 0 && targets.every((target) => target !== undefined)
    if (alwaysLeads && item.question.is_required && !item.question.has_other) return exits
  }
  return exits.add(next)
}

const jumpsOf = (question: Question): (number | null)[] =>
  isChoice(question) ? nonBlankAnswers(question).map(({ jump_to }) => jump_to) : []

/**
 * The numbers of the pages that are on no path. On each page the first chosen answer that
 * leads elsewhere decides, so that each answer can; the next page follows unless some question is always decided
 * by what is chosen: a compulsory one, without « Autre… », of which every answer leads elsewhere.
 */
export const unreachedPages = (content: Content): number[] => {
  if (!content.questions.some(({ answers }) => answers.some(isLeading))) return []
  const pages = visiblePages(content)
  const numbers = new Set(pages.map(({ number }) => number))
  const [first] = pages
  const reached = new Set(first ? [first.number] : [])
  // Jumps lead forward alone: what leads to a page comes before it.
  for (const [index, page] of pages.entries()) {
    if (!reached.has(page.number)) continue
    const next = pages[index + 1]?.number ?? Number.POSITIVE_INFINITY
    for (const exit of exitsOf(page, { next, isVisible: (number) => numbers.has(number) }))
      reached.add(exit)
  }
  return [...numbers].filter((number) => !reached.has(number))
}

const isLeading = (answer: { jump_to: number | null }): boolean =>
  leadsToPage(answer) || answer.jump_to === JUMP_TO_END

/** What a creator is told before publishing, which does not stand in its way: pages that no run comes to. */
export const publishNotices = (content: Content): PublishError[] => {
  const pages = new Map(groupIntoPages(content).map((page) => [page.number, page]))
  return unreachedPages(content).map((number) => {
    const first = pages.get(number)?.items[0]
    const about =
      first?.kind === 'question'
        ? { question_id: first.question.id }
        : { text_block_id: first?.text_block.id }
    return { message: `La page ${number} n’est jamais atteinte`, ...about }
  })
}
