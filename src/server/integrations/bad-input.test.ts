import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { KIT_RETURN_LABELS, type KitReturn } from '#domain/deliveries/integrations.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import type { Fault } from '#server/testing/fakes/fake-server.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const t = await createIntegrationsApp()
after(() => t.close())
const usual = { kit: { ...t.kit.switches }, brevo: { ...t.brevo.switches } }
const KEYS = /xkeysib-|xsmtpsib-|systemeio-|cs_demo|\b(?:at|rt|ac)_[\w-]{10}/
afterEach(() => {
  Object.assign(t.kit.switches, usual.kit)
  Object.assign(t.brevo.switches, usual.brevo)
  for (const fake of [t.kit, t.systemio, t.brevo]) fake.heal()
  // Logs and answers contain no key, no token and no code after any failure.
  assert.doesNotMatch(t.loggedAndAnswered(), KEYS)
})

const INVALID = 'Clé API invalide ou expirée.'
const CHARACTERS = 'Cette clé n’est pas valable'
const SILENT = 'L’outil ne répond pas, réessayez dans quelques minutes.'

/** Rejected keys of each tool, with the expected status and message. */
const REFUSED_KEYS: [string, 'brevo' | 'systemio', string, number, string][] = [
  ['wrong', 'brevo', 'xkeysib-wrong', 422, INVALID],
  ['wrong', 'systemio', 'systemeio-wrong', 422, INVALID],
  ['expired', 'brevo', 'xkeysib-old', 422, INVALID],
  ['expired', 'systemio', 'systemeio-old', 422, INVALID],
  [
    'a key of the mail server',
    'brevo',
    'xsmtpsib-demo',
    422,
    'Ceci ressemble à une clé SMTP ; créez une clé API.',
  ],
  ['without rights', 'brevo', 'xkeysib-narrow', 422, 'Cette clé n’a pas accès aux contacts.'],
  [
    'blocked by address',
    'brevo',
    'xkeysib-demo',
    422,
    'Brevo refuse notre adresse IP (127.0.0.1). Autorisez-la dans Brevo > Sécurité > IP autorisées, puis réessayez.',
  ],
  ['empty', 'brevo', '  ', 422, CHARACTERS],
  ['with a line break', 'systemio', 'systemeio-a\r\nx: y', 422, CHARACTERS],
  ['with an accent', 'systemio', 'systemeio-é', 422, CHARACTERS],
]

/** Unexpected answers of a tool. */
const FAULTS: Record<string, Partial<Fault>> = {
  HTML: { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } },
  'ten megabytes': { status: 200, body: 'x'.repeat(10_485_760) },
  'a redirect': { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
  nothing: {},
  'an empty success': { status: 200 },
  'a 429': { status: 429, body: 'Retry later' },
  'a 503': { status: 503, body: '<h1>Maintenance</h1>' },
}

const storedOf = async ({ user_id }: SignedUp) =>
  await t.db
    .selectFrom('integration_connections')
    .select('provider')
    .where('user_id', '=', user_id)
    .where('sealed_secret', 'is not', null)
    .execute()
const saveOf = ({ client: { integrations } }: SignedUp) => ({
  brevo: (api_key: string) => integrations.saveBrevo({ body: { api_key } }),
  systemio: (api_key: string) => integrations.saveSystemio({ body: { api_key } }),
})

describe('a key of a tool', () => {
  for (const [what, provider, key, status, message] of REFUSED_KEYS)
    test(`a key that is ${what} is refused (${provider})`, async () => {
      t.brevo.keys.add('xkeysib-old', { life_ms: 0 })
      t.systemio.keys.add('systemeio-old', { life_ms: 0 })
      t.brevo.keys.add('xkeysib-narrow', { can_contacts: false })
      if (what === 'blocked by address') t.brevo.switches.allowed_ips = ['203.0.113.9']
      const creator = await t.signUp()
      const refusal = await refusalOf(saveOf(creator)[provider](key))
      const said = [refusal.status, refusal.validation_errors[0] ?? refusal.message]
      assert.equal(said[0], status)
      assert.ok(String(said[1]).includes(message), String(said[1]))
      assert.deepEqual(await storedOf(creator), [])
    })

  for (const [what, key] of [
    ['odd characters', 'xkeysib-é😀'],
    ['a space inside', 'xkeysib demo'],
    ['nothing', '  '],
  ] as const)
    test(`a key of ${what} is refused in a sentence about the key`, async () => {
      const creator = await t.signUp()
      for (const save of Object.values(saveOf(creator))) {
        const { status, message } = await refusalOf(save(key))
        assert.equal(status, 422)
        assert.match(message, /^Cette clé n’est pas valable/)
        assert.doesNotMatch(message, /api_key/)
      }
    })

  for (const [what, fault] of Object.entries(FAULTS))
    for (const provider of ['brevo', 'systemio'] as const)
      test(`a key is not stored while ${provider} answers ${what}`, async () => {
        const creator = await t.signUp()
        t[provider].fail({ mode: 'before', ...fault })
        const key = { brevo: 'xkeysib-demo', systemio: 'systemeio-demo' }[provider]
        const { status, message } = await refusalOf(saveOf(creator)[provider](key))
        assert.deepEqual([status, message], [503, SILENT])
        assert.deepEqual(await storedOf(creator), [])
      })
})

