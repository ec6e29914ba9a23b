import type { FunnelStep } from '#domain/visits.ts'

/** A step of a visit as creators read it. */
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

/** How many of a step came no further; nothing of the last one. */
export const stoppedAfter = (steps: readonly FunnelStep[], rank: number): number | null => {
  const [step, next] = [steps[rank], steps[rank + 1]]
  return step && next ? step.count - next.count : null
}
