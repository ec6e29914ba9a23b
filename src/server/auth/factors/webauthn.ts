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

/** Answer of a browser to a WebAuthn challenge. */
export type WebauthnAnswer = {
  type?: string | null | undefined
  credential_response?: Record<string, unknown> | null | undefined
}

/** Loads the library at first use, because it is large and few accounts need it. */
const library = () => import('@simplewebauthn/server')

const RELYING_PARTY_NAME = 'Quizaine'
/** User verification is not required, because the password already identifies the user. */
const VERIFICATION = 'discouraged'

/** COSE numbers of EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]

const knownKeys = (factors: Factor[]) =>
  factors.flatMap(({ credential, status }) =>
    credential && status === 'verified'
      ? [{ id: credential.id, transports: credential.transports }]
      : [],
  )

const relyingPartyIdOf = ({ public_url }: Pick<Services, 'public_url'>): string =>
  new URL(public_url).hostname

/** Returns the WebAuthn options for a new security key. Verified keys of the account are excluded. */
export const creationOptions = async (
  services: Services,
  user: User,
  factors: Factor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: relyingPartyIdOf(services),
    userName: user.email ?? user.phone ?? user.id,
    userDisplayName: user.email ?? '',
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: knownKeys(factors),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: VERIFICATION },
  })

/** Returns the WebAuthn options for signing with a verified key of the account. */
export const requestOptions = async (
  services: Services,
  factors: Factor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: relyingPartyIdOf(services),
    allowCredentials: knownKeys(factors),
    userVerification: VERIFICATION,
  })

type ExpectedValues = {
  expectedChallenge: string
  expectedOrigin: string
  expectedRPID: string
  requireUserVerification: false
}

const verifyNewKey = async (
  response: Record<string, unknown>,
  expected: ExpectedValues,
): Promise<StoredCredential | undefined> => {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library validates the response.
    response: response as unknown as RegistrationResponseJSON,
    supportedAlgorithmIDs: ALGORITHMS,
    ...expected,
  })
  if (!verified || !registrationInfo) return undefined
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { id, public_key, counter, transports: transports.slice(0, 8) }
}

const verifyKnownKey = async (
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

/** Returns true if a key signed the challenge for this origin. Stores a new key, or the counter of a known key. */
export const checkWebauthnAnswer = async (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  { type, credential_response }: WebauthnAnswer,
): Promise<boolean> => {
  const isNew = factor.status === 'unverified'
  if (type !== (isNew ? 'create' : 'request'))
    throw validationFailed('WebAuthn type is not the one of the challenge')
  if (!credential_response || !challenge.webauthn_challenge)
    throw validationFailed('Credential response required')
  const expected: ExpectedValues = {
    expectedChallenge: challenge.webauthn_challenge,
    expectedOrigin: services.public_url,
    expectedRPID: relyingPartyIdOf(services),
    requireUserVerification: false,
  }
  try {
    const credential = factor.credential
      ? await verifyKnownKey(credential_response, expected, factor.credential)
      : await verifyNewKey(credential_response, expected)
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