describe('the switch of a tool', () => {
  test('a switch without a connection says what is missing', async () => {
    const { client } = await t.signUp()
    const { id } = await publishedScoreQuiz(client)
    const { setConvertkit, setSystemio, setBrevo } = client.integrations
    for (const set of [setConvertkit, setSystemio, setBrevo]) {
      const { status, message } = await refusalOf(set({ id, body: { enabled: true } }))
      assert.deepEqual([status, message], [409, 'Connectez d’abord votre compte.'])
    }
  })

  for (const [what, fault] of Object.entries(FAULTS))
    test(`a switch stays off while its tool answers ${what}`, async () => {
      const creator = await t.signUp()
      const { client } = creator
      const { id } = await publishedScoreQuiz(client)
      await t.connectKit(creator)
      await saveOf(creator).brevo('xkeysib-demo')
      await saveOf(creator).systemio('systemeio-demo')
      const { setConvertkit, setSystemio, setBrevo, ofQuiz } = client.integrations
      for (const [fake, set] of [
        [t.kit, setConvertkit],
        [t.systemio, setSystemio],
        [t.brevo, setBrevo],
      ] as const) {
        fake.fail({ mode: 'before', ...fault })
        const { status, message } = await refusalOf(set({ id, body: { enabled: true } }))
        assert.deepEqual([status, message], [503, SILENT])
      }
      const { has_been_enabled, ...switches } = await ofQuiz({ id })
      assert.ok(!has_been_enabled && Object.values(switches).every(({ enabled }) => !enabled))
      assert.equal((await storedOf(creator)).length, 3)
    })
})

describe('a consent at Kit', () => {
  const expectReturn = async (
    creator: SignedUp,
    landed: string | undefined,
    outcome: KitReturn,
    words: string,
  ): Promise<void> => {
    assert.equal(landed, `/settings?convertkit=error&reason=${outcome}`)
    assert.equal(KIT_RETURN_LABELS[outcome], words)
    assert.deepEqual(await storedOf(creator), [])
  }

  test('a consent that is refused at Kit stores no connection', async () => {
    const creator = await t.signUp()
    t.kit.switches.consent = 'deny'
    const { auth_url, cookie } = await t.startConsent(creator)
    const landed = await t.followCallback(await t.visitConsentPage(auth_url), cookie)
    const words = 'Kit n’est pas connecté : l’autorisation a été refusée.'
    await expectReturn(creator, landed, 'denied', words)
  })

  test('a consent whose state was already used stores no connection', async () => {
    const [creator, other] = [await t.signUp(), await t.signUp()]
    const { auth_url, cookie } = await t.startConsent(creator)
    const back = await t.visitConsentPage(auth_url)
    assert.equal(await t.followCallback(back, cookie), '/settings?convertkit=ok')
    const theirs = await t.startConsent(other)
    const words = 'Ce retour de Kit a expiré ou a déjà servi. Recommencez la connexion.'
    await expectReturn(other, await t.followCallback(back, theirs.cookie), 'expired', words)
  })

  for (const [what, fault] of Object.entries(FAULTS))
    test(`a consent stores no connection while Kit answers ${what}`, async () => {
      const creator = await t.signUp()
      const { auth_url, cookie } = await t.startConsent(creator)
      const back = await t.visitConsentPage(auth_url)
      t.kit.fail({ path: '/v4/oauth/token', mode: 'before', ...fault })
      await expectReturn(creator, await t.followCallback(back, cookie), 'silent', SILENT)
    })
})
