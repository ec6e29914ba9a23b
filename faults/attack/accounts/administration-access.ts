import { clientOf } from '../../../scripts/http-client.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { type AttackRequest, send } from '../runner/requests.ts'
import type { SceneAttack } from '../runner/scene-attacks.ts'
import {
  ADMIN_ADDRESSES,
  type AdminScene,
  adminCalls,
  findDifferences,
  proveAddress,
} from './administration-scene.ts'
import { cookiesOf, createAuthClient, followLink } from './auth-client.ts'
import { addFactor } from './second-factor.ts'

type Requests = (scene: AdminScene) => Promise<AttackRequest> | AttackRequest

const createKey = async (
  { origin, administrator }: AdminScene,
  scope: 'lecture' | 'écriture',
): Promise<string> => {
  const body = { name: scope, scope, expires_in_days: null }
  const { secret } = await clientOf(origin, administrator.access_token).apiKeys.create({ body })
  return secret
}

/** Callers who are no administrators. Each call must look to them like an unknown path. */
const CALLERS: Record<string, Requests> = {
  'without a token': () => ({}),
  'with an invented token': () => ({ token: 'x' }),
  'as a creator': ({ creator }) => ({ token: creator.access_token }),
  'with an altered token of the administrator': ({ administrator }) => ({
    token: `${administrator.access_token.slice(0, -4)}AAAA`,
  }),
  'with a refresh token of the administrator': ({ administrator }) => ({
    token: administrator.refresh_token,
  }),
  'with a reading key of the administrator': async (scene) => ({
    token: await createKey(scene, 'lecture'),
  }),
  'with a writing key of the administrator': async (scene) => ({
    token: await createKey(scene, 'écriture'),
  }),
  'with name and password of the administrator': ({ administrator: { email, password } }) => ({
    headers: {
      authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
    },
  }),
  'with the token of the administrator in a cookie': ({ administrator }) => ({
    headers: { cookie: `access_token=${administrator.access_token}` },
  }),
  'with headers that a proxy would add for this machine': ({ creator }) => ({
    token: creator.access_token,
    headers: {
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      forwarded: 'for=127.0.0.1',
      'x-user-email': ADMIN_ADDRESSES.first,
    },
  }),
  'with headers that would replace method and path': ({ creator }) => ({
    token: creator.access_token,
    headers: {
      'x-http-method-override': 'GET',
      'x-original-url': '/api/v1/admin/overview',
      'x-rewrite-url': '/api/v1/admin/overview',
    },
  }),
  'as a page of another site': ({ creator }) => ({
    token: creator.access_token,
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  }),
  'as a browser that navigates': () => ({ headers: { accept: 'text/html' } }),
  'with a body of another type': () => ({ headers: { 'content-type': 'text/plain' } }),
}

/** Accounts that try to become administrators by what they may change themselves. */
const promote = async (
  { origin, callAdmin, openAccount }: AdminScene,
  body: object,
): Promise<string[]> => {
  const { access_token, email, password } = await openAccount()
  const { post } = createAuthClient(origin)
  await send(`${origin}/auth/v1/user`, { method: 'PUT', token: access_token, body })
  const { json } = await post('/token?grant_type=password', { email, password })
  const tokens = [access_token, String(json.access_token ?? '')]
  const successes: string[] = []
  for (const token of tokens) {
    const { status } = await callAdmin('/overview', { token })
    if (status !== 404) successes.push(`${JSON.stringify(body)} gives ${status}`)
  }
  return successes
}

const PROMOTIONS: Record<string, object> = {
  'by its metadata': {
    data: {
      email: ADMIN_ADDRESSES.first,
      is_admin: true,
      is_administrator: true,
      role: 'service_role',
      email_verified: true,
    },
  },
  'by the metadata of the service': {
    app_metadata: { role: 'service_role', is_administrator: true },
  },
  'by columns of its row': {
    email_proven_by: 'administrator',
    email_confirmed_at: '2026-01-01T00:00:00Z',
    role: 'service_role',
    aal: 'aal2',
  },
}

/** Spellings that are other addresses than that of the administrator. */
const OTHER_ADDRESSES = [
  'cheffe+x@attaque.example',
  'cheffe.@attaque.example',
  'сheffe@attaque.example',
  'cheffe@attaque.example.fr',
  'cheffe@sub.attaque.example',
  "cheffe'@attaque.example",
]

