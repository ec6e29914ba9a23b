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
