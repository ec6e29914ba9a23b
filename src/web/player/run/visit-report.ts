import { createIsPageSkipped, skippedStepsQuery } from '#domain/run/path.ts'
import { STEPS, spanOf, stepsTo } from '#domain/statistics/visits.ts'
import { is_test, pages, quiz_id, snapshot, version } from './page-context.ts'
import type { Run } from './run.ts'

/** Steps of this visit (domain/statistics/visits.ts) that the server does not know yet. */
let unreported: number[] = [STEPS.opened]
/** All steps of this visit. */
const reached = [...unreported]

/** Adds the steps that a run has reached. */
export const addVisitSteps = ({ page_index, replies }: Run): void => {
  // A run begins with its first answer, not with a return to the first page.
  const hasBegun = page_index > 0 || Object.keys(replies).length > 0
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const isPassed = (index: number): boolean => !!pages[index] && !isSkipped(pages[index].number)
  for (const step of stepsTo(page_index, hasBegun, isPassed))
    if (!reached.includes(step)) {
      reached.push(step)
      unreported.push(step)
    }
}

/** Forgets the steps that are not reported, because an earlier visit has reported its own steps. */
export const forgetVisitSteps = (): void => {
  unreported = []
}

/**
 * Reports the new steps when the page is hidden, because the visitor may not come back. The report contains nothing
 * about the visitor and needs no answer. Trial runs report nothing.
 */
export const reportVisit = (): void => {
  const span = document.hidden && !is_test && spanOf(unreported)
  if (!span) return
  navigator.sendBeacon(
    `/q/${quiz_id}/visite/${version}/${span.from}/${span.to}${skippedStepsQuery(span, '?')}`,
  )
  unreported = []
}
