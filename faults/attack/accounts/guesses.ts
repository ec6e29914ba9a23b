import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import {
  authOf,
  call,
  codeOf,
  many,
  newAddress,
  newNetwork,
  newPerson,
  tokensOf,
} from './people.ts'
import { addFactor, wrongCodes } from './second-factor.ts'

/** Attacks that guess secrets from many networks. */

const FACTOR_GUESSES = 180
const MAX_FACTOR_GUESSES = 5
const PASSWORD_GUESSES = 150
/** Maximum password guesses per account and hour (docs/limits.md). */
const MAX_PASSWORD_GUESSES = 30
/** Guesses per mailed code; the fifth wrong guess invalidates the code. */
const GUESSES_PER_CODE = 4

/** Checks that the existing session of the owner continues, because guesses must not end it. */
const checkOwner = async (
  origin: string,
  { access_token, refresh_token }: ReturnType<typeof tokensOf>,
) => {
  const from = newNetwork()
  const { refresh } = authOf(origin)
  const { status } = await call(`${origin}/api/v1/quizzes`, { access_token, from })
  const renewed = await refresh(refresh_token, from)
  const isIn = status === 200 && renewed.status === 200
  return isIn ? [] : ['the owner is shut out of the session that she had']
}

const factorGuesses = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('limited')
  const owner = await newPerson(context, origin, newNetwork())
  const { path, secret, verified } = await addFactor(origin, owner, newNetwork())
  const { post, signIn } = authOf(origin)
  const thief = tokensOf(await signIn(owner.email, owner.password, newNetwork()))
  const asked = { access_token: thief.access_token }
  const places = await many(FACTOR_GUESSES / 10, async () => {
    const from = newNetwork()
    const { json } = await post(`${path}/challenge`, {}, { ...asked, from })
    return { from, challenge_id: json.id }
  })
  const codes = wrongCodes(secret, FACTOR_GUESSES)
  const answers = await Promise.all(
    codes.map(async (code, index) => {
      const { from, challenge_id } = places[index % places.length] ?? {}
      return codeOf(await post(`${path}/verify`, { challenge_id, code }, { ...asked, from }))
    }),
  )
  const tried = answers.filter((code) => code === 'mfa_verification_failed').length
  assertPrecondition(tried > 0, `codes were answered ${answers[0]}`)
  const got = await checkOwner(origin, tokensOf(verified))
  return tried > MAX_FACTOR_GUESSES
    ? [`${tried} of ${FACTOR_GUESSES} codes of a second factor tried at once`, ...got]
    : got
}

/** Returns the network of a guess. Half of the guesses come from one IPv6 network with 65,536 smaller ones. */
const placeOf = (index: number): string =>
  index % 2 === 0 ? newNetwork() : `2001:db8:77:${index.toString(16)}::1`

const passwordGuesses = async (context: AttackContext): Promise<string[]> => {
  const { origin, restart } = await context.site('limited')
  const owner = await newPerson(context, origin, newNetwork())
  const { signIn } = authOf(origin)
  const guess = async (index: number) =>
    codeOf(await signIn(owner.email, `mot de passe ${index}`, placeOf(index)))
  const answers = await many(PASSWORD_GUESSES, guess)
  const tried = answers.filter((code) => code === 'invalid_credentials').length
  assertPrecondition(tried > 0, `passwords were answered ${answers[0]}`)
  const got = await checkOwner(origin, owner)
  if (tried > MAX_PASSWORD_GUESSES)
    return [`${tried} of ${PASSWORD_GUESSES} passwords of one account tried`, ...got]
  await restart()
  const again = await many(MAX_PASSWORD_GUESSES, (index) => guess(PASSWORD_GUESSES + index))
  const more = again.filter((code) => code === 'invalid_credentials').length
  if (tried + more > MAX_PASSWORD_GUESSES) got.push(`${more} more passwords after a restart`)
  return got
}

/** Guesses the code of each kind of mail, with five attempts per code. */
const codeGuesses = async (context: AttackContext): Promise<string[]> => {
  const { mailTo } = context
  const { origin } = await context.site('limited')
  const { post, signUp } = authOf(origin)
  const email = newAddress()
  const ask = (path: string, body: object = {}) =>
    post(path, { email, ...body }, { from: newNetwork() })
  const verify = (type: string, token: string) => ask('/verify', { type, token })
  const kinds = [
    { type: 'signup', ask: () => ask('/resend', { type: 'signup' }) },
    { type: 'signup', ask: () => ask('/otp') },
    { type: 'recovery', ask: () => ask('/recover') },
  ]
  await signUp(email, 'le mot de passe de sa propriétaire', newNetwork())
  assertPrecondition((await mailTo(email)) !== undefined, 'no mail of a sign-up')
  let nb_guesses = 0
  let last = { type: '', code: '' }
  for (const kind of kinds) {
    const { status } = await kind.ask()
    const mail = status === 200 ? await mailTo(email) : undefined
    if (!mail) continue
    last = { type: kind.type, code: mail.code }
    const failures = String((Number(mail.code) + 1) % 1_000_000).padStart(6, '0')
    for (let guess = 0; guess < GUESSES_PER_CODE; guess += 1) {
      await verify(kind.type, failures)
      nb_guesses += 1
    }
  }
  assertPrecondition(nb_guesses >= 2 * GUESSES_PER_CODE, 'no codes were sent to guess')
  const { status } = await verify(last.type, last.code)
  return status === 200 ? [`a mail’s code opens after ${nb_guesses} wrong ones`] : []
}

const guess = async (context: AttackContext): Promise<string[]> => [
  ...(await factorGuesses(context)),
  ...(await codeGuesses(context)),
  ...(await passwordGuesses(context)),
]

/** Attacks that guess secrets from many networks. */
export const guesses: Attack[] = [
  { name: 'second factors, mailed codes and passwords are guessed from many networks', run: guess },
]
