import { useEffect, useState } from 'react'
import { auth } from './auth-client.ts'

/** What the link of a mail has led to: who followed it is signed in, or it has ended. */
export type MailLink = 'opening' | 'open' | 'half' | 'ended' | 'none'

/** What the service wrote behind the #, taken out of the address at once: it opens the account. */
const takeFragment = (): URLSearchParams => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  if (fragment.size > 0)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  return fragment
}

let taken: URLSearchParams | undefined

const open = async (fragment: URLSearchParams): Promise<MailLink> => {
  if (fragment.has('message')) return 'half'
  if (fragment.has('error_code')) return 'ended'
  const access_token = fragment.get('access_token')
  const refresh_token = fragment.get('refresh_token')
  if (!access_token || !refresh_token) return 'none'
  const { error } = await auth.setSession({ access_token, refresh_token })
  return error ? 'ended' : 'open'
}

/** Signs in whoever followed the link of a mail to this screen. */
export const useMailLink = (): MailLink => {
  const [link, setLink] = useState<MailLink>('opening')
  useEffect(() => {
    const fragment = takeFragment()
    // React mounts twice while developing; the second time the address holds nothing any more.
    if (fragment.size > 0 || !taken) taken = fragment
    const used = taken
    open(used).then((opened) => {
      taken = undefined
      setLink(opened)
    })
  }, [])
  return link
}
