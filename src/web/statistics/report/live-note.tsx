import { useEffect, useEffectEvent, useState } from 'react'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { findAccessToken } from '#web/api/auth-client.ts'
import { client } from '#web/api/client.ts'
import { formatNew } from '#web/statistics/format/format.ts'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { readCounts } from './live-events.ts'

/** Polling interval of the count without a stream. */
const POLL_MS = 15_000

/** Returns the live number of participants, undefined before the first count, and its setter. */
const useLiveCount = (quizId: string) => {
  const [count, setCount] = useState<number>()
  useEffect(() => {
    const stopping = new AbortController()
    void watchCount(quizId, setCount, stopping.signal)
    return () => stopping.abort()
  }, [quizId])
  return [count, setCount] as const
}

/** Reads the stream while it is open, and polls once between two connections. */
const watchCount = async (
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

/** Opens the stream of a quiz's new participants; null if the server refuses. */
const openStream = async (
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
  const stream = await openStream(quizId, signal)
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

/** Shortest interval of live refreshes, so that the figures stay readable. */
const MIN_REFRESH_INTERVAL_MS = 2_000

type Props = {
  quizId: string
  /** The number of participants when the figures were read. */
  known: number
  /** Time of the last read in ms, and whether a read is in progress. */
  read_at: number
  isReading: boolean
  onRefresh: () => void
}

/**
 * Shows how many participants are newer than the figures. The figures update themselves only if the box is ticked.
 */
export const LiveNote = ({ quizId, known, read_at, isReading, onRefresh }: Props) => {
  const [received = known, setReceived] = useLiveCount(quizId)
  const [isFollowing, setFollowing] = useState(false)
  // Count and time of the last read when the current read began; null outside reads.
  const [before, setBefore] = useState<{ received: number; read_at: number } | null>(null)
  if (isReading && before === null) setBefore({ received, read_at })
  if (before !== null && (!isReading || read_at !== before.read_at)) {
    setBefore(null)
    // Figures read after the last received count are newer than the count, even if their number is smaller. The count is
    // replaced before it is shown, so that a deletion does not announce a new participant.
    if (read_at !== before.read_at && received === before.received) setReceived(known)
  }
  const arrived = Math.max(0, received - known)
  const refresh = useEffectEvent(onRefresh)
  const isDue = isFollowing && received !== known
  useEffect(() => {
    if (!isDue) return
    refresh()
    const timer = setInterval(() => refresh(), MIN_REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isDue])
  return (
    <>
      <p role="status" className="font-medium text-brand tabular-nums empty:hidden">
        {arrived > 0 && formatNew(arrived)}
      </p>
      <Checkbox
        label="Suivre en direct"
        checked={isFollowing}
        onChange={(event) => setFollowing(event.currentTarget.checked)}
      />
    </>
  )
}
