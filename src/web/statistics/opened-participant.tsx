import { useEffect, useEffectEvent, useState } from 'react'
import { useLazyPart } from '#web/ui/use-lazy-part.ts'
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
  const previous = uuids[place - 1]
  const next = place < 0 ? undefined : uuids[place + 1]
  const moreError = more && !more.isLoading ? more.error : null
  const [awaited, setAwaited] = useState<string | null>(null)
  const isAwaited = awaited !== null && awaited === participantId
  const settle = useEffectEvent(() => {
    setAwaited(null)
    if (next !== undefined) onMove(next)
  })
  const isSettled = isAwaited && (next !== undefined || moreError !== null)
  useEffect(() => {
    if (isSettled) settle()
  }, [isSettled])

  if (participantId === null || !part) return null
  const isLast = place >= 0 && next === undefined
  const loadNext =
    more &&
    (() => {
      setAwaited(participantId)
      more.load()
    })
  const lastStep = isLast && more ? loadNext : undefined
  const onNext = next === undefined ? lastStep : () => onMove(next)
  return (
    <part.ParticipantDrawer
      quizId={quizId}
      participantId={participantId}
      place={place < 0 ? null : { rank: place + 1, count }}
      onPrevious={previous === undefined ? undefined : () => onMove(previous)}
      onNext={onNext}
      isLoadingNext={isAwaited}
      error={isLast ? moreError : null}
      onClose={onClose}
    />
  )
}
