import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { FACTOR_PURPOSE, makeTotp, stepOfCode } from './auth/factors/totp.ts'
import { loadSigningKey } from './auth/sessions/key-ring.ts'
import { loadFormerKeys } from './auth/sessions/signing-keys.store.ts'
import { openPerson, sealPerson } from './erasures/request-erasures.store.ts'
import { createIntegrations } from './integrations/create-integrations.ts'
import { createUnsubscribeLinks, UNSUBSCRIBE_PURPOSES } from './quiz-mails/unsubscribe.ts'
import { createReportLinks } from './reports/report-links.ts'
import { rotateSecrets } from './rotate-secrets.ts'
import { createVault, deriveKey } from './runtime/sealing.ts'
import { statisticsLinksHandlers } from './statistics/statistics-links.routes.ts'
import { createIntegrationsApp } from './testing/app/integrations-app.ts'
import { createTestApp } from './testing/app/test-app.ts'
import { writeVisibleParticipantToken } from './testing/app/visible-links.ts'
import { publishedScoreQuiz } from './testing/quizzes/sample-quizzes.ts'
import { openSecrets } from './webhooks/webhook-message.ts'
import { loadSecrets } from './webhooks/webhooks.store.ts'

const t = await createIntegrationsApp()
after(() => t.close())
const OLD = 'a secret that only tests know of'
const NEXT = 'another secret, that is not known either'

test('every secret opens with the new key and none with the old one', async () => {
  const { client, user_id } = await t.signUp()
  await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  const factorKey = deriveKey(OLD, FACTOR_PURPOSE)
  const { sealed_secret } = makeTotp({ factorKey }, { user_id, issuer: 'Q', label: 'q' })
  await t.pool.query(
    `insert into mfa_factors (id, user_id, factor_type, sealed_secret)
     values (gen_random_uuid(), $1, 'totp', $2)`,
    [user_id, sealed_secret],
  )
  const quiz = await publishedScoreQuiz(client)
  const { link } = await client.statisticsLinks.create({ id: quiz.id })
  const hook = { url: 'http://127.0.0.1:9999/hook' }
  const { webhook, secret: first } = await client.webhooks.add({ id: quiz.id, body: hook })
  const at = { id: quiz.id, webhookId: webhook.id }
  const { secret: second } = await client.webhooks.rotate(at)
  const erasure = { id: randomUUID(), user_id, provider: 'webhook', key_version: 1 } as const
  await t.db
    .insertInto('erasures')
    .values({
      ...erasure,
      connection_id: webhook.id,
      kind: 'event',
      quiz_ids: [quiz.id],
      sealed_person: sealPerson(createVault(OLD), erasure, { email: 'lea@exemple.fr' }),
      next_attempt_at: sql`now()`,
      give_up_at: sql`now()`,
    })
    .execute()
  const { kid } = await loadSigningKey(t.db, OLD)

  await assert.rejects(rotateSecrets(t.db, 'not the old one', NEXT))
  // Seven secrets: signing key, factor, link, connection, two of the webhook, and the erased
  // person.
  assert.equal(await rotateSecrets(t.db, OLD, NEXT), 7)
  const kept = await t.db
    .selectFrom('erasures')
    .select(['id', 'user_id', 'provider', 'key_version', 'sealed_person'])
    .executeTakeFirstOrThrow()
  const sealed = kept.sealed_person ?? Buffer.of()
  assert.deepEqual(openPerson(createVault(NEXT), kept, sealed), { email: 'lea@exemple.fr' })
  assert.equal(openPerson(createVault(OLD), kept, sealed), undefined)

  assert.equal((await loadSigningKey(t.db, NEXT)).kid, kid)
  await assert.rejects(loadSigningKey(t.db, OLD))
  const stored = await t.db
    .selectFrom('mfa_factors')
    .select('sealed_secret')
    .executeTakeFirstOrThrow()
  const factor = { user_id, sealed_secret: stored.sealed_secret ?? Buffer.of() }
  const services = { factorKey: deriveKey(NEXT, FACTOR_PURPOSE) }
  assert.equal(stepOfCode(services, factor, 'no code'), undefined)
  assert.throws(() => stepOfCode({ factorKey }, factor, 'no code'))

  const { id } = await t.db
    .selectFrom('integration_connections')
    .select('id')
    .where('provider', '=', 'brevo')
    .executeTakeFirstOrThrow()
  const stored_hook = await loadSecrets(t.db, {
    quiz_id: quiz.id,
    creator_id: user_id,
    webhook_id: webhook.id,
  })
  const secrets = (key: string) => openSecrets(createVault(key), stored_hook, new Date())
  assert.deepEqual([secrets(NEXT), secrets(OLD)], [[second, first], []])
  const log = pino({ level: 'silent' })
  const { openConnection } = createIntegrations({
    db: t.db,
    config: t.config,
    secretKey: NEXT,
    log,
  })
  const opened = await openConnection(id)
  const owner = { id: user_id, session_id: undefined }
  const readLink = (secretKey: string) =>
    statisticsLinksHandlers({ db: t.db, secretKey }).get({ id: quiz.id }, owner, {} as never)
  assert.deepEqual(await readLink(NEXT), { link })
  await assert.rejects(readLink(OLD))
  assert.equal(opened.kind === 'open' && opened.connection.secret, 'xkeysib-demo')
})

