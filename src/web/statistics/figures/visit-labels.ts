import type { FunnelStep } from '#domain/statistics/visits.ts'

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
export const countStopsAfter = (steps: readonly FunnelStep[], rank: number): number | null => {
  const [step, next] = [steps[rank], steps[rank + 1]]
  return step && next ? step.count - next.count : null
}

/** A funnel of more steps than this is folded to as many. */
export const MAX_FUNNEL_STEPS = 7

/**
 * The ranks of the steps that are drawn before a long funnel is unfolded: its first two, its last, and those that
 * most visits ended at, in their order.
 */
export const selectFunnelSteps = (steps: readonly FunnelStep[]): number[] => {
  const ranks = steps.map((_, rank) => rank)
  if (steps.length <= MAX_FUNNEL_STEPS) return ranks
  const last = steps.length - 1
  const kept = ranks
    .slice(2, last)
    .sort((a, b) => (countStopsAfter(steps, b) ?? 0) - (countStopsAfter(steps, a) ?? 0) || a - b)
    .slice(0, MAX_FUNNEL_STEPS - 3)
  return [0, 1, ...kept.sort((a, b) => a - b), last]
}
