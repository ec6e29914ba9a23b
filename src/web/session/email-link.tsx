import type { User } from '@supabase/auth-js'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { auth, endOtherSession, findSession, findUserOf } from '#web/api/auth-client.ts'
import { Brand } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { formatPhoneNumber } from './phone-number.ts'
import { signOutLocally } from './session.tsx'

/**
 * State of a mailed link: signing in ('opening'), signed in ('open'), first of two confirmations ('one_of_two'), expired
 * ('ended'), no link in the address ('none'), or waiting for a decision between two accounts.
 */
export type EmailLink = 'opening' | 'open' | 'one_of_two' | 'ended' | 'none' | OtherAccount

/** Set when the link belongs to another account than the signed-in one, and would replace it. */
export type OtherAccount = {
  offered: User
  current: User
  accept: () => Promise<void>
  decline: () => Promise<void>
}

type Tokens = { access_token: string; refresh_token: string }

/** Returns the fragment that the service has set, and removes it from the address, because it contains tokens. */
const readFragment = (): URLSearchParams => {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  if (fragment.size > 0)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  return fragment
}

let pendingFragment: URLSearchParams | undefined

const openTokens = async (tokens: Tokens): Promise<EmailLink> => {
  const { error } = await auth.setSession(tokens)
  return error ? 'ended' : 'open'
}

/**
 * Signs in with a link. If another account is signed in, the creator decides first, because an attacker may have sent
 * the link.
 */
const open = async (
  fragment: URLSearchParams,
  settle: (link: EmailLink) => void,
): Promise<EmailLink> => {
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

/** Signs in with the link that led to this screen, if any, and returns the state of the link. */
export const useEmailLink = (): EmailLink => {
  const [link, setLink] = useState<EmailLink>('opening')
  useEffect(() => {
    const fragment = readFragment()
    // React mounts twice in development, and the address is already cleared at the second mount.
    if (fragment.size > 0 || !pendingFragment) pendingFragment = fragment
    const used = pendingFragment
    open(used, setLink).then((opened) => {
      pendingFragment = undefined
      setLink(opened)
    })
  }, [])
  return link
}

/** Renders a screen with one message, in the style of login and sign-up. */
export const Notice = ({
  title,
  children,
  actions,
  entry,
}: {
  title: string
  children: ReactNode
  /** Buttons below the message. */
  actions?: ReactNode
  entry: ReactNode
}) => (
  <main className="flex min-h-dvh flex-col items-center justify-center bg-wash p-4">
    <title>{`${title} – Quizaine`}</title>
    <p className="mb-6">
      <Brand />
    </p>
    <div className="flex w-full max-w-sm flex-col gap-4 rounded-2xl bg-card p-6 shadow-card">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <div role="status" className="flex flex-col gap-2">
        {children}
      </div>
      {actions}
    </div>
    <p className="mt-4 max-w-sm text-center text-ink-2">{entry}</p>
  </main>
)

/** Returns the address or phone number of an account. */
const nameOf = ({ email, phone }: User): string => {
  if (email) return email
  return phone ? formatPhoneNumber(phone) : 'un compte sans adresse'
}

/** Asks whether the account of a link may replace the signed-in account. */
export const AccountSwitchQuestion = ({ offered, current, accept, decline }: OtherAccount) => {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const stay = async (): Promise<void> => {
    setBusy(true)
    await decline()
    navigate('/dashboard', { replace: true })
  }
  const open = async (): Promise<void> => {
    setBusy(true)
    await accept()
  }
  return (
    <Notice
      title="Changer de compte ?"
      entry="Si vous n’avez pas demandé ce lien, restez sur votre compte."
      actions={
        <>
          <Button variant="primary" size="large" busy={isBusy} onClick={stay}>
            Rester sur mon compte
          </Button>
          <Button size="large" busy={isBusy} onClick={open}>
            Ouvrir l’autre compte
          </Button>
        </>
      }
    >
      <p>Ce lien ouvre un autre compte que le vôtre.</p>
      <dl className="flex flex-col gap-2">
        <Account label="Compte du lien" name={nameOf(offered)} />
        <Account label="Vous êtes connecté avec" name={nameOf(current)} />
      </dl>
    </Notice>
  )
}

const Account = ({ label, name }: { label: string; name: string }) => (
  <div className="rounded-md bg-wash px-3 py-2">
    <dt className="text-sm text-ink-2">{label}</dt>
    <dd className="font-medium wrap-anywhere" dir="auto">
      {name}
    </dd>
  </div>
)
