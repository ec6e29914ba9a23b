import { queryOptions } from '@tanstack/react-query'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

const HOUR_MS = 3_600_000

/** Returns the query of the link that opens the quiz as a trial. The link lasts a day and is renewed well before. */
export const trialLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-link'],
    queryFn: () => lazyClient.trialRuns.link({ id }),
    staleTime: HOUR_MS,
    // A screen may stay open for longer than a link lasts.
    refetchOnWindowFocus: true,
  })

/** Returns the query of the trial runs of a quiz; a run may just have ended in another tab. */
export const trialRunsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs'],
    queryFn: () => lazyClient.trialRuns.list({ id }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** Returns the query of one trial run, with the requests that the current settings would send. */
export const trialRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'test-runs', runId],
    queryFn: () => lazyClient.trialRuns.get({ id, runId }),
    staleTime: 0,
  })
