import { fillAddress, insertionsOf, type RichSnapshot } from '#domain/run/rich-text.ts'
import type { Run } from './run.ts'

type Dependencies = {
  /** Returns true if leaving loses no answer: the answers are acknowledged, or stored on this device. */
  mayLeave: () => boolean
  /** Called when a redirect is scheduled, and when the visitor cancels it. */
  onChange: () => void
  /** Opens an address; from a frame, in place of the whole window. */
  go?: (address: string) => void
}

/** Longest time that a result is shown before the redirect. */
const MAX_WAIT_MS = 5_000

/** Creates the redirect from a result to its address, which the visitor can cancel. */
export const createRedirect = ({
  mayLeave,
  onChange,
  go = (address) => open(address, '_top'),
}: Dependencies) => {
  let address: string | undefined
  let timer: ReturnType<typeof setTimeout>
  const end = (): void => {
    clearTimeout(timer)
    address = undefined
  }
  const follow = (): void => {
    if (address === undefined || !mayLeave()) return
    const target = address
    end()
    go(target)
  }
  return {
    isActive: (): boolean => address !== undefined,
    /** Schedules the redirect to the address of the run's result, if it has one, after the longest wait. */
    start: (snapshot: RichSnapshot, { replies, result }: Run): void => {
      end()
      if (!result?.redirect_url) return
      address = fillAddress(result.redirect_url, insertionsOf(snapshot, replies, result))
      timer = setTimeout(follow, MAX_WAIT_MS)
      onChange()
    },
    /** Redirects now, unless an answer would be lost. */
    follow,
    cancel: (): void => {
      if (address === undefined) return
      end()
      onChange()
    },
  }
}
