import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { User } from '#server/auth/accounts/users.store.ts'
import { validationFailed } from '#server/auth/auth-error.ts'
import type { Services } from '#server/auth/services.ts'
import type { StoredCredential } from '#server/db/tables.ts'
import type { Challenge } from './challenges.store.ts'
import { type Factor, saveCredential } from './factors.store.ts'

/** Answer of a browser to a WebAuthn challenge. The signed origin is checked. */
export type Ceremony = {
  type?: string | null | undefined
  credential_response?: Record<string, unknown> | null | undefined
}

/** Loads the library at first use, because it is large and few accounts need it. */
const library = () => import('@simplewebauthn/server')

const NAME = 'Quizaine'
/** User verification is not required, because the password already identifies the user. */
const VERIFICATION = 'discouraged'

/** EdDSA, ES256, RS256 by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

const knownKeys = (factors: Factor[]) =>
  factors.flatMap(({ credential, status }) =>
    credential && status === 'verified'
      ? [{ id: credential.id, transports: credential.transports }]
      : [],
  )

const idOf = ({ public_url }: Pick<Services, 'public_url'>): string => new URL(public_url).hostname

/** Returns the options for a new key, and excludes existing keys. */
export const creationOptions = async (
  services: Services,
  user: User,
  factors: Factor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    rpName: NAME,
    rpID: idOf(services),
    userName: user.email ?? user.phone ?? user.id,
    userDisplayName: user.email ?? '',
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: knownKeys(factors),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: VERIFICATION },
  })

/** Returns the options for signing with one of the account's keys. */
export const requestOptions = async (
  services: Services,
  factors: Factor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: idOf(services),
    allowCredentials: knownKeys(factors),
    userVerification: VERIFICATION,
  })

type ExpectedValues = {
  expectedChallenge: string
  expectedOrigin: string
  expectedRPID: string
  requireUserVerification: false
}

const registered = async (
  response: Record<string, unknown>,
  expected: ExpectedValues,
): Promise<StoredCredential | undefined> => {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library validates the shape.
    response: response as unknown as RegistrationResponseJSON,
    supportedAlgorithmIDs: ALGORITHMS,
    ...expected,
  })
  if (!verified || !registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { id, public_key, counter, transports: transports.slice(0, 8) }
}

const asserted = async (
  response: Record<string, unknown>,
  expected: ExpectedValues,
  known: StoredCredential,
): Promise<StoredCredential | undefined> => {
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    ...expected,
    credential: {
      id: known.id,
      publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
      counter: known.counter,
    },
  })
  return verified ? { ...known, counter: authenticationInfo.newCounter } : undefined
}

/** Verifies that a key signed its challenge for this origin, and stores the key or its counter. */
export const checkCeremony = async (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  { type, credential_response }: Ceremony,
): Promise<boolean> => {
  const isNew = factor.status === 'unverified'
  if (type !== (isNew ? 'create' : 'request'))
    throw validationFailed('WebAuthn type is not the one of the challenge')
  if (!credential_response || !challenge.webauthn_challenge)
    throw validationFailed('Credential response required')
  const expected: ExpectedValues = {
    expectedChallenge: challenge.webauthn_challenge,
    expectedOrigin: services.public_url,
    expectedRPID: idOf(services),
    requireUserVerification: false,
  }
  try {
    const credential = factor.credential
      ? await asserted(credential_response, expected, factor.credential)
      : await registered(credential_response, expected)
    if (!credential) return false
    await saveCredential(services.db, factor, credential)
    return true
  } catch (error) {
    // Errors of the library mean a wrong answer; database errors propagate.
    if (error instanceof Error && 'severity' in error) throw error
    services.log.info({ event: 'ceremony_refused', reason: String(error) })
    return false
  }
}
