import { useEffect, useRef } from 'react'
import { type To, useLocation, useNavigate } from 'react-router'

const NAME = 'participant'

/** The address of this screen with a participant opened, or with none. */
const addressWith = (search: string, participantId: string | null): To => {
  const address = new URLSearchParams(search)
  address.delete(NAME)
  if (participantId !== null) address.set(NAME, participantId)
  return { search: address.toString() }
}

/** Whom the address names now, which a screen that is still being drawn may not show yet. */
export const openedNow = (): string | null => new URLSearchParams(window.location.search).get(NAME)

/**
 * The participant whom the address names, so that the way back closes them. `onClosed` is called once they are
 * closed, by whatever way.
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
    /** The same entry of the history: the way back leaves them all at once. */
    move: (participantId: string): void =>
      void navigate(addressWith(search, participantId), {
        replace: true,
        state: state as unknown,
        preventScrollReset: true,
      }),
    close: (): void => {
      // A dialog closes once more as it goes.
      if (opened === null || closing.current === opened) return
      closing.current = opened
      if (isOverList(state)) void navigate(-1)
      else void navigate(addressWith(search, null), { replace: true, preventScrollReset: true })
    },
  }
}

/** Of a link in the list: going back closes what it opened. */
export const OVER_LIST = { isOverList: true }

const isOverList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isOverList' in state
