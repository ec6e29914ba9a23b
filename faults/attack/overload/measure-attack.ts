import type { AttackContext } from '../runner/attack.ts'
import { describeFigures, findExcesses } from '../runner/limits.ts'

/** Limits that hold for other people during every attack, on two cores. */
const OTHER_USER_LIMITS = { page_p95_ms: 300, save_max_ms: 1_000, document_max_ms: 5_000 }
/** Limits of memory. Some growth may remain after an attack, because caches keep what they may. */
const MEMORY_LIMITS = { growth_mb: 200, remaining_mb: 100 }
/** Rounds of an attack; a delay that occurs in each round is caused by the product, not by other programs. */
const ROUNDS = 2

/**
 * Runs an attack while another visitor and another creator use the product. Notes the figures. Returns the exceeded
 * limits together with the value of the first round.
 */
export const measureAttack = async <T>(
  context: AttackContext,
  work: () => Promise<T>,
): Promise<{ value: T; successes: string[] }> => {
  const site = await context.measuredSite()
  const runRound = async () => {
    const { value: measured, ...others } = await site.measureOtherUsers(() => site.measure(work), {
      has_documents: true,
    })
    const { loop_ms, growth_mb } = measured
    context.note(describeFigures({ loop_ms, growth_mb, ...others }))
    return { ...measured, delays: findExcesses(others, OTHER_USER_LIMITS) }
  }
  const first = await runRound()
  let { delays } = first
  for (let round = 1; round < ROUNDS && delays.length > 0; round++) {
    const next = await runRound()
    if (next.delays.length < delays.length) delays = next.delays
  }
  const remaining_mb = await site.settleMemory(first.start_mb, MEMORY_LIMITS.remaining_mb)
  context.note(describeFigures({ remaining_mb }))
  const memory = { growth_mb: first.growth_mb, remaining_mb }
  return { value: first.value, successes: [...delays, ...findExcesses(memory, MEMORY_LIMITS)] }
}
