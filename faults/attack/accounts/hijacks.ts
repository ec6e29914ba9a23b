import { type Attack, needs, type Scene } from '../attack.ts'
import { authOf, call, cookiesOf, follow, keysOf, newAddress } from './people.ts'
import { addFactor } from './second-factor.ts'

/** Accounts made with the address of another, who comes later. */

const THIEFS = 'le mot de passe du voleur'
const OWNERS = 'le mot de passe de la propriétaire'

const ORDERS = [['thief'], ['thief', 'owner'], ['owner', 'thief'], ['thief', 'owner', 'thief']]

const bySignUp = async ({ site, mailTo }: Scene): Promise<string[]> => {
  const { origin } = await site('confirming')
  const { signUp, signIn } = authOf(origin)
  const got: string[] = []
  for (const order of ORDERS) {
    const email = newAddress()
    let link = ''
    let owners_cookie = ''
    for (const who of order) {
      const { headers } = await signUp(email, who === 'thief' ? THIEFS : OWNERS)
      if (who === 'owner') owners_cookie = cookiesOf(headers)
      link = (await mailTo(email))?.link ?? link
    }
    const { access_token } = await follow(link, { headers: { cookie: owners_cookie } })
    needs(access_token !== '', 'the owner could not confirm')
    const { status } = await signIn(email, THIEFS)
    if (status === 200) got.push(`signed in after ${order.join(', ')} had signed up`)
  }
  return got
}

const throughProvider = async ({ site, provider }: Scene): Promise<string[]> => {
  const { origin } = await site('believing')
  const { signUp, signIn, refresh, user } = authOf(origin)
  const email = newAddress()
  const { verified } = await addFactor(origin, keysOf(await signUp(email, THIEFS)))
  const thief = keysOf(verified)
  needs((await user(thief.access_token)).status === 200, 'the thief could not sign up')

  provider.person = { sub: email, email, email_verified: true }
  const begun = await call(`${origin}/auth/v1/authorize?provider=maison`)
  const cookie = cookiesOf(begun.headers)
  const back = await provider.visit(begun.headers.get('location') ?? '')
  const { access_token } = await follow(back.href, { headers: { cookie } })
  const owner = await user(access_token)
  needs(owner.json.email === email, `the owner's provider was answered ${owner.status}`)

  const got: string[] = []
  if ((await signIn(email, THIEFS)).status === 200) got.push('the password signs in')
  if ((await user(thief.access_token)).status === 200) got.push('a session reads it')
  if ((await refresh(thief.refresh_token)).status === 200) got.push('a session is renewed')
  if (owner.json.factors) got.push('the thief’s second factor is asked of the owner')
  return got
}

export const hijacks: Attack[] = [
  { name: 'an account waits for its owner, signed up with her address', run: bySignUp },
  { name: 'an account waits for its owner, who comes through a provider', run: throughProvider },
]