/** Attacks by callers who try to look like an administrator. */
export const ACCESS_ATTACKS: SceneAttack<AdminScene>[] = [
  ...Object.entries(CALLERS).map(
    ([who, requestOf]): SceneAttack<AdminScene> => [
      `the calls of administrators are tried ${who}`,
      async (scene) => findDifferences(scene, await requestOf(scene)),
    ],
  ),
  [
    'the calls of administrators are tried with a token in the query',
    (scene) => findDifferences(scene, {}, `?access_token=${scene.administrator.access_token}`),
  ],
  ...Object.entries(PROMOTIONS).map(
    ([how, body]): SceneAttack<AdminScene> => [
      `a creator makes itself an administrator ${how}`,
      (scene) => promote(scene, body),
    ],
  ),
  [
    'other methods tell that the paths of administrators exist',
    async ({ origin, creator }) => {
      const successes: string[] = []
      for (const { path } of adminCalls(creator.id))
        for (const method of ['OPTIONS', 'HEAD', 'DELETE', 'PATCH']) {
          const sendTo = (folder: string) =>
            send(`${origin}/api/v1/${folder}${path}`, { method, token: creator.access_token })
          const [known, unknown] = [await sendTo('admin'), await sendTo('admim')]
          if (known.status !== unknown.status || known.headers.get('allow'))
            successes.push(`${method} ${path} is answered ${known.status}`)
        }
      return successes
    },
  ],
  [
    'a body of two megabytes tells that the paths of administrators exist',
    async ({ callAdmin, origin, creator }) => {
      const request = { token: creator.access_token, body: { email: 'x'.repeat(2_000_000) } }
      const statusOf = (answer: Promise<{ status: number }>): Promise<number | string> =>
        answer.then(
          ({ status }) => status,
          () => 'closed',
        )
      const known = await statusOf(callAdmin('/accounts', request))
      const unknown = await statusOf(send(`${origin}/api/v1/admim/accounts`, request))
      return known === unknown || known === 404 ? [] : [`${known} instead of ${unknown}`]
    },
  ],
  [
    'an attacker registers the address of an administrator first',
    async ({ context, origin, openAccount, callAdmin }) => {
      const thief = await openAccount(ADMIN_ADDRESSES.free)
      const { post, refresh, user } = createAuthClient(origin)
      const successes: string[] = []
      const { verified } = await addFactor(origin, thief)
      const tokens = [thief.access_token, String(verified.json.access_token ?? '')]
      for (const token of tokens)
        if ((await callAdmin('/overview', { token })).status !== 404)
          successes.push('the attacker administers before the owner proves the address')
      const owner = await proveAddress(context, origin, ADMIN_ADDRESSES.free)
      const { status } = await callAdmin('/overview', { token: owner.access_token })
      assertPrecondition(status === 200, `the owner was answered ${status}`)
      for (const token of tokens) {
        if ((await callAdmin('/overview', { token })).status !== 404)
          successes.push('a session of the attacker administers after the owner came')
        if ((await user(token)).status === 200)
          successes.push('a session of the attacker reads the account of the owner')
      }
      if ((await refresh(thief.refresh_token)).status === 200)
        successes.push('a session of the attacker is renewed')
      const { email, password } = thief
      if ((await post('/token?grant_type=password', { email, password })).status === 200)
        successes.push('the password of the attacker signs in')
      return successes
    },
  ],
  [
    'an account takes the address of an administrator by a change of address',
    async ({ context, origin, administrator, openAccount, callAdmin }) => {
      const thief = await openAccount()
      const { id } = await openAccount('quatrieme@attaque.example')
      const email = 'quatrieme@attaque.example'
      const removed = await callAdmin(`/accounts/${id}/delete`, {
        token: administrator.access_token,
        body: { email },
      })
      assertPrecondition(removed.status === 204, `a deletion was answered ${removed.status}`)
      await context.mailTo(email)
      await send(`${origin}/auth/v1/user`, {
        method: 'PUT',
        token: thief.access_token,
        body: { email },
      })
      const link = (await context.mailTo(email))?.link ?? ''
      const { access_token } = await followLink(link)
      const { json } = await createAuthClient(origin).user(thief.access_token)
      assertPrecondition(json.email === email, 'the address was not changed')
      const statuses = await Promise.all(
        [thief.access_token, access_token].map((token) => callAdmin('/overview', { token })),
      )
      return statuses.some(({ status }) => status !== 404) ? ['the account administers'] : []
    },
  ],
  [
    'a provider names the address of an administrator without having verified it',
    async ({ context: { provider }, origin, callAdmin }) => {
      const email = 'cinquieme@attaque.example'
      provider.person = { sub: email, email, email_verified: false }
      const { headers } = await send(`${origin}/auth/v1/authorize?provider=maison`)
      const back = await provider.visit(headers.get('location') ?? '')
      const { access_token } = await followLink(back.href, {
        headers: { cookie: cookiesOf(headers) },
      })
      const { status } = await callAdmin('/overview', { token: access_token })
      return status === 404 ? [] : [`the account was answered ${status}`]
    },
  ],
  [
    'similar addresses count as that of an administrator',
    async ({ origin, callAdmin }) => {
      const { signUp } = createAuthClient(origin)
      const successes: string[] = []
      for (const email of OTHER_ADDRESSES) {
        const { json } = await signUp(email, 'un mot de passe assez long')
        const token = String(json.access_token ?? '')
        if (token && (await callAdmin('/overview', { token })).status !== 404) successes.push(email)
      }
      return successes
    },
  ],
  [
    'an administrator who has not shown the second factor administers',
    async ({ origin, administrator, second, callAdmin }) => {
      const { post } = createAuthClient(origin)
      const { email, password } = second
      const session = await post('/token?grant_type=password', { email, password })
      const token = String(session.json.access_token)
      const { verified } = await addFactor(origin, { ...second, access_token: token })
      const shown = String(verified.json.access_token ?? '')
      const allowed = await callAdmin('/overview', { token: shown })
      assertPrecondition(allowed.status === 200, `with the factor the answer is ${allowed.status}`)
      const later = await post('/token?grant_type=password', { email, password })
      const { status } = await callAdmin('/overview', { token: String(later.json.access_token) })
      const { json } = await createAuthClient(origin).user(shown)
      const [factor] = (json.factors ?? []) as { id: string }[]
      await send(`${origin}/auth/v1/factors/${factor?.id}`, { method: 'DELETE', token: shown })
      const { status: own } = await callAdmin('/overview', { token: administrator.access_token })
      assertPrecondition(own === 200, 'the other administrator is locked out')
      return status === 404 ? [] : [`the session was answered ${status}`]
    },
  ],
  [
    'the page of the administration is shown in a frame of another site',
    async ({ origin }) => {
      const { headers } = await send(`${origin}/admin`, { headers: { accept: 'text/html' } })
      const policy = headers.get('content-security-policy') ?? ''
      return /frame-ancestors 'none'/.test(policy) ? [] : [`the policy is ${policy}`]
    },
  ],
]
