import { queryOptions } from '@tanstack/react-query'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

const HOUR_MS = 3_600_000

/** A link that opens the quiz as a test; it lasts a day, and is asked for again well before. */
export const trialLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-link'],
    queryFn: () => lazyClient.testRuns.link({ id }),
    staleTime: HOUR_MS,
    // A screen may stay open for longer than a link lasts.
    refetchOnWindowFocus: true,
  })

/** The test runs of a quiz; one may just have ended in another tab. */
export const trialRunsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs'],
    queryFn: () => lazyClient.testRuns.list({ id }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** One test run, with what would be sent of it as the quiz is set up now. */
export const trialRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs', runId],
    queryFn: () => lazyClient.testRuns.get({ id, runId }),
    staleTime: 0,
  })
