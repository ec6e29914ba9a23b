import { queryOptions } from '@tanstack/react-query'
import { client } from '#web/api/client.ts'
import type { Filters } from './filters.ts'

/** What is still being counted is asked for again after this pause. */
const COUNTING_MS = 1_500

type Counting = { counting?: unknown }

const whileCounting = ({
  state: { data, error },
}: {
  state: { data: Counting | undefined; error: Error | null }
}) => (error === null && data?.counting ? COUNTING_MS : (false as const))

/** The key figures of the period and of the one before, those of the filters before meanwhile. */
export const keyFiguresQuery = (id: string, filters: Filters) =>
  queryOptions({
    queryKey: ['quizzes', id, 'key-figures', filters],
    queryFn: () => client.statistics.keyFigures({ id, ...filters, later: '1' }),
    staleTime: 0,
    refetchInterval: whileCounting,
    placeholderData: (before) => before,
  })

/** Who gives which answer, the table before meanwhile: `rows` and `columns` are 'result' or the id of a question. */
export const crosstabQuery = (
  id: string,
  { rows, columns }: { rows: string; columns: string },
  filters: Filters,
) =>
  queryOptions({
    queryKey: ['quizzes', id, 'crosstab', rows, columns, filters],
    queryFn: () => client.statistics.crosstab({ id, rows, columns, ...filters, later: '1' }),
    staleTime: 0,
    refetchInterval: whileCounting,
    placeholderData: (before) => before,
  })
