import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { type Choice, uniteEqualEffects } from '#domain/run/possible-choices.ts'

/** Step of an enumeration before its points are packed. Steps are in the order of their pages. */
export type PageStep = {
  question: Pick<SnapshotQuestion, 'id' | 'page_number'>
  choices: readonly Choice[]
}

/** Probabilities of the next page that a run visits, by page number. */
type NextPages = ReadonlyMap<number, number>

/** Number of the step before the first page. */
const START_PAGE = 1

/**
 * Returns steps with equal probabilities of all sums, but without the pages on which no choice has points. Jumps lead to
 * the next remaining page at random, so that an enumeration has far fewer path states. Remaining pages are numbered
 * anew, from 2 on.
 */
export const contractPages = (
  steps: readonly PageStep[],
  zero_points: readonly number[],
): PageStep[] => {
  const pages = [...Map.groupBy(steps, ({ question }) => question.page_number)]
  const remaining = pages.filter(([, own]) => own.some(hasPoints)).map(([number]) => number)
  const numbers = new Map(remaining.map((page, index) => [page, index + START_PAGE + 1]))
  const end: NextPages = new Map([[remaining.length + START_PAGE + 1, 1]])
  /** Pages from the last to the first, because a jump leads forward only. */
  const known: { page_number: number; next: NextPages }[] = []
  const nextFrom = (page_number: number): NextPages =>
    known.findLast((page) => page.page_number >= page_number)?.next ?? end
  for (const [page_number, own] of pages.toReversed()) {
    const number = numbers.get(page_number)
    const next = number ? new Map([[number, 1]]) : nextAfter(own, page_number, nextFrom)
    known.push({ page_number, next })
  }
  /** Step that leads a run without a jump to its next page; none if that is the following page. */
  const leadOn = (number: number, next: NextPages): PageStep[] =>
    next.size === 1 && next.has(number + 1)
      ? []
      : [
          {
            question: { id: '', page_number: number },
            choices: [...next].map(([target_page, share]) => ({
              ...{ share, ranks: [], points: zero_points, target_page },
            })),
          },
        ]
  const redirect = (choice: Choice): Choice[] =>
    choice.target_page === null
      ? [choice]
      : [...nextFrom(choice.target_page)].map(([target_page, share]) => ({
          ...{ ...choice, share: multiply(choice.share, share), target_page },
        }))
  return [
    ...leadOn(START_PAGE, nextFrom(START_PAGE)),
    ...pages.flatMap(([page_number, own]) => {
      const number = numbers.get(page_number)
      if (!number) return []
      const redirected = own.map(({ question, choices }) => ({
        question: { id: question.id, page_number: number },
        choices: uniteEqualEffects(choices.flatMap(redirect)),
      }))
      return [...redirected, ...leadOn(number, nextFrom(page_number + 1))]
    }),
  ]
}

const hasPoints = ({ choices }: PageStep): boolean =>
  choices.some(({ points }) => points.some((sum) => sum !== 0))

/** Returns the product of two probabilities; products never round down to 0, so that possible runs stay possible. */
const multiply = (a: number, b: number): number => Math.max(a * b, Number.MIN_VALUE)

/** Returns the next remaining pages after a page without points. The first jump of the page decides. */
const nextAfter = (
  steps: readonly PageStep[],
  page_number: number,
  nextFrom: (page_number: number) => NextPages,
): NextPages => {
  const next = new Map<number, number>()
  const leadTo = (page: number, share: number): void => {
    for (const [number, of] of nextFrom(page))
      next.set(number, (next.get(number) ?? 0) + multiply(share, of))
  }
  let undecided = 1
  for (const { choices } of steps) {
    let still = 0
    for (const { share, target_page } of choices) {
      if (target_page === null) still += undecided * share
      else if (undecided > 0) leadTo(target_page, multiply(undecided, share))
    }
    undecided = still
  }
  if (undecided > 0) leadTo(page_number + 1, undecided)
  return next
}
