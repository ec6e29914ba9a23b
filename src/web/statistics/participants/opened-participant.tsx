import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type To, useLocation, useNavigate } from 'react-router'
import { useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import type { NextPage } from './use-participant-list.ts'

const NAME = 'participant'

/** Returns the address of this screen with a participant opened, or with none. */
const addressWith = (search: string, participantId: string | null): To => {
  const address = new URLSearchParams(search)
  address.delete(NAME)
  if (participantId !== null) address.set(NAME, participantId)
  return { search: address.toString() }
}

/** Returns the participant in the current address, which the screen may not have rendered yet. */
const readOpenedParticipant = (): string | null =>
  new URLSearchParams(window.location.search).get(NAME)

/**
 * Returns the participant in the address, so that Back closes the participant. `onClosed` is called after any kind of
 * closing.
 */
export const useOpenedParticipant = (onClosed: (participantId: string) => void) => {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const opened = new URLSearchParams(search).get(NAME)
  const before = useRef(opened)
  const closing = useRef<string | null>(null)
  const closed = useRef(onClosed)
  closed.current = onClosed
  useEffect(() => {
    const left = before.current
    before.current = opened
    closing.current = null
    if (left !== null && opened === null) closed.current(left)
  }, [opened])

  return {
    opened,
    addressOf: (participantId: string): To => addressWith(search, participantId),
    /** Replaces the history entry, so that Back closes all visited participants at once. */
    move: (participantId: string): void =>
      void navigate(addressWith(search, participantId), {
        replace: true,
        state: state as unknown,
        preventScrollReset: true,
      }),
    close: (): void => {
      // A dialog calls this again while it closes.
      if (opened === null || closing.current === opened) return
      closing.current = opened
      if (isOverList(state)) void navigate(-1)
      else void navigate(addressWith(search, null), { replace: true, preventScrollReset: true })
    },
  }
}

/** State of a link in the list, so that Back closes the participant that the link opened. */
export const OPENED_OVER_LIST = { isOverList: true }

const isOverList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isOverList' in state

const loadDrawer = () => import('./participant-drawer.tsx')

type Props = {
  quizId: string
  /** Null while no participant is open. */
  participantId: string | null
  /** Participants of the list, in its order. */
  uuids: readonly string[]
  /** Number of participants in the whole list, if known. */
  count: number | null
  more: NextPage | undefined
  onMove: (participantId: string) => void
  onClose: () => void
}

/**
 * Renders the open participant next to the list, and steps through the list. A step beyond the last loaded row loads
 * more rows first.
 */
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
    // Reads the address, because keys may come faster than renders.
    const now = readOpenedParticipant()
    const from = now === null ? -1 : uuids.indexOf(now)
    const to = from < 0 ? undefined : uuids[from + by]
    if (to !== undefined) onMove(to)
    else if (by > 0 && from >= 0 && more) {
      setAwaited(now)
      more.load()
    }
  }
  const continueToNext = useEffectEvent(() => {
    setAwaited(null)
    if (!isLast) step(1)
  })
  const isSettled = isAwaited && (!isLast || moreError !== null)
  useEffect(() => {
    if (isSettled) continueToNext()
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
