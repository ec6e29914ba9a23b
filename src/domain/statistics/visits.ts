import { skippedStepsOf, type VisitedSteps } from '#domain/run/path.ts'

/** Number of visits that reached a step of a version. */
export type StepCount = { step: number; count: number }

/** Steps that every version has. The following steps are its second page and later pages. */
export const STEPS = { opened: 1, began: 2 } as const

/** Returns the last step of a version: its last page, or the first answer if there is one page. */
export const lastStep = (nb_pages: number): number => Math.max(STEPS.began, nb_pages + 1)

/**
 * Returns the steps of a run that shows the page with this index; -1 is the welcome screen. `isPassed` tells which
 * pages are on the path.
 */
export const stepsTo = (
  page_index: number,
  hasBegun: boolean,
  isPassed: (page_index: number) => boolean,
): number[] => {
  const steps: number[] = [STEPS.opened]
  if (hasBegun) steps.push(STEPS.began)
  for (let index = 1; index <= page_index; index++)
    if (isPassed(index)) steps.push(STEPS.began + index)
  return steps
}

/** Returns the steps as a span with skipped steps; undefined without steps. */
export const spanOf = (steps: readonly number[]): VisitedSteps | undefined => {
  if (steps.length === 0) return undefined
  const span = { from: Math.min(...steps) - 1, to: Math.max(...steps) }
  const left_out = skippedStepsOf(steps, span)
  return left_out ? { ...span, left_out } : span
}

/** Step of a version with the number of visits that reached it. */
export type FunnelStep = {
  kind: 'opened' | 'began' | 'page' | 'finished'
  /** Number of the page, from 2; null for other steps. */
  page: number | null
  count: number
}

/** Pages and participants of a version. */
type VisitedPages = {
  nb_pages: number
  nb_participants: number
  /**
   * Number of participants who visited each page with questions, by page number. Undefined without jumps, when every
   * visit goes through all pages.
   */
  passed?: ReadonlyMap<number, number> | undefined
}

/**
 * Returns the funnel of a version. A visit that reached a step also reached the earlier steps, so that counts never
 * increase. With jumps, a page has its own visits and a later page may have more.
 */
export const funnelOf = (
  counts: readonly StepCount[],
  { nb_pages, nb_participants, passed }: VisitedPages,
): FunnelStep[] => {
  const counted = new Map(counts.map(({ step, count }) => [step, count]))
  const funnel: FunnelStep[] = [{ kind: 'finished', page: null, count: nb_participants }]
  let least = nb_participants
  for (let step = lastStep(nb_pages); step >= STEPS.opened; step--) {
    const own = counted.get(step) ?? 0
    const count = Math.max(own, passed && step > STEPS.began ? (passed.get(step - 1) ?? 0) : least)
    least = Math.max(least, count)
    funnel.unshift({ ...nameOf(step), count })
  }
  return funnel
}

const nameOf = (step: number): Pick<FunnelStep, 'kind' | 'page'> => {
  if (step === STEPS.opened) return { kind: 'opened', page: null }
  return step === STEPS.began ? { kind: 'began', page: null } : { kind: 'page', page: step - 1 }
}

/**
 * Returns the rank of the step that loses the largest share of its visits, the first of equals; null if none does.
 * Versions with jumps have no such step, because their later steps do not tell how many visits went on.
 */
export const worstStep = (steps: readonly Pick<FunnelStep, 'count'>[]): number | null => {
  let worst: number | null = null
  let max = 0
  for (const [rank, { count }] of steps.entries()) {
    const next = steps[rank + 1]
    if (!next || count === 0) continue
    const share = (count - next.count) / count
    if (share > max) [worst, max] = [rank, share]
  }
  return worst
}
