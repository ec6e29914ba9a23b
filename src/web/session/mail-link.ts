import type { User } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { auth, endOtherSession, findSession, findUserOf } from '#web/api/auth-client.ts'
import { leaveAccount } from './session.tsx'

/** What a link has led to: its account is open here, it has ended, or its owner has to be asked first. */
export type MailLink = 'opening' | 'open' | 'half' | 'ended' | 'none' | OtherAccount

/** A link to another account than the one that is signed in: opening it would take that one's place. */
export type OtherAccount = {
  offered: User
  current: User
  accept: () => Promise<void>
  decline: () => Promise<void>
}

type Tokens = { access_token: string; refresh_token: string }

/** What the service wrote behind the #, taken out of the address at once: it opens the account. */
const takeFragment = (): URLSearchParams => {
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

/** Opens the account of a link, unless somebody else is signed in here: anyone can send a link to theirs. */
const open = async (
  fragment: URLSearchParams,
  settle: (link: MailLink) => void,
): Promise<MailLink> => {
  if (fragment.has('message')) return 'half'
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
      await leaveAccount()
      settle(await openTokens(tokens))
    },
    decline: () => endOtherSession(access_token),
  }
}

/** Signs in whoever followed a link to this screen. */
export const useMailLink = (): MailLink => {
  const [link, setLink] = useState<MailLink>('opening')
  useEffect(() => {
    const fragment = takeFragment()
    // React mounts twice while developing; the second time the address holds nothing any more.
    if (fragment.size > 0 || !taken) taken = fragment
    const used = taken
    open(used, setLink).then((opened) => {
      taken = undefined
      setLink(opened)
    })
  }, [])
  return link
}
