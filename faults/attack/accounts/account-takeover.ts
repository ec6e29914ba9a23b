import { setTimeout as pause } from 'node:timers/promises'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import {
  cookiesOf,
  createAuthClient,
  createEmail,
  createOwner,
  followLink,
  tokensOf,
} from './auth-client.ts'
import { addFactor } from './second-factor.ts'

/** Number of renewals after which a copied token must be refused. Two tabs or a lost response cause smaller lags. */
const MAX_RENEWALS = 8
const GRACE_MS = 11_000

/**
 * Attacks with a copied refresh token that its owner has renewed since. A token that is one renewal old returns the
 * current token, as documented. An older token must end the session for everybody.
 */
const reuseCopiedRefreshToken = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('with_confirmation')
  const { refresh, user } = createAuthClient(origin)
  const successes: string[] = []
  /** Returns a copied token, and the session after the owner has renewed it `nb_renewals` times. */
  const copyToken = async (nb_renewals: number) => {
    const person = await createOwner(context, origin)
    let session = { ...person }
    for (let step = 0; step < nb_renewals; step += 1) {
      const { json } = await refresh(session.refresh_token)
      session = { ...session, ...(json as Partial<typeof session>) }
    }
    return { copy: person.refresh_token, session }
  }
  const checkCopy = async (
    what: string,
    { copy, session }: Awaited<ReturnType<typeof copyToken>>,
  ) => {
    if ((await refresh(copy)).status === 200) successes.push(`${what} was renewed`)
    if ((await user(session.access_token)).status === 200)
      successes.push(`${what} did not end the session`)
  }
  await checkCopy(
    `a token that is ${MAX_RENEWALS + 1} renewals old`,
    await copyToken(MAX_RENEWALS + 1),
  )
  const [first, second] = [await copyToken(1), await copyToken(2)]
  await pause(GRACE_MS)
  const { status, json } = await refresh(first.copy)
  const isCurrentToken = status === 200 && json.refresh_token === first.session.refresh_token
  assertPrecondition(
    isCurrentToken,
    `a token that is one renewal old was answered ${status} instead of the current token`,
  )
  await checkCopy(`a token that is 2 renewals and ${GRACE_MS / 1_000} s old`, second)
  return successes
}

/** Attacks with stolen session tokens. */
export const copiedTokens: Attack[] = [
  {
    name: 'a copied refresh token is reused after its owner renewed it',
    run: reuseCopiedRefreshToken,
  },
]

const THIEF_PASSWORD = 'le mot de passe du voleur'
const OWNER_PASSWORD = 'le mot de passe de la propriétaire'

const SIGN_UP_ORDERS = [
  ['thief'],
  ['thief', 'owner'],
  ['owner', 'thief'],
  ['thief', 'owner', 'thief'],
]

const signUpFirst = async ({ configuredSite, mailTo }: AttackContext): Promise<string[]> => {
  const { origin } = await configuredSite('with_confirmation')
  const { signUp, signIn } = createAuthClient(origin)
  const successes: string[] = []
  for (const order of SIGN_UP_ORDERS) {
    const email = createEmail()
    let link = ''
    let owners_cookie = ''
    for (const who of order) {
      const { headers } = await signUp(email, who === 'thief' ? THIEF_PASSWORD : OWNER_PASSWORD)
      if (who === 'owner') owners_cookie = cookiesOf(headers)
      link = (await mailTo(email))?.link ?? link
    }
    const { access_token } = await followLink(link, { headers: { cookie: owners_cookie } })
    assertPrecondition(access_token !== '', 'the owner could not confirm the address')
    const { status } = await signIn(email, THIEF_PASSWORD)
    if (status === 200)
      successes.push(`the password of the attacker works after sign-ups by ${order.join(', ')}`)
  }
  return successes
}

const signUpBeforeProvider = async ({
  configuredSite,
  provider,
}: AttackContext): Promise<string[]> => {
  const { origin } = await configuredSite('without_confirmation')
  const { signUp, signIn, refresh, user } = createAuthClient(origin)
  const email = createEmail()
  const { verified } = await addFactor(origin, tokensOf(await signUp(email, THIEF_PASSWORD)))
  const thief = tokensOf(verified)
  assertPrecondition((await user(thief.access_token)).status === 200, 'the thief could not sign up')

  provider.person = { sub: email, email, email_verified: true }
  const authorization = await send(`${origin}/auth/v1/authorize?provider=maison`)
  const cookie = cookiesOf(authorization.headers)
  const back = await provider.visit(authorization.headers.get('location') ?? '')
  const { access_token } = await followLink(back.href, { headers: { cookie } })
  const owner = await user(access_token)
  assertPrecondition(
    owner.json.email === email,
    `the sign-in of the owner was answered ${owner.status}`,
  )

  const successes: string[] = []
  if ((await signIn(email, THIEF_PASSWORD)).status === 200)
    successes.push('the password of the attacker signs in')
  if ((await user(thief.access_token)).status === 200)
    successes.push('a session of the attacker reads the account')
  if ((await refresh(thief.refresh_token)).status === 200)
    successes.push('a session of the attacker is renewed')
  if (owner.json.factors) successes.push('the owner is asked for the second factor of the attacker')
  return successes
}

/** Attacks that prepare an account before its owner creates it. */
export const accountTakeovers: Attack[] = [
  { name: 'an attacker signs up first with the victim’s address', run: signUpFirst },
  {
    name: 'an attacker signs up first, then the victim signs in through a provider',
    run: signUpBeforeProvider,
  },
]
