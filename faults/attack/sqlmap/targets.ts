import { randomUUID } from 'node:crypto'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'

/** Valid call whose parameters are attacked one after the other. */
export type Target = {
  name: string
  method: string
  /** Path and query; a star after a value marks a parameter for sqlmap. */
  url: string
  access_token: string
  body: object | undefined
  /** Form data of a page without JavaScript, instead of a JSON body. */
  form?: string
}

const PASSWORD = 'un mot de passe'

const signUp = async (origin: string) => {
  const email = `attaque-${randomUUID()}@exemple.fr`
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const { access_token, refresh_token } = (await response.json()) as Record<string, string>
  return { email, access_token: access_token ?? '', refresh_token: refresh_token ?? '' }
}

/** Valid values of query parameters. */
const PARAMETER_VALUES: Record<string, string> = {
  email: 'camille@exemple.fr',
  search: 'Lyon',
  from: '2026-01-01',
  to: '2026-12-31',
  limit: '10',
  after: 'abc',
  cursor: 'abc',
  provider: 'brevo',
  status: 'refused',
  preview: '1',
  result: randomUUID(),
  answer: randomUUID(),
}

/** Returns a body without `based_on`, because this revision would be outdated after the first request. */
const withoutRevision = (valid_body: unknown): object | undefined => {
  if (typeof valid_body !== 'object' || valid_body === null) return undefined
  const { based_on: _, ...body } = valid_body as { based_on?: number }
  return body
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** Yields each call of the contract, with its own creator and quiz. */
async function* listContractTargets(origin: string): AsyncGenerator<Target> {
  for (const [name, endpoint] of contractCalls) {
    const { access_token } = await signUp(origin)
    const quiz = await publishedScoreQuiz(clientOf(origin, access_token))
    const parameter_names = Object.keys(endpoint.query?.shape ?? {})
    const query = parameter_names.map(
      (key) => `${key}=${encodeURIComponent(PARAMETER_VALUES[key] ?? 'abc')}*`,
    )
    const path = callUrl(endpoint, quiz).replaceAll(UUID, (id) => `${id}*`)
    yield {
      name,
      method: endpoint.method,
      access_token,
      url: path + (query.length > 0 ? `?${query.join('&')}` : ''),
      body: withoutRevision(validBodies(quiz)[name]),
    }
  }
}

/** Yields the authentication calls and the public pages. */
async function* listOtherTargets(origin: string): AsyncGenerator<Target> {
  const { email, access_token, refresh_token } = await signUp(origin)
  const { id, question_id, answer_ids } = await publishedScoreQuiz(clientOf(origin, access_token))
  const post = (url: string, body: object): Target => ({
    name: `POST ${url.replaceAll(UUID, ':id')}`,
    method: 'POST',
    url,
    access_token,
    body,
  })
  const get = (name: string, url: string): Target => ({
    name,
    method: 'GET',
    url,
    access_token,
    body: undefined,
  })
  const auth = '/auth/v1'
  yield post(`${auth}/signup`, { email: 'ada@exemple.fr', password: PASSWORD, data: { a: 'Ada' } })
  yield post(`${auth}/token?grant_type=password`, { email, password: PASSWORD })
  yield post(`${auth}/token?grant_type=refresh_token`, { refresh_token })
  yield post(`${auth}/token?grant_type=pkce`, { auth_code: randomUUID(), code_verifier: 'abc' })
  yield post(`${auth}/recover`, { email })
  yield post(`${auth}/otp`, { email, create_user: false })
  yield post(`${auth}/resend`, { type: 'signup', email })
  yield post(`${auth}/verify`, { type: 'signup', email, token: '123456' })
  yield post(`${auth}/factors`, { factor_type: 'totp', friendly_name: 'A' })
  yield post(`${auth}/factors/${randomUUID()}*/challenge`, {})
  yield post(`${auth}/factors/${randomUUID()}*/verify`, {
    challenge_id: randomUUID(),
    code: '123456',
  })
  yield post(`${auth}/factors/recovery-codes/verify`, { code: 'abcd-efgh' })
  yield {
    ...post(`${auth}/user`, { data: { name: 'Ada' } }),
    method: 'PUT',
    name: `PUT ${auth}/user`,
  }
  yield get(`GET ${auth}/verify`, `${auth}/verify?token=abc*&type=signup*&redirect_to=abc*`)
  yield get(`GET ${auth}/authorize`, `${auth}/authorize?provider=google*&redirect_to=abc*`)
  yield get(`GET ${auth}/callback`, `${auth}/callback?state=${randomUUID()}*&code=abc*`)
  const identity = `${auth}/user/identities/${randomUUID()}*`
  yield { ...get(`DELETE ${auth}/user/identities`, identity), method: 'DELETE' }
  const kit = '/api/v1/integrations/convertkit'
  yield get('GET convertkit/callback', `${kit}/callback?state=abc*&code=abc*`)
  yield get('GET download', `/api/v1/quizzes/${id}/download?token=abc*&format=csv*`)
  yield get('GET /q', `/q/${id}*?embed=1*`)
  yield get(
    'GET /q/resultat',
    `/q/${id}*/resultat?participant=${randomUUID()}&secret=secret-of-a-run-in-a-test*`,
  )
  yield post(`/q/${id}*/visite/1*/0*/1*`, {})
  yield { ...post(`/q/${id}*`, {}), form: `page=1&version=1&${question_id}=${answer_ids[0]}` }
}

/** Yields each call that has parameters or a body. */
export async function* listTargets(origin: string): AsyncGenerator<Target> {
  for (const targets of [listContractTargets(origin), listOtherTargets(origin)])
    for await (const target of targets) if (target.body || target.url.includes('*')) yield target
}
