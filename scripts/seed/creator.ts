import { patientFetch } from '../http-client.ts'

/** Address and password of the demo creator. */
export const DEMO = { email: 'demo@quizaine.fr', password: 'quizaine-demo' }

const post = async (
  url: string,
  body: unknown,
): Promise<{ ok: boolean; access_token?: string }> => {
  const response = await patientFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { access_token?: string }
  return { ok: response.ok, access_token: answer.access_token }
}

/** Returns the access token of the demo creator, and creates the account if it does not exist. */
export const signIn = async (origin: string): Promise<string> => {
  const known = await post(`${origin}/auth/v1/token?grant_type=password`, DEMO)
  const { access_token } = known.ok ? known : await post(`${origin}/auth/v1/signup`, DEMO)
  if (!access_token)
    throw new Error(
      `${DEMO.email} cannot be signed in: it has another password, or is not confirmed.`,
    )
  return access_token
}
