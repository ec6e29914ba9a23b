import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, send } from '../runner/requests.ts'
import {
  abbreviate,
  createSceneAttacks,
  expectStatus,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/**
 * Attacks on settings outside the draft. A save may name the stored values that it replaces (`replaces`); if they are
 * outdated, the save is refused with 409. Also attacks on the country of an account.
 */

type Account = { client: Client; access_token: string }
type Scene = {
  origin: string
  victim: Account
  thief: Account
  /** Quiz and webhook of the victim, with the secrets that no refusal may contain. */
  quiz_id: string
  webhook_id: string
  url: string
  secrets: string[]
}

const openAccount = async (origin: string): Promise<Account> => {
  const access_token = await signUp(origin)
  return { access_token, client: clientOf(origin, access_token) }
}

const openScene = async ({ configuredSite }: AttackContext): Promise<Scene> => {
  const { origin } = await configuredSite('without_confirmation')
  const [victim, thief] = [await openAccount(origin), await openAccount(origin)]
  const { id } = await publishedScoreQuiz(victim.client)
  const url = 'https://93.184.216.34/secret-path'
  const { webhook, secret } = await victim.client.webhooks.add({ id, body: { url } })
  const key = await victim.client.apiKeys.create({
    body: { name: 'Écriture', scope: 'écriture', expires_in_days: null },
  })
  const secrets = [secret, key.secret, victim.access_token, 'secret-path', 'sealed_secret']
  return { origin, victim, thief, quiz_id: id, webhook_id: webhook.id, url, secrets }
}

/** Saves a setting with an access token or an API key. */
const putSetting = (
  { origin }: Scene,
  { access_token }: Pick<Account, 'access_token'>,
  { path, body }: { path: string; body: unknown },
): Promise<Answer> =>
  send(`${origin}/api/v1${path}`, {
    method: 'PUT',
    body,
    token: access_token,
  })

/** Returns saves with right and wrong `replaces`, for each kind of setting. */
const createStaleSaves = ({ quiz_id, webhook_id, url }: Scene) => [
  { path: `/quizzes/${quiz_id}`, body: { parameters: ['a'], replaces: { parameters: [] } } },
  { path: `/quizzes/${quiz_id}`, body: { parameters: ['a'], replaces: { parameters: ['b'] } } },
  { path: `/quizzes/${quiz_id}`, body: { max_responses: 1, replaces: { slug: 'x-y-z' } } },
  {
    path: `/quizzes/${quiz_id}/webhooks/${webhook_id}`,
    body: { url: `${url}2`, replaces: { url } },
  },
  {
    path: `/quizzes/${quiz_id}/webhooks/${webhook_id}`,
    body: { url: `${url}2`, replaces: { url: 'https://x.example/' } },
  },
  {
    path: `/quizzes/${quiz_id}/mails`,
    body: { subject: 'x', replaces: { subject: 'y' } },
  },
]

const nested = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)
const MALFORMED_REPLACES = [
  '5',
  '"x"',
  '[]',
  'null',
  '{"parameters":5}',
  '{"parameters":{"length":1e9}}',
  `{"parameters":${JSON.stringify(Array(100_000).fill('a'))}}`,
  `{"parameters":["${'a'.repeat(900_000)}"]}`,
  '{"__proto__":{"parameters":[]}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"opens_at":"0000-00-00","closes_at":"99999-01-01T00:00:00Z"}',
  `{"slug":${nested(200)}}`,
  '{"slug":"\\u0000"}',
  '{"slug":"\\ud800"}',
]

