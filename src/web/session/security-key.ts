import { AUTH_HEADERS, AUTH_URL, auth, findAccessToken } from '#web/api/auth-client.ts'
import { unwrapAuthData } from './use-action.ts'

/**
 * The challenge of a security key. scripts/lean-auth.ts leaves the client's own code for keys out of the bundle,
 * because the browser has the same functions.
 */
type Challenge = {
  id: string
  webauthn:
    | { type: 'create'; credential_options: { publicKey: PublicKeyCredentialCreationOptionsJSON } }
    | { type: 'request'; credential_options: { publicKey: PublicKeyCredentialRequestOptionsJSON } }
}
type Tokens = { access_token: string; refresh_token: string }

const post = async <T>(path: string, body: object): Promise<T> => {
  const reply = await fetch(`${AUTH_URL}${path}`, {
    method: 'POST',
    headers: {
      ...AUTH_HEADERS,
      authorization: `Bearer ${await findAccessToken()}`,
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
    },
    body: JSON.stringify(body),
  })
  const answer = await reply.json()
  if (!reply.ok) throw Object.assign(new Error(answer.message), { code: answer.code })
  return answer
}

const askKey = ({ webauthn }: Challenge): Promise<Credential | null> =>
  webauthn.type === 'create'
    ? navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
          webauthn.credential_options.publicKey,
        ),
      })
    : navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
          webauthn.credential_options.publicKey,
        ),
      })

/**
 * Answers the factor's challenge with a security key, which verifies the factor and raises the session's assurance
 * level.
 */
export const verifyWithSecurityKey = async (factorId: string): Promise<void> => {
  const challenge = await post<Challenge>(`/factors/${factorId}/challenge`, {})
  const credential = await askKey(challenge)
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError')
  const { access_token, refresh_token } = await post<Tokens>(`/factors/${factorId}/verify`, {
    challenge_id: challenge.id,
    webauthn: { type: challenge.webauthn.type, credential_response: credential.toJSON() },
  })
  await unwrapAuthData(auth.setSession({ access_token, refresh_token }))
}

/** Registers a new security key; removes its factor if that fails. */
export const registerSecurityKey = async (friendlyName: string): Promise<void> => {
  const { id } = await unwrapAuthData(auth.mfa.enroll({ factorType: 'webauthn', friendlyName }))
  try {
    await verifyWithSecurityKey(id)
  } catch (error) {
    await auth.mfa.unenroll({ factorId: id })
    throw error
  }
}
