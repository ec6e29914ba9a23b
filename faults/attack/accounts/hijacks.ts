import { setTimeout as pause } from 'node:timers/promises'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { authOf, call, cookiesOf, follow, newAddress, newPerson, tokensOf } from './people.ts'
import { addFactor } from './second-factor.ts'

/** Maximum age of a copied token, in renewals by its owner. Two tabs or a lost answer cause small lags. */
const MAX_STEPS = 8
const MOMENT_MS = 11_000

/**
 * Attack with a copied refresh token that its owner has used since. A lag of one renewal returns the current token,
 * as documented; a larger lag ends the session for every holder.
 */
const reuseCopiedRefreshToken = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('confirming')
  const { refresh, user } = authOf(origin)
  const got: string[] = []
  /** Returns a copied token and the session after `steps` renewals by its owner. */
  const copied = async (steps: number) => {
    const person = await newPerson(context, origin)
    let keys = { ...person }
    for (let step = 0; step < steps; step += 1) {
      const { json } = await refresh(keys.refresh_token)
      keys = { ...keys, ...(json as Partial<typeof keys>) }
    }
    return { copy: person.refresh_token, keys }
  }
  const compareWithDatabase = async (
    what: string,
    { copy, keys }: Awaited<ReturnType<typeof copied>>,
  ) => {
    if ((await refresh(copy)).status === 200) got.push(`${what} is renewed`)
    if ((await user(keys.access_token)).status === 200) got.push(`${what} ends nothing`)
  }
  await compareWithDatabase(`a copy ${MAX_STEPS + 1} steps behind`, await copied(MAX_STEPS + 1))
  const [one, two] = [await copied(1), await copied(2)]
  await pause(MOMENT_MS)
  const { status, json } = await refresh(one.copy)
  const isLiving = status === 200 && json.refresh_token === one.keys.refresh_token
  assertPrecondition(
    isLiving,
    `a token one step behind was answered ${status}, not with the living one`,
  )
  await compareWithDatabase(`a copy 2 steps behind, ${MOMENT_MS / 1_000} s old,`, two)
  return got
}

/** Attacks with stolen session tokens. */
export const sessions: Attack[] = [
  {
    name: 'a copied refresh token is reused after its owner renewed it',
    run: reuseCopiedRefreshToken,
  },
]

/** Attack that creates an account with the address of a person who signs up later. */

const THIEF_PASSWORD = 'le mot de passe du voleur'
const OWNER_PASSWORD = 'le mot de passe de la propriétaire'

const ORDERS = [['thief'], ['thief', 'owner'], ['owner', 'thief'], ['thief', 'owner', 'thief']]

const signUpFirst = async ({ site, mailTo }: AttackContext): Promise<string[]> => {
  const { origin } = await site('confirming')
  const { signUp, signIn } = authOf(origin)
  const got: string[] = []
  for (const order of ORDERS) {
    const email = newAddress()
    let link = ''
    let owners_cookie = ''
    for (const who of order) {
      const { headers } = await signUp(email, who === 'thief' ? THIEF_PASSWORD : OWNER_PASSWORD)
      if (who === 'owner') owners_cookie = cookiesOf(headers)
      link = (await mailTo(email))?.link ?? link
    }
    const { access_token } = await follow(link, { headers: { cookie: owners_cookie } })
    assertPrecondition(access_token !== '', 'the owner could not confirm')
    const { status } = await signIn(email, THIEF_PASSWORD)
    if (status === 200) got.push(`signed in after ${order.join(', ')} had signed up`)
  }
  return got
}

const signUpBeforeProvider = async ({ site, provider }: AttackContext): Promise<string[]> => {
  const { origin } = await site('believing')
  const { signUp, signIn, refresh, user } = authOf(origin)
  const email = newAddress()
  const { verified } = await addFactor(origin, tokensOf(await signUp(email, THIEF_PASSWORD)))
  const thief = tokensOf(verified)
  assertPrecondition((await user(thief.access_token)).status === 200, 'the thief could not sign up')

  provider.person = { sub: email, email, email_verified: true }
  const begun = await call(`${origin}/auth/v1/authorize?provider=maison`)
  const cookie = cookiesOf(begun.headers)
  const back = await provider.visit(begun.headers.get('location') ?? '')
  const { access_token } = await follow(back.href, { headers: { cookie } })
  const owner = await user(access_token)
  assertPrecondition(
    owner.json.email === email,
    `the owner's provider was answered ${owner.status}`,
  )

  const got: string[] = []
  if ((await signIn(email, THIEF_PASSWORD)).status === 200) got.push('the password signs in')
  if ((await user(thief.access_token)).status === 200) got.push('a session reads it')
  if ((await refresh(thief.refresh_token)).status === 200) got.push('a session is renewed')
  if (owner.json.factors) got.push('the thief’s second factor is asked of the owner')
  return got
}

/** Attacks that prepare an account before its owner creates it. */
export const hijacks: Attack[] = [
  { name: 'an attacker signs up first with the victim’s address', run: signUpFirst },
  {
    name: 'an attacker signs up first, then the victim signs in through a provider',
    run: signUpBeforeProvider,
  },
]
