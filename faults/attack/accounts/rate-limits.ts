import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { callInParallel, createNetwork, send } from '../runner/requests.ts'
import { type AccountOwner, createAuthClient, createEmail, createOwner } from './auth-client.ts'

const MAILS_PER_KIND = 30
const NB_NETWORKS = 12
const MAILS_PER_NETWORK = 10

/** Calls that send a mail to an address. */
const MAIL_CALLS = [
  ['/otp', {}],
  ['/recover', {}],
  ['/resend', { type: 'signup' }],
] as const

/** Asks for mails from one network and then from several. Returns a line for each owner who gets no mail afterwards. */
const useUpMails = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('few_mails')
  const { post, signUp } = createAuthClient(origin)
  const owners = [
    await createOwner(context, origin, createNetwork()),
    await createOwner(context, origin, createNetwork()),
  ]
  const recover = (email: string, network: string) => post('/recover', { email }, { network })
  const isServed = async ({ email }: AccountOwner) => {
    const { status } = await recover(email, createNetwork())
    return status === 200 && (await context.mailTo(email)) !== undefined
  }
  const successes: string[] = []

  const attacker_network = createNetwork()
  for (const [path, body] of MAIL_CALLS)
    await callInParallel(MAILS_PER_KIND, () =>
      post(path, { email: createEmail(), ...body }, { network: attacker_network }),
    )
  const [first, second] = owners
  if (first && !(await isServed(first)))
    successes.push('one network used up the mails of the site: an account owner gets none')
  const newcomer = await signUp(createEmail(), 'un mot de passe', createNetwork())
  if (newcomer.status !== 200)
    successes.push(
      `one network used up the mails of the site: a sign-up is answered ${newcomer.status}`,
    )

  for (const network of Array.from({ length: NB_NETWORKS }, createNetwork))
    await callInParallel(MAILS_PER_NETWORK, () => recover(createEmail(), network))
  if (second && !(await isServed(second)))
    successes.push(
      `${NB_NETWORKS} networks used up the mails of the site: an account owner gets none`,
    )
  const known = await recover(owners[0]?.email ?? '', createNetwork())
  const unknown = await recover(createEmail(), createNetwork())
  const isTooSoon = known.status === 429
  if (!isTooSoon && known.status !== unknown.status)
    successes.push(`a known address is answered ${known.status}, an unknown one ${unknown.status}`)
  return successes
}

const NB_CALLS = 400
/** Tokens that rate limiters refill per second during an attack. */
const REFILLED_PER_SECOND = 10
const TOLERANCE = 30

/** Spellings of the header that name the same session. */
const SPELLINGS = ['Bearer ', 'bearer ', 'BEARER ', 'beaREr ', 'Bearer  ', 'bearer   ', 'bEarer ']

/** Makes NB_CALLS calls. Returns how many were accepted, without the calls that refilled tokens allow. */
const countAcceptedCalls = async (make: (index: number) => Promise<number>, refilled: number) => {
  const began = performance.now()
  const statuses = await callInParallel(NB_CALLS, make, 20)
  const seconds = (performance.now() - began) / 1_000
  return statuses.filter((status) => status !== 429).length - refilled * seconds
}

const evadeRateLimits = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('rate_limited')
  const { refresh, post } = createAuthClient(origin)
  const successes: string[] = []
  const read = async (authorization: string) => {
    const headers = { authorization }
    return (await send(`${origin}/api/v1/quizzes`, { headers, network: createNetwork() })).status
  }
  const honest = await createOwner(context, origin, createNetwork())
  const nb_usual = await countAcceptedCalls(
    () => read(`Bearer ${honest.access_token}`),
    REFILLED_PER_SECOND,
  )
  assertPrecondition(nb_usual < NB_CALLS - TOLERANCE, 'a normal session is not limited')

  const speller = await createOwner(context, origin, createNetwork())
  const nb_respelled = await countAcceptedCalls(
    (index) => read(`${SPELLINGS[index % SPELLINGS.length]}${speller.access_token}`),
    REFILLED_PER_SECOND,
  )
  const renewer = await createOwner(context, origin, createNetwork())
  const tokens = [renewer.access_token]
  let { refresh_token } = renewer
  for (let turn = 0; turn < 3; turn += 1) {
    const { json } = await refresh(refresh_token, createNetwork())
    refresh_token = String(json.refresh_token)
    tokens.push(String(json.access_token))
  }
  const nb_renewed = await countAcceptedCalls(
    (index) => read(`Bearer ${tokens[index % tokens.length]}`),
    REFILLED_PER_SECOND,
  )
  for (const [what, count] of Object.entries({
    'one session with other spellings of the header': nb_respelled,
    'one session with renewed tokens': nb_renewed,
  }))
    if (count > nb_usual + TOLERANCE)
      successes.push(
        `${Math.round(count)} accepted calls of ${what}, instead of ${Math.round(nb_usual)}`,
      )

  const guess = (network: string) =>
    post('/verify', { type: 'signup', token: '0'.repeat(56), email: createEmail() }, { network })
  const calls = async (addressOf: (index: number) => string) =>
    countAcceptedCalls(async (index) => (await guess(addressOf(index))).status, 0)
  const [plain, v4, v6] = [
    await calls(() => '198.51.100.7'),
    await calls((index) => `198.51.100.8:${20_000 + index}`),
    await calls((index) => `[2001:db8::8]:${20_000 + index}`),
  ]
  assertPrecondition(plain < NB_CALLS - TOLERANCE, 'a network address is not limited')
  if (Math.max(v4, v6) > plain + TOLERANCE)
    successes.push(
      `${Math.max(v4, v6)} accepted calls of one address with ports, instead of ${plain}`,
    )
  return successes
}

/** Attacks that use up or evade rate limits. */
export const rateLimitAttacks: Attack[] = [
  { name: 'an attacker uses up the mail limit of the site', run: useUpMails },
  { name: 'one session or one address evades the rate limits', run: evadeRateLimits },
]
