import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { formatNew } from './format.ts'
import { useLiveCount } from './use-live-count.ts'

/** Shortest interval of live refreshes, so that the figures stay readable. */
const REST_MS = 2_000

type Props = {
  quizId: string
  /** The number of participants when the figures were read. */
  known: number
  /** When they were read, in ms, and whether they are being read again. */
  read_at: number
  isReading: boolean
  onRefresh: () => void
}

/** Shows how many participants are newer than the figures, which follow only when the box is ticked. */
export const LiveNote = ({ quizId, known, read_at, isReading, onRefresh }: Props) => {
  const [received = known, setReceived] = useLiveCount(quizId)
  const [isFollowing, setFollowing] = useState(false)
  const receivedBefore = useRef(received)
  const noteBeginning = useEffectEvent(() => {
    receivedBefore.current = received
  })
  useEffect(() => {
    if (isReading) noteBeginning()
  }, [isReading])
  // Figures read after the last received count are newer than it, even when their number is smaller.
  const settle = useEffectEvent(() => {
    if (received === receivedBefore.current) setReceived(known)
  })
  useEffect(() => {
    if (read_at > 0) settle()
  }, [read_at])
  const arrived = Math.max(0, received - known)
  const refresh = useEffectEvent(onRefresh)
  const isDue = isFollowing && received !== known
  useEffect(() => {
    if (!isDue) return
    refresh()
    const timer = setInterval(() => refresh(), REST_MS)
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
