import { useEffect, useEffectEvent, useState } from 'react'
import { useLazyPart } from '#web/ui/use-lazy-part.ts'
import { openedNow } from './use-opened-participant.ts'
import type { More } from './use-participant-list.ts'

const loadDrawer = () => import('./participant-drawer.tsx')

type Props = {
  quizId: string
  /** Null: nobody is opened. */
  participantId: string | null
  /** Those of the list, in its order. */
  uuids: readonly string[]
  /** How many the whole list has, if known. */
  count: number | null
  more: More | undefined
  onMove: (participantId: string) => void
  onClose: () => void
}

/** Whoever is opened, beside the list that they may be one of; the one after its last row is loaded first. */
export const OpenedParticipant = ({
  quizId,
  participantId,
  uuids,
  count,
  more,
  onMove,
  onClose,
}: Props) => {
  const { part, show } = useLazyPart(loadDrawer)
  const isOpen = participantId !== null
  const load = useEffectEvent(async () => {
    if (!(await show())) onClose()
  })
  useEffect(() => {
    if (isOpen) void load()
  }, [isOpen])

  const place = participantId === null ? -1 : uuids.indexOf(participantId)
  const isLast = place >= 0 && place === uuids.length - 1
  const moreError = more && !more.isLoading ? more.error : null
  const [awaited, setAwaited] = useState<string | null>(null)
  const isAwaited = awaited !== null && awaited === participantId
  const step = (by: 1 | -1): void => {
    // Keys come faster than screens.
    const now = openedNow()
    const from = now === null ? -1 : uuids.indexOf(now)
    const to = from < 0 ? undefined : uuids[from + by]
    if (to !== undefined) onMove(to)
    else if (by > 0 && from >= 0 && more) {
      setAwaited(now)
      more.load()
    }
  }
  const settle = useEffectEvent(() => {
    setAwaited(null)
    if (!isLast) step(1)
  })
  const isSettled = isAwaited && (!isLast || moreError !== null)
  useEffect(() => {
    if (isSettled) settle()
  }, [isSettled])

  if (participantId === null || !part) return null
  return (
    <part.ParticipantDrawer
      quizId={quizId}
      participantId={participantId}
      place={place < 0 ? null : { rank: place + 1, count }}
      hasPrevious={place > 0}
      hasNext={place >= 0 && (!isLast || more !== undefined)}
      onStep={step}
      isLoadingNext={isAwaited}
      error={isLast ? moreError : null}
      onClose={onClose}
    />
  )
}
