import type { FunnelStep } from '#domain/visits.ts'

/** The French name of a step of a visit. */
export const stepText = ({ kind, page }: Pick<FunnelStep, 'kind' | 'page'>): string => {
  switch (kind) {
    case 'opened':
      return 'Page ouverte'
    case 'began':
      return 'Première réponse donnée'
    case 'page':
      return `Page ${page} atteinte`
    case 'finished':
      return 'Terminé'
  }
}

/** How many visits ended at a step; null for the last. */
export const stoppedAfter = (steps: readonly FunnelStep[], rank: number): number | null => {
  const [step, next] = [steps[rank], steps[rank + 1]]
  return step && next ? step.count - next.count : null
}

/** A funnel of more steps than this is folded to as many. */
export const MOST_STEPS = 7

/**
 * The ranks of the steps that are drawn before a long funnel is unfolded: its first two, its last, and those that
 * most visits ended at, in their order.
 */
export const foldedSteps = (steps: readonly FunnelStep[]): number[] => {
  const ranks = steps.map((_, rank) => rank)
  if (steps.length <= MOST_STEPS) return ranks
  const last = steps.length - 1
  const kept = ranks
    .slice(2, last)
    .sort((a, b) => (stoppedAfter(steps, b) ?? 0) - (stoppedAfter(steps, a) ?? 0) || a - b)
    .slice(0, MOST_STEPS - 3)
  return [0, 1, ...kept.sort((a, b) => a - b), last]
}
