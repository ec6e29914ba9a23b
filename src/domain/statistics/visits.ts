import { leftOutOf, type Steps } from '#domain/run/path.ts'

/** Visits that came to a step of a version; see `STEPS`. */
export type StepCount = { step: number; count: number }

/** The steps that every version has; its second page is the one after them, and so on. */
export const STEPS = { opened: 1, began: 2 } as const

/** The last step of a version: its last page, or the first answer where there is one page. */
export const lastStep = (nb_pages: number): number => Math.max(STEPS.began, nb_pages + 1)

/** The steps of a run that shows the page of this index, -1 on the welcome; `isPassed` says which pages are on its path. */
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

/** Steps in whatever order, as they are said; undefined of none. */
export const spanOf = (steps: readonly number[]): Steps | undefined => {
  if (steps.length === 0) return undefined
  const span = { from: Math.min(...steps) - 1, to: Math.max(...steps) }
  const left_out = leftOutOf(steps, span)
  return left_out ? { ...span, left_out } : span
}

/** A step of a version, and how many visits came to it. */
export type FunnelStep = {
  kind: 'opened' | 'began' | 'page' | 'finished'
  /** Which page, from 2; null of the other steps. */
  page: number | null
  count: number
}

/** The pages of a version, and who finished it. */
type Visited = {
  nb_pages: number
  nb_participants: number
  /**
   * Where answers lead past pages: how many of the participants passed each page that has questions, by its
   * number. Undefined where every visit comes by every page.
   */
  passed?: ReadonlyMap<number, number> | undefined
}

/**
 * How far visits of a version came. A visit that came to a step came to those before it, counted or not (a
 * browser may say nothing): so no step has fewer than the next one, and the last one has exactly the
 * participants that are stored. Where answers lead past pages, a page has the visits that came by it, and a
 * later one may have more; the steps before the pages have as many as any of them.
 */
export const funnelOf = (
  counts: readonly StepCount[],
  { nb_pages, nb_participants, passed }: Visited,
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
 * The rank of the step at which the largest share of its visits ended, the first of equals; null where none ended.
 * Not for versions with jumps: there a later step does not tell how many went on.
 */
export const worstStep = (steps: readonly Pick<FunnelStep, 'count'>[]): number | null => {
  let worst: number | null = null
  let most = 0
  for (const [rank, { count }] of steps.entries()) {
    const next = steps[rank + 1]
    if (!next || count === 0) continue
    const share = (count - next.count) / count
    if (share > most) [worst, most] = [rank, share]
  }
  return worst
}
