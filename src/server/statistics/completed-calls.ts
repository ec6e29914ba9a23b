import type { Refused } from '#domain/delivery-words.ts'
import type { CompletedCalls } from '#server/db/outbox-tables.ts'

/** Returns the labels and parameters of a delivery that the tool refused. */
export const refusedIn = ({
  refused_labels = [],
  refused_fields = [],
}: CompletedCalls): Refused => ({
  labels: refused_labels,
  parameters: refused_fields,
})

/** Returns the names of the tags and lists that a delivery applied, and the parts that the tool refused. */
export const labelsIn = (
  completed_calls: CompletedCalls | null,
): { labels: string[]; refused: Refused } => ({
  labels: completed_calls?.labels ?? [],
  refused: refusedIn(completed_calls ?? {}),
})
