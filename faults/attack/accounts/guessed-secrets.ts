import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { callInParallel, createNetwork, send } from '../runner/requests.ts'
import { createAuthClient, createEmail, createOwner, errorCodeOf, tokensOf } from './auth-client.ts'
import { addFactor, createWrongCodes } from './second-factor.ts'

const FACTOR_GUESSES = 180
const MAX_FACTOR_GUESSES = 5
const PASSWORD_GUESSES = 150
/** Maximum password guesses per account and hour (docs/limits.md). */
const MAX_PASSWORD_GUESSES = 30
/** Guesses per mailed code; the fifth wrong guess invalidates the code. */
const GUESSES_PER_CODE = 4

/** Checks that the session of the owner still works, because wrong guesses must not end it. */
const checkOwnerSession = async (
  origin: string,
  { access_token, refresh_token }: ReturnType<typeof tokensOf>,
) => {
  const network = createNetwork()
  const { refresh } = createAuthClient(origin)
  const { status } = await send(`${origin}/api/v1/quizzes`, { token: access_token, network })
  const renewed = await refresh(refresh_token, network)
  const isSignedIn = status === 200 && renewed.status === 200
  return isSignedIn ? [] : ['the session of the owner was ended']
}

const guessSecondFactor = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('rate_limited')
  const owner = await createOwner(context, origin, createNetwork())
  const { path, secret, verified } = await addFactor(origin, owner, createNetwork())
  const { post, signIn } = createAuthClient(origin)
  const thief = tokensOf(await signIn(owner.email, owner.password, createNetwork()))
  const request = { token: thief.access_token }
  const challenges = await callInParallel(FACTOR_GUESSES / 10, async () => {
    const network = createNetwork()
    const { json } = await post(`${path}/challenge`, {}, { ...request, network })
    return { network, challenge_id: json.id }
  })
  const codes = createWrongCodes(secret, FACTOR_GUESSES)
  const error_codes = await Promise.all(
    codes.map(async (code, index) => {
      const { network, challenge_id } = challenges[index % challenges.length] ?? {}
      return errorCodeOf(
        await post(`${path}/verify`, { challenge_id, code }, { ...request, network }),
      )
    }),
  )
  const nb_tried = error_codes.filter((code) => code === 'mfa_verification_failed').length
  assertPrecondition(nb_tried > 0, `codes were answered ${error_codes[0]}`)
  const successes = await checkOwnerSession(origin, tokensOf(verified))
  return nb_tried > MAX_FACTOR_GUESSES
    ? [`${nb_tried} of ${FACTOR_GUESSES} codes of a second factor were tried`, ...successes]
    : successes
}

/** Returns the network of a guess. Half of the guesses come from subnets of one IPv6 network. */
const networkOf = (index: number): string =>
  index % 2 === 0 ? createNetwork() : `2001:db8:77:${index.toString(16)}::1`

const guessPasswords = async (context: AttackContext): Promise<string[]> => {
  const { origin, restart } = await context.configuredSite('rate_limited')
  const owner = await createOwner(context, origin, createNetwork())
  const { signIn } = createAuthClient(origin)
  const guess = async (index: number) =>
    errorCodeOf(await signIn(owner.email, `mot de passe ${index}`, networkOf(index)))
  const error_codes = await callInParallel(PASSWORD_GUESSES, guess)
  const nb_tried = error_codes.filter((code) => code === 'invalid_credentials').length
  assertPrecondition(nb_tried > 0, `passwords were answered ${error_codes[0]}`)
  const successes = await checkOwnerSession(origin, owner)
  if (nb_tried > MAX_PASSWORD_GUESSES)
    return [`${nb_tried} of ${PASSWORD_GUESSES} passwords of one account were tried`, ...successes]
  await restart()
  const more_codes = await callInParallel(MAX_PASSWORD_GUESSES, (index) =>
    guess(PASSWORD_GUESSES + index),
  )
  const nb_more = more_codes.filter((code) => code === 'invalid_credentials').length
  if (nb_tried + nb_more > MAX_PASSWORD_GUESSES)
    successes.push(`${nb_more} more passwords were tried after a restart`)
  return successes
}

/** Guesses the code in each kind of mail. Fails if a mailed code still works after GUESSES_PER_CODE wrong guesses for each mail. */
const guessMailedCodes = async (context: AttackContext): Promise<string[]> => {
  const { mailTo } = context
  const { origin } = await context.configuredSite('rate_limited')
  const { post, signUp } = createAuthClient(origin)
  const email = createEmail()
  const postAs = (path: string, body: object = {}) =>
    post(path, { email, ...body }, { network: createNetwork() })
  const verify = (type: string, token: string) => postAs('/verify', { type, token })
  const mailKinds = [
    { type: 'signup', postAs: () => postAs('/resend', { type: 'signup' }) },
    { type: 'signup', postAs: () => postAs('/otp') },
    { type: 'recovery', postAs: () => postAs('/recover') },
  ]
  await signUp(email, 'le mot de passe de sa propriétaire', createNetwork())
  assertPrecondition((await mailTo(email)) !== undefined, 'a sign-up sent no mail')
  let nb_guesses = 0
  let last = { type: '', code: '' }
  for (const kind of mailKinds) {
    const { status } = await kind.postAs()
    const mail = status === 200 ? await mailTo(email) : undefined
    if (!mail) continue
    last = { type: kind.type, code: mail.code }
    const wrong_code = String((Number(mail.code) + 1) % 1_000_000).padStart(6, '0')
    for (let guess = 0; guess < GUESSES_PER_CODE; guess += 1) {
      await verify(kind.type, wrong_code)
      nb_guesses += 1
    }
  }
  assertPrecondition(nb_guesses >= 2 * GUESSES_PER_CODE, 'too few mails with codes were sent')
  const { status } = await verify(last.type, last.code)
  return status === 200 ? [`a mailed code still works after ${nb_guesses} wrong guesses`] : []
}

const guess = async (context: AttackContext): Promise<string[]> => [
  ...(await guessSecondFactor(context)),
  ...(await guessMailedCodes(context)),
  ...(await guessPasswords(context)),
]

/** Attacks that guess secrets from many networks. */
export const guessedSecrets: Attack[] = [
  { name: 'second factors, mailed codes and passwords are guessed from many networks', run: guess },
]
