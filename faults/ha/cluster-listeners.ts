import { setTimeout as pause } from 'node:timers/promises'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { PUBLISHED, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { readLiveCounts } from '#server/testing/app/live-counts.ts'
import type { SignedInCreator } from '#server/testing/quizzes/external-services.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Load } from '../runner/load.ts'
import type { Product } from '../runner/product.ts'
import { addFailure, quantile, type ScenarioResult } from '../runner/scenario.ts'

/** Checks that notifications between processes (LISTEN and NOTIFY) work again after a fault. */
export type ListenerChecks = {
  /** Opens a statistics screen at the second process. Called before a fault. */
  openScreen: () => Promise<void>
  /** Withdraws a quiz and waits for a count on the open screen. Adds a failure if one of them is late. Closes the screen. */
  check: () => Promise<void>
  /** Adds the measured times to the report. */
  report: () => void
}

type Options = {
  products: readonly Product[]
  caller: SignedInCreator
  quiz: SampleQuiz
  load: Load
  result: ScenarioResult
}

const MAX_WITHDRAWAL_MS = 1_000
/** Maximum time until an open screen has a new count. Without a notification, it would wait for up to 25 seconds. */
const MAX_LIVE_DELAY_MS = 5_000
const MAX_WAIT_MS = 30_000
const POLL_MS = 20

/** Polls until `isDone` returns true, or for MAX_WAIT_MS. Returns the elapsed milliseconds. */
const measureUntil = async (isDone: () => boolean | Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await isDone()) && performance.now() - began < MAX_WAIT_MS) await pause(POLL_MS)
  return performance.now() - began
}

/** Creates the checks of the participant count of `quiz`. Publishes another quiz, which each check withdraws. */
export const createListenerChecks = async ({
  products,
  caller: { client, access_token },
  quiz,
  load,
  result,
}: Options): Promise<ListenerChecks> => {
  const withdrawn_quiz = await publishedScoreQuiz(client)
  let screen: LiveScreen | undefined
  const withdrawal_times_ms: number[] = []
  const live_delays_ms: number[] = []

  /** Waits until both processes answer the page of the withdrawn quiz with this status. Returns the milliseconds. */
  const waitForPages = (status: number): Promise<number> =>
    measureUntil(async () => {
      const pages = await Promise.all(
        products.map(({ origin }) => fetch(`${origin}/q/${withdrawn_quiz.id}`)),
      )
      await Promise.all(pages.map((page) => page.arrayBuffer()))
      return pages.every((page) => page.status === status)
    })
  const withdraw = async (): Promise<void> => {
    await waitForPages(200)
    await client.quizzes.update({ id: withdrawn_quiz.id, body: { status: UNPUBLISHED } })
    const took_ms = await waitForPages(404)
    withdrawal_times_ms.push(took_ms)
    if (took_ms > MAX_WITHDRAWAL_MS)
      addFailure(result, `a withdrawn quiz was shown for ${Math.round(took_ms)} ms`)
    await client.quizzes.update({ id: withdrawn_quiz.id, body: { status: PUBLISHED } })
  }
  const waitForScreen = async ({ count, hasEnded }: LiveScreen): Promise<void> => {
    const expected = [...load.log.submissions.values()].filter(
      ({ is_acknowledged }) => is_acknowledged,
    ).length
    const took_ms = await measureUntil(() => count() >= expected)
    live_delays_ms.push(took_ms)
    if (took_ms > MAX_LIVE_DELAY_MS)
      addFailure(result, `an open screen was ${Math.round(took_ms)} ms late`)
    if (hasEnded()) addFailure(result, 'the stream of an open screen ended')
  }

  return {
    openScreen: async () => {
      screen = openLiveScreen(products.at(-1)?.origin ?? '', { access_token, quiz })
      const { count } = screen
      await measureUntil(() => count() > 0)
    },
    check: async () => {
      await withdraw()
      if (!screen) return
      await waitForScreen(screen)
      await screen.close()
    },
    report: () => {
      result.notes.push(
        `a withdrawal reached both processes in p50 ${formatTimes(withdrawal_times_ms)}`,
        `an open screen was up to date after p50 ${formatTimes(live_delays_ms)}`,
      )
    },
  }
}

const formatTimes = (times_ms: readonly number[]): string =>
  `${Math.round(quantile(times_ms, 0.5))} ms, max ${Math.round(Math.max(...times_ms))} ms`

type LiveScreen = ReturnType<typeof openLiveScreen>

/** Opens the stream of a statistics screen and reads it until `close`. */
const openLiveScreen = (
  origin: string,
  { access_token, quiz }: { access_token: string; quiz: SampleQuiz },
) => {
  const stopping = new AbortController()
  let count = 0
  let hasEnded = false
  const reading = (async () => {
    const response = await fetch(`${origin}${BASE_PATH}/quizzes/${quiz.id}/responses/live`, {
      headers: { authorization: `Bearer ${access_token}` },
      signal: stopping.signal,
    })
    if (!response.ok) throw new Error(`The screen was refused: ${response.status}`)
    for await (const nb_responses of readLiveCounts(response)) count = nb_responses
  })()
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    .finally(() => {
      hasEnded = true
    })
  // `close` throws the error of a stream that failed.
  reading.catch(() => undefined)
  return {
    count: (): number => count,
    hasEnded: (): boolean => hasEnded,
    close: async (): Promise<void> => {
      stopping.abort()
      await reading
    },
  }
}
