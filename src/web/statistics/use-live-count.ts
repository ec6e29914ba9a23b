import { useEffect, useState } from 'react'
import { BASE_PATH } from '#contract/call.ts'
import { findAccessToken } from '#web/api/auth-client.ts'
import { client } from '#web/api/client.ts'
import { readCounts } from './live-events.ts'

/** Without a stream, the count is polled at this interval. */
const POLL_MS = 15_000

/** The live number of participants of the quiz, undefined until the first count, and its setter. */
export const useLiveCount = (quizId: string) => {
  const [count, setCount] = useState<number>()
  useEffect(() => {
    const stopping = new AbortController()
    void watch(quizId, setCount, stopping.signal)
    return () => stopping.abort()
  }, [quizId])
  return [count, setCount] as const
}

/** Reads the stream while it is open, and polls once between two connections. */
const watch = async (
  quizId: string,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await readStream(quizId, onCount, signal).catch(() => undefined)
    await pause(signal)
    if (signal.aborted) return
    await client.quizzes.get({ id: quizId }).then(
      ({ quiz }) => onCount(quiz.nb_responses),
      () => undefined,
    )
  }
}

/** The stream of events of a quiz's new participants; null when the server refuses it. */
const openLive = async (
  quizId: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> => {
  const access_token = await findAccessToken()
  const response = await fetch(`${BASE_PATH}/quizzes/${quizId}/responses/live`, {
    credentials: 'same-origin',
    headers: access_token ? { authorization: `Bearer ${access_token}` } : {},
    signal,
  })
  return response.ok ? response.body : null
}

const readStream = async (
  quizId: string,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<void> => {
  const stream = await openLive(quizId, signal)
  if (!stream) return
  for await (const count of readCounts(stream)) onCount(count)
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