const STALE_SAVE_ATTACKS: SceneAttack<Scene>[] = [
  [
    'another account learns or changes a setting by what it says it replaces',
    (scene) =>
      sendEach(
        createStaleSaves(scene),
        (setting) => putSetting(scene, scene.thief, setting),
        ({ status, text }) => (status === 404 ? undefined : `status ${status} ${abbreviate(text)}`),
      ),
  ],
  [
    'the refusal of a stale save has a secret or a stored value',
    async (scene) => {
      const stale = [
        {
          path: `/quizzes/${scene.quiz_id}`,
          body: { parameters: ['a'], replaces: { parameters: ['never'] } },
        },
        {
          path: `/quizzes/${scene.quiz_id}/webhooks/${scene.webhook_id}`,
          body: { url: 'https://93.184.216.34/b', replaces: { url: 'https://x.example/' } },
        },
      ]
      return sendEach(
        stale,
        (setting) => putSetting(scene, scene.victim, setting),
        ({ status, text }) => {
          assertPrecondition(status === 409, `a stale save is answered ${status}: ${text}`)
          const found = scene.secrets.filter((secret) => text.includes(secret))
          return found.length > 0 ? `it has ${found.length} secrets` : undefined
        },
      )
    },
  ],
  [
    'seen values of another type or of any size harm the server',
    (scene) =>
      sendEach(
        MALFORMED_REPLACES,
        (replaces) =>
          putSetting(scene, scene.victim, {
            path: `/quizzes/${scene.quiz_id}`,
            body: `{"closed_text":"Fini","replaces":${replaces}}`,
          }),
        ({ status }) => (status >= 400 && status < 500 ? undefined : `status ${status}`),
      ),
  ],
  [
    'a key that only reads finds stored values by what it says it replaces',
    async (scene) => {
      const { secret } = await scene.victim.client.apiKeys.create({
        body: { name: 'Lecture', scope: 'lecture', expires_in_days: null },
      })
      return sendEach(
        createStaleSaves(scene),
        (setting) => putSetting(scene, { access_token: secret }, setting),
        expectStatus(403),
      )
    },
  ],
]

const INVALID_COUNTRIES = [
  '"XX"',
  '""',
  '"fr"',
  '"FRA"',
  '"F\\u0000"',
  '"ＦＲ"',
  '"__proto__"',
  '"constructor"',
  '["FR"]',
  '{"FR":1}',
  'null',
  '33',
  'true',
  `"${'F'.repeat(100_000)}"`,
]

const COUNTRY_ATTACKS: SceneAttack<Scene>[] = [
  [
    'a country that is not in the list is stored',
    (scene) =>
      sendEach(
        INVALID_COUNTRIES,
        (country) =>
          putSetting(scene, scene.victim, {
            path: '/account/preferences',
            body: `{"country":${country}}`,
          }),
        ({ status }) => (status >= 400 && status < 500 ? undefined : `status ${status}`),
      ),
  ],
  [
    'the country of an account is set together with fields of the account, or for another account',
    async (scene) => {
      const { victim, thief } = scene
      await victim.client.preferences.set({ body: { country: 'FR' } })
      const own = await thief.client.account.exportData()
      const id = own.account?.id
      assertPrecondition(id !== undefined, 'the account has no id')
      const extra = {
        user_id: id,
        id,
        creator_id: id,
        email: 'admin@exemple.fr',
        role: 'service_role',
        is_admin: true,
        aud: 'x',
        email_confirmed_at: '2020-01-01T00:00:00Z',
        password: 'x',
        preferences: {},
      }
      const body = { country: 'BE', ...extra }
      await putSetting(scene, victim, { path: '/account/preferences', body })
      const after = await thief.client.account.exportData()
      const account = await victim.client.account.exportData()
      const successes: string[] = []
      if (JSON.stringify(after.account) !== JSON.stringify(own.account))
        successes.push('the other account is changed')
      if (/service_role|admin@/.test(JSON.stringify(account.account)))
        successes.push('the account has another role or address')
      return successes
    },
  ],
]

/** All attacks on settings. */
export const settingsAttacks = createSceneAttacks(openScene, [
  ...STALE_SAVE_ATTACKS,
  ...COUNTRY_ATTACKS,
])
