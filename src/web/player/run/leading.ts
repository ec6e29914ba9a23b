import { fillAddress, insertionsOf } from '#domain/run/insertions.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import type { Run } from './run.ts'

type Dependencies = {
  /** Whether leaving loses nothing: the answers are acknowledged, or kept on this device. */
  mayLeave: () => boolean
  /** Called when it begins to lead, and when the visitor stays. */
  onChange: () => void
  /** Leaves for an address, a frame as a whole. */
  go?: (address: string) => void
}

/** A result is shown at most this long before the visitor is led on. */
const LONGEST_WAIT_MS = 5_000

/** Leads a visitor on from their result, unless they choose to stay. */
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
  const leave = (): void => {
    if (address === undefined || !mayLeave()) return
    const leads_to = address
    end()
    go(leads_to)
  }
  return {
    isLeading: (): boolean => address !== undefined,
    /** Leaves for the address of the run's result, if it has one: at the latest after the longest wait. */
    begin: (snapshot: RichSnapshot, { replies, result }: Run): void => {
      end()
      if (!result?.redirect_url) return
      address = fillAddress(result.redirect_url, insertionsOf(snapshot, replies, result))
      timer = setTimeout(leave, LONGEST_WAIT_MS)
      onChange()
    },
    /** Leaves now, unless that would lose something. */
    leave,
    stay: (): void => {
      if (address === undefined) return
      end()
      onChange()
    },
  }
}
