import type { AttackContext } from '../runner/attack.ts'
import { describeFigures, type Figures, findExcesses, mergeWorst } from '../runner/limits.ts'
import { measureQuietest } from '../runner/measured-site.ts'

const MAX_LOOP_MS = 250

/** Call whose delay of the event loop is measured. */
export type MeasuredCall = {
  name: string
  /** Makes the call and returns its status; 0 if the server closed the connection before the answer. */
  make: () => Promise<{ status: number }>
  /** Returns true for the statuses that the product may answer. */
  isExpected: (status: number) => boolean
}

/** Returns a check that accepts some statuses only. */
export const oneOf =
  (...expected: number[]) =>
  (status: number): boolean =>
    expected.includes(status)

/** Makes calls in order. Returns a line for each call that blocks the event loop or has an unexpected status. */
export const measureCalls = async (
  context: AttackContext,
  calls: readonly MeasuredCall[],
): Promise<string[]> => {
  const site = await context.measuredSite()
  const successes: string[] = []
  let worst: Figures = {}
  for (const { name, make, isExpected } of calls) {
    const { value, loop_ms } = await measureQuietest(site, MAX_LOOP_MS, make)
    worst = mergeWorst(worst, { loop_ms })
    if (!isExpected(value.status)) successes.push(`${name}: answered ${value.status}`)
    successes.push(...findExcesses({ loop_ms }, { loop_ms: MAX_LOOP_MS }, name))
  }
  context.note(describeFigures(worst))
  return successes
}
