import { useQuery } from '@tanstack/react-query'
import { countingQuery, type ResponsesPage } from '#web/api/queries.ts'
import type { Filters } from './filters.ts'

/**
 * The figures that go with the first page of participants: its own, or what has been counted since where
 * that was still being done.
 */
export const useCounted = (
  quizId: string,
  filters: Filters,
  { first, read_at }: { first: ResponsesPage | undefined; read_at: number },
): { counted: ResponsesPage | undefined; error: Error | null } => {
  const later = useQuery({
    ...countingQuery(quizId, filters, read_at),
    enabled: first?.counting !== undefined,
  })
  return first?.counting
    ? { counted: later.data ?? first, error: later.error }
    : { counted: first, error: null }
}
