import type { Refused } from '#domain/delivery-words.ts'
import type { Steps, StoredSteps } from '#server/db/outbox-tables.ts'

/** What of a delivery has been done, also of one that was stored while the only label was the tag of its result. */
export const readSteps = (stored: StoredSteps | null, result_name: string | null): Steps => {
  const { has_tag, ...steps } = stored ?? {}
  return has_tag && result_name !== null ? { ...steps, labels: [result_name] } : steps
}

/** What the tool refused of a delivery that it has. */
export const refusedIn = ({ refused_labels = [], refused_fields = [] }: Steps): Refused => ({
  labels: refused_labels,
  parameters: refused_fields,
})

/** Names of the tags and lists that a delivery applied, and what its tool refused. */
export const labelsIn = (
  stored: StoredSteps | null,
  result_name: string | null,
): { labels: string[]; refused: Refused } => {
  const steps = readSteps(stored, result_name)
  return { labels: steps.labels ?? [], refused: refusedIn(steps) }
}
