import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { authOf, call, many, newAddress, newNetwork, newPerson, type Person } from './people.ts'

/** Attacks on shared allowances and counters. */

const MAILS_OF_A_KIND = 30
const NETWORKS = 12
const MAILS_OF_A_NETWORK = 10

const useUpMails = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('few_mails')
  const { post, signUp } = authOf(origin)
  const owners = [
    await newPerson(context, origin, newNetwork()),
    await newPerson(context, origin, newNetwork()),
  ]
  const recover = (email: string, from: string) => post('/recover', { email }, { from })
  const isServed = async ({ email }: Person) => {
    const { status } = await recover(email, newNetwork())
    return status === 200 && (await context.mailTo(email)) !== undefined
  }
  const got: string[] = []

  const thief = newNetwork()
  for (const [path, body] of [
    ['/otp', {}],
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
  ] as const)
    await many(MAILS_OF_A_KIND, () => post(path, { email: newAddress(), ...body }, { from: thief }))
  const [first, second] = owners
  if (first && !(await isServed(first)))
    got.push('one network used the mails of the site up: an owner gets none')
  const newcomer = await signUp(newAddress(), 'un mot de passe', newNetwork())
  if (newcomer.status !== 200)
    got.push(`one network used the mails of the site up: a newcomer is answered ${newcomer.status}`)

  for (const from of Array.from({ length: NETWORKS }, newNetwork))
    await many(MAILS_OF_A_NETWORK, () => recover(newAddress(), from))
  if (second && !(await isServed(second)))
    got.push(`${NETWORKS} networks used the mails of the site up: an owner gets none`)
  const known = await recover(owners[0]?.email ?? '', newNetwork())
  const unknown = await recover(newAddress(), newNetwork())
  const isTooSoon = known.status === 429
  if (!isTooSoon && known.status !== unknown.status)
    got.push(`a known address is answered ${known.status}, an unknown one ${unknown.status}`)
  return got
}

const CALLS = 400
/** Tokens that rate limiters refill per second during an attack. */
const REFILLED_PER_SECOND = 10
const TOLERANCE = 30

const SPELLINGS = ['Bearer ', 'bearer ', 'BEARER ', 'beaREr ', 'Bearer  ', 'bearer   ', 'bEarer ']

/** Returns how many calls succeed beyond those that refilled tokens allow. */
const countAllowed = async (make: (index: number) => Promise<number>, refilled: number) => {
  const began = performance.now()
  const statuses = await many(CALLS, make, 20)
  const seconds = (performance.now() - began) / 1_000
  return statuses.filter((status) => status !== 429).length - refilled * seconds
}

const evadeRateLimits = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('limited')
  const { refresh, post } = authOf(origin)
  const got: string[] = []
  const read = async (authorization: string) => {
    const headers = { authorization }
    return (await call(`${origin}/api/v1/quizzes`, { headers, from: newNetwork() })).status
  }
  const honest = await newPerson(context, origin, newNetwork())
  const usual = await countAllowed(() => read(`Bearer ${honest.access_token}`), REFILLED_PER_SECOND)
  assertPrecondition(usual < CALLS - TOLERANCE, 'nobody is limited')

  const speller = await newPerson(context, origin, newNetwork())
  const spelled = await countAllowed(
    (index) => read(`${SPELLINGS[index % SPELLINGS.length]}${speller.access_token}`),
    REFILLED_PER_SECOND,
  )
  const renewer = await newPerson(context, origin, newNetwork())
  const tokens = [renewer.access_token]
  let { refresh_token } = renewer
  for (let turn = 0; turn < 3; turn += 1) {
    const { json } = await refresh(refresh_token, newNetwork())
    refresh_token = String(json.refresh_token)
    tokens.push(String(json.access_token))
  }
  const renewed = await countAllowed(
    (index) => read(`Bearer ${tokens[index % tokens.length]}`),
    REFILLED_PER_SECOND,
  )
  for (const [what, count] of Object.entries({
    'one session, spelled otherwise': spelled,
    'one session, its token renewed': renewed,
  }))
    if (count > usual + TOLERANCE)
      got.push(`${Math.round(count)} calls of ${what}, ${Math.round(usual)} as usual`)

  const guess = (from: string) =>
    post('/verify', { type: 'signup', token: '0'.repeat(56), email: newAddress() }, { from })
  const calls = async (addressOf: (index: number) => string) =>
    countAllowed(async (index) => (await guess(addressOf(index))).status, 0)
  const [plain, v4, v6] = [
    await calls(() => '198.51.100.7'),
    await calls((index) => `198.51.100.8:${20_000 + index}`),
    await calls((index) => `[2001:db8::8]:${20_000 + index}`),
  ]
  assertPrecondition(plain < CALLS - TOLERANCE, 'no address is limited')
  if (Math.max(v4, v6) > plain + TOLERANCE)
    got.push(`${Math.max(v4, v6)} calls of one address with ports, ${plain} without`)
  return got
}

/** Attacks that use up or evade rate limits. */
export const allowances: Attack[] = [
  { name: 'an attacker uses up the mail limit of the site', run: useUpMails },
  { name: 'one session or one address evades the rate limits', run: evadeRateLimits },
]
