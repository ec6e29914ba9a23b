import { queryOptions } from '@tanstack/react-query'
import { laterClient } from '#web/later-api/later-client.ts'

const HOUR_MS = 3_600_000

/** A link that opens the quiz as a test; it lasts a day, and is asked for again well before. */
export const testLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-link'],
    queryFn: () => laterClient.testRuns.link({ id }),
    staleTime: HOUR_MS,
    // A screen may stay open for longer than a link lasts.
    refetchOnWindowFocus: true,
  })

/** The test runs of a quiz; one may just have ended in another tab. */
export const testRunsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs'],
    queryFn: () => laterClient.testRuns.list({ id }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** One test run, with what would be sent of it as the quiz is set up now. */
export const testRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs', runId],
    queryFn: () => laterClient.testRuns.get({ id, runId }),
    staleTime: 0,
  })
