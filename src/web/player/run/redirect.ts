import { parts, type Redirect, type RedirectNeeds } from '#web/player/parts.ts'
import { openAddress } from './open-address.ts'

/** Longest time that a result is shown before the redirect. */
const MAX_WAIT_MS = 5_000

/** Creates the redirect from a result to its address, which the visitor can cancel. */
export const createRedirect = ({
  mayLeave,
  onRedirectChange,
  go = (address) => openAddress(address),
}: RedirectNeeds): Redirect => {
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
    // A frame may refuse the redirect or open a tab. The page stays and shows its link alone.
    onRedirectChange()
  }
  return {
    isActive: (): boolean => address !== undefined,
    schedule: (snapshot, { replies, result }) => {
      end()
      const typed = result?.redirect_url
      if (!typed) return
      const values = parts.insertionsOf?.(snapshot, replies, result)
      address = (values && parts.fillAddress?.(typed, values)) ?? typed
      timer = setTimeout(follow, MAX_WAIT_MS)
      onRedirectChange()
    },
    follow,
    dismiss: (): void => {
      if (address === undefined) return
      end()
      onRedirectChange()
    },
  }
}
