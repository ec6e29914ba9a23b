import type { User } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { auth, endOtherSession, findSession, findUserOf } from '#web/api/auth-client.ts'
import { signOutLocally } from './session.tsx'

/** The state of a link: signing in, signed in, expired, or waiting for the creator's decision. */
export type MailLink = 'opening' | 'open' | 'one_of_two' | 'ended' | 'none' | OtherAccount

/** The link is another account's than the signed-in one, which it would replace. */
export type OtherAccount = {
  offered: User
  current: User
  accept: () => Promise<void>
  decline: () => Promise<void>
}

type Tokens = { access_token: string; refresh_token: string }

/** The fragment that the service has set, removed from the address at once: it contains tokens. */
const readFragment = (): URLSearchParams => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  if (fragment.size > 0)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  return fragment
}

let taken: URLSearchParams | undefined

const openTokens = async (tokens: Tokens): Promise<MailLink> => {
  const { error } = await auth.setSession(tokens)
  return error ? 'ended' : 'open'
}

/** Signs in by a link, unless another account is signed in: a link may have been sent by an attacker. */
const open = async (
  fragment: URLSearchParams,
  settle: (link: MailLink) => void,
): Promise<MailLink> => {
  if (fragment.has('message')) return 'one_of_two'
  if (fragment.has('error_code')) return 'ended'
  const access_token = fragment.get('access_token')
  const refresh_token = fragment.get('refresh_token')
  if (!access_token || !refresh_token) return 'none'
  const tokens = { access_token, refresh_token }
  const current = (await findSession())?.user
  if (!current) return openTokens(tokens)
  const offered = await findUserOf(access_token)
  if (!offered) return 'ended'
  if (offered.id === current.id) return openTokens(tokens)
  return {
    offered,
    current,
    accept: async () => {
      await signOutLocally()
      settle(await openTokens(tokens))
    },
    decline: () => endOtherSession(access_token),
  }
}

/** Signs in by the link that led to this screen, if any. */
export const useMailLink = (): MailLink => {
  const [link, setLink] = useState<MailLink>('opening')
  useEffect(() => {
    const fragment = readFragment()
    // In development React mounts twice; the second time the address is already cleared.
    if (fragment.size > 0 || !taken) taken = fragment
    const used = taken
    open(used, setLink).then((opened) => {
      taken = undefined
      setLink(opened)
    })
  }, [])
  return link
}
