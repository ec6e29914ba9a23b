import { type Choice, uniteEqualEffects } from '#domain/run/choice-weights.ts'
import type { EnumerationStep } from './enumerate-runs.ts'
import { multiplyShares } from './state-table.ts'

/** Probabilities of the next page that a run visits, by page number. */
type NextPages = ReadonlyMap<number, number>

/** Number of the step before the first page. */
const START_PAGE = 1

/**
 * Removes the pages on which no choice has points. The probabilities of all sums stay. Jumps to a removed page lead to
 * the remaining pages behind it at random, so that an enumeration has far fewer path states. The remaining pages are
 * renumbered from 2.
 */
export const removePagesWithoutPoints = (steps: readonly EnumerationStep[]): EnumerationStep[] => {
  const pages = [...Map.groupBy(steps, ({ question }) => question.page_number)]
  const remaining = pages.filter(([, items]) => items.some(hasPoints)).map(([number]) => number)
  const numbers = new Map(remaining.map((page, index) => [page, index + START_PAGE + 1]))
  const end: NextPages = new Map([[remaining.length + START_PAGE + 1, 1]])
  /** Results for the later pages, from the last page on. A page needs only these, because jumps lead forward. */
  const known: { page_number: number; next: NextPages }[] = []
  const nextFrom = (page_number: number): NextPages =>
    known.findLast((page) => page.page_number >= page_number)?.next ?? end
  for (const [page_number, items] of pages.toReversed()) {
    const number = numbers.get(page_number)
    const next = number ? new Map([[number, 1]]) : nextAfter(items, page_number, nextFrom)
    known.push({ page_number, next })
  }
  /** Returns a step that leads a run without a jump to its next page; no step if that is the following page. */
  const stepToNextPage = (number: number, next: NextPages): EnumerationStep[] =>
    next.size === 1 && next.has(number + 1)
      ? []
      : [
          {
            question: { id: '', page_number: number },
            choices: [...next].map(([target_page, share]) => ({
              share,
              ranks: [],
              points: [],
              target_page,
            })),
          },
        ]
  const redirect = (choice: Choice): Choice[] =>
    choice.target_page === null
      ? [choice]
      : [...nextFrom(choice.target_page)].map(([target_page, share]) => ({
          ...choice,
          share: multiplyShares(choice.share, share),
          target_page,
        }))
  return [
    ...stepToNextPage(START_PAGE, nextFrom(START_PAGE)),
    ...pages.flatMap(([page_number, items]) => {
      const number = numbers.get(page_number)
      if (!number) return []
      const redirected = items.map(({ question, choices }) => ({
        question: { id: question.id, page_number: number },
        choices: uniteEqualEffects(choices.flatMap(redirect)),
      }))
      return [...redirected, ...stepToNextPage(number, nextFrom(page_number + 1))]
    }),
  ]
}

const hasPoints = ({ choices }: EnumerationStep): boolean =>
  choices.some(({ points }) => points.some((sum) => sum !== 0))

/** Returns the next remaining pages after a page without points. The first jump of the page decides. */
const nextAfter = (
  steps: readonly EnumerationStep[],
  page_number: number,
  nextFrom: (page_number: number) => NextPages,
): NextPages => {
  const next = new Map<number, number>()
  const leadTo = (page: number, share: number): void => {
    for (const [number, probability] of nextFrom(page))
      next.set(number, (next.get(number) ?? 0) + multiplyShares(share, probability))
  }
  /** Probability that no earlier question of the page has jumped. */
  let without_jump = 1
  for (const { choices } of steps) {
    let remaining = 0
    for (const { share, target_page } of choices) {
      if (target_page === null) remaining += without_jump * share
      else if (without_jump > 0) leadTo(target_page, multiplyShares(without_jump, share))
    }
    without_jump = remaining
  }
  if (without_jump > 0) leadTo(page_number + 1, without_jump)
  return next
}
