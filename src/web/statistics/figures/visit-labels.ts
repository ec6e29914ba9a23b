import type { FunnelStep } from '#domain/statistics/visits.ts'

/** Returns the French name of a step of a visit. */
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

/** Returns the number of visits that ended at a step; null for the last step. */
export const countStopsAfter = (steps: readonly FunnelStep[], rank: number): number | null => {
  const [step, next] = [steps[rank], steps[rank + 1]]
  return step && next ? step.count - next.count : null
}

/** Largest number of steps of a folded funnel. */
export const MAX_FUNNEL_STEPS = 7

/**
 * Returns the indexes of the steps of a folded funnel, in order: the first two, the last, and the steps with the
 * largest losses.
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