test('unsubscribe links from before each rotation work, and forged links do not', async () => {
  const before = await createTestApp()
  try {
    const { db } = before
    const linksOf = (secret: string) =>
      createUnsubscribeLinks(secret, 'https://quiz.exemple.fr', (purpose) =>
        loadFormerKeys(db, secret, purpose),
      )
    const who = { user_id: randomUUID(), email: 'lea@exemple.fr' }
    const secrets = [OLD, NEXT, 'a third secret, of this year']
    const tokens: string[] = []
    for (const [at, secret] of secrets.entries()) {
      const links = linksOf(secret)
      tokens.push(links.write(who).split('/').at(-1) ?? '')
      for (const token of tokens)
        assert.equal((await links.read(token))?.user_id, who.user_id, `rotation ${at}`)
      const forged = linksOf('a secret that never was').write(who).split('/').at(-1) ?? ''
      assert.equal(await links.read(forged), undefined)
      const next = secrets[at + 1]
      if (next) await rotateSecrets(db, secret, next)
    }
    const stored = await db.selectFrom('auth_keys').selectAll().execute()
    for (const purpose of UNSUBSCRIBE_PURPOSES) {
      const key = deriveKey(OLD, purpose).toString('base64url')
      assert.ok(
        stored.every(({ sealed_jwk }) => !sealed_jwk.includes(key)),
        'they are sealed at rest',
      )
    }
  } finally {
    await before.close()
  }
})

test('links to documents from before a rotation work, and links to pages of participants do not', async () => {
  const before = await createTestApp()
  try {
    const { db } = before
    const linksOf = (secret: string) =>
      createReportLinks(secret, (purpose) => loadFormerKeys(db, secret, purpose))
    const participant = { quiz_id: randomUUID(), participant_uuid: randomUUID() }
    const run = { snapshot: { quiz: { report: 'result' } }, replies: {} } as never
    const { report = '', own_page = '' } =
      linksOf(OLD).of(participant, run, { keeps_page: true }) ?? {}
    const tokens = [report, own_page].map((path) => path.split('/').at(-1) ?? '')
    const [document_token = '', page_token = ''] = tokens
    assert.deepEqual(await linksOf(OLD).readPage(participant.quiz_id, page_token), participant)
    const { quiz_id } = participant
    const shared_token = writeVisibleParticipantToken(OLD, 'reports/links', participant)
    await rotateSecrets(db, OLD, NEXT)
    const links = linksOf(NEXT)
    const owner = { ...participant, is_shared: false }
    assert.deepEqual(await links.read('report', quiz_id, document_token), owner)
    assert.equal(await links.read('certificate', quiz_id, document_token), undefined)
    assert.deepEqual(await links.read('certificate', quiz_id, shared_token), {
      ...participant,
      is_shared: true,
    })
    assert.equal(await links.readPage(participant.quiz_id, page_token), undefined)
    // A token of one purpose opens nothing of the other.
    assert.equal(await links.readPage(participant.quiz_id, document_token), undefined)
    const renewed = links.page(participant).split('/').at(-1) ?? ''
    assert.equal(await links.read('report', quiz_id, renewed), undefined)
    assert.deepEqual(await links.readPage(participant.quiz_id, renewed), participant)
  } finally {
    await before.close()
  }
})
