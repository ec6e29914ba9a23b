import { useEffect, useEffectEvent, useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { formatNew } from './format.ts'
import { useLiveCount } from './use-live-count.ts'

/** Whoever answers a great deal at once still leaves time to read. */
const REST_MS = 2_000

type Props = {
  quizId: string
  /** How many participants the figures of the screen were read with. */
  known: number
  onRefresh: () => void
}

/** Says how many came since; the figures follow only when the reader asked for it. */
export const LiveNote = ({ quizId, known, onRefresh }: Props) => {
  const count = useLiveCount(quizId) ?? known
  const [isFollowing, setFollowing] = useState(false)
  const arrived = Math.max(0, count - known)
  const refresh = useEffectEvent(onRefresh)
  const isDue = isFollowing && arrived > 0
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
