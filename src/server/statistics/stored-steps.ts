import type { Steps, StoredSteps } from '#server/db/outbox-tables.ts'

/** What of a delivery has been done, also of one that was stored while the only label was the tag of its result. */
export const readSteps = (stored: StoredSteps | null, result_name: string | null): Steps => {
  const { has_tag, ...steps } = stored ?? {}
  return has_tag && result_name !== null ? { ...steps, labels: [result_name] } : steps
}

/** Names of the tags and lists that a delivery applied, and of those that its tool refused. */
export const labelsIn = (
  stored: StoredSteps | null,
  result_name: string | null,
): { labels: string[]; refused_labels: string[] } => {
  const { labels = [], refused_labels = [] } = readSteps(stored, result_name)
  return { labels, refused_labels }
}
