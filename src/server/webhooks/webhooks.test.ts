import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import type { RefusedCall } from '#contract/client/client.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { deleteEndedConnections } from './ended-connections.store.ts'

const said: string[] = []
const app = await createTestApp({}, { onAnswer: (body) => void said.push(body) })
const receiver = await startReceiver()
const strict = await createTestApp({ WEBHOOKS_TO_LOOPBACK: 'off' })
const limited = await createTestApp({ RATE_LIMITS: 'on' })
after(async () => {
  await app.close()
  await strict.close()
  await limited.close()
  await receiver.close()
})

const withQuiz = async (creator: SignedUp) => {
  const quiz = await publishedScoreQuiz(creator.client)
  return { ...creator, quiz, id: quiz.id }
}
const refusal = async (call: Promise<unknown>): Promise<[number, string]> => {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (failure: RefusedCall) => failure,
  )
  return [error.status, error.message]
}

describe('the webhooks of a quiz', () => {
  test('the webhooks of a quiz are added with a secret that is shown once, changed, paused and removed', async () => {
    const { client, id } = await withQuiz(await app.signUp())
    assert.deepEqual(await client.webhooks.list({ id }), { webhooks: [] })
    const { webhook, secret } = await client.webhooks.add({
      id,
      body: { url: ` ${receiver.origin}/hooks/un ` },
    })
    assert.match(secret, /^whsec_[\w+/]{32}$/)
    assert.equal(webhook.url, `${receiver.origin}/hooks/un`)
    assert.equal(webhook.state, 'active')
    const at = { id, webhookId: webhook.id }
    const before = said.length
    assert.deepEqual(await client.webhooks.list({ id }), { webhooks: [webhook] })
    const url = `${receiver.origin}/hooks/deux`
    const paused = await client.webhooks.update({ ...at, body: { url, is_paused: true } })
    assert.deepEqual(paused, { ...webhook, url, state: 'paused' })
    const resumed = await client.webhooks.update({ ...at, body: { is_paused: false } })
    assert.equal(resumed.state, 'active')
    assert.ok(said.slice(before).every((text) => !text.includes(secret)))
    await client.webhooks.remove(at)
    assert.deepEqual(await client.webhooks.list({ id }), { webhooks: [] })
    assert.equal((await refusal(client.webhooks.test(at)))[0], 404)
  })

  test('removed webhooks stay for a day regardless of their age', async () => {
    const { client, id } = await withQuiz(await app.signUp())
    const { webhook } = await client.webhooks.add({ id, body: { url: receiver.urlOf('vieux') } })
    const age = (days: number) =>
      sql`update integration_connections
        set updated_at = now() - make_interval(days => ${days}) where id = ${webhook.id}`.execute(
        app.db,
      )
    const isKept = async () => {
      await deleteEndedConnections(app.db)
      const { rows } =
        await sql`select from integration_connections where id = ${webhook.id}`.execute(app.db)
      return rows.length > 0
    }
    await age(30)
    await client.webhooks.remove({ id, webhookId: webhook.id })
    assert.ok(await isKept())
    await age(2)
    assert.ok(!(await isKept()))
  })

  test('a quiz has at most five webhooks with unique addresses, which are deleted with the quiz', async () => {
    const { client, id } = await withQuiz(await app.signUp())
    const add = (name: string) =>
      client.webhooks.add({ id, body: { url: `${receiver.origin}/hooks/${name}` } })
    await Promise.all(['a', 'b', 'c', 'd'].map(add))
    assert.deepEqual(await refusal(add('a')), [422, 'Cette adresse est déjà dans la liste'])
    const settled = await Promise.allSettled(['e', 'f', 'g'].map(add))
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.deepEqual(await refusal(add('h')), [409, 'Un questionnaire a au plus 5 webhooks.'])
    const { webhooks } = await client.webhooks.list({ id })
    assert.equal(webhooks.length, 5)
    await client.webhooks.remove({ id, webhookId: webhooks[0]?.id ?? '' })
    await add('h')
    await client.quizzes.remove({ id, permanently: '1' })
    const { rows } = await app.pool.query(
      'select 1 from webhooks join integration_connections on id = connection_id where quiz_id = $1',
      [id],
    )
    assert.deepEqual(rows, [])
  })

  test('the secrets of webhooks are encrypted, and both secrets sign for a day after a rotation', async () => {
    const { client, id } = await withQuiz(await app.signUp())
    const body = { url: receiver.urlOf('tourne') }
    const { webhook, secret: first } = await client.webhooks.add({ id, body })
    const at = { id, webhookId: webhook.id }
    const { secret: second, webhook: rotated } = await client.webhooks.rotate(at)
    assert.notEqual(first, second)
    const hours = (Date.parse(rotated.previous_secret_until ?? '') - Date.now()) / 3_600_000
    assert.ok(hours > 23 && hours <= 24, `${hours}`)
    const { has_arrived } = await client.webhooks.test(at)
    assert.ok(has_arrived)
    const signed = () => receiver.receivedAt('tourne').at(-1) ?? assert.fail('nothing came')
    const verifies = (secret: string): boolean => {
      const { text, headers } = signed()
      try {
        return new Webhook(secret).verify(text, headers) !== undefined
      } catch {
        return false
      }
    }
    assert.deepEqual([verifies(first), verifies(second)], [true, true])
    await app.pool.query(
      `update webhooks set previous_until = now() - interval '1 second' where connection_id = $1`,
      [webhook.id],
    )
    await client.webhooks.test(at)
    assert.deepEqual([verifies(first), verifies(second)], [false, true])
    const [listed] = (await client.webhooks.list({ id })).webhooks
    assert.equal(listed?.previous_secret_until, null)
    const { rows } = await app.pool.query<{ kept: string }>(
      `select row_to_json(c)::text || encode(sealed_secret, 'escape') as kept
      from integration_connections as c where id = $1`,
      [webhook.id],
    )
    for (const secret of [first, second])
      assert.ok(!rows[0]?.kept.includes(secret.slice('whsec_'.length)))
  })
})

describe('a test of a webhook', () => {
  test('a test sends a signed sample of the type test and returns the response', async () => {
    const { client, quiz, id } = await withQuiz(await app.signUp())
    const body = { url: receiver.urlOf('essai') }
    const { webhook, secret } = await client.webhooks.add({ id, body })
    receiver.verifyAt('essai', secret)
    const at = { id, webhookId: webhook.id }
    const tried = await client.webhooks.test(at)
    assert.deepEqual(
      [tried.has_arrived, tried.status, tried.message],
      [true, 204, 'Le test est arrivé : l’adresse a répondu 204.'],
    )
    const [received] = receiver.receivedAt('essai')
    assert.equal(received?.text, tried.body)
    const event = JSON.parse(tried.body) as { type: string; data: { replies: unknown } }
    assert.equal(event.type, 'test')
    assert.deepEqual(event.data.replies, [
      {
        question_id: quiz.question_id,
        question: 'Votre agenda ?',
        label: 'Votre agenda ?',
        type: 'multiple_choice',
        answer: 'Rempli',
        choices: ['Rempli'],
        answer_ids: [quiz.answer_ids[0]],
      },
      {
        question_id: quiz.open_id,
        question: 'Où vous écrire ?',
        label: 'Où vous écrire ?',
        type: 'email',
        answer: 'camille@exemple.fr',
        choices: [],
        answer_ids: [],
      },
    ])
    receiver.fail({ mode: 'before', status: 500, body: 'Panne\0 <b>ici</b>' })
    const failed = await client.webhooks.test(at)
    assert.deepEqual(
      [failed.has_arrived, failed.status, failed.message, failed.text],
      [false, 500, 'L’adresse a répondu 500 : le test est refusé.', 'Panne  <b>ici</b>'],
    )
    receiver.fail({ mode: 'before', status: 302, headers: { location: 'http://127.0.0.1:1' } })
    assert.match((await client.webhooks.test(at)).message, /renvoie vers une autre \(302\)/)
    receiver.fail({ mode: 'before' })
    const broken = await client.webhooks.test(at)
    assert.deepEqual([broken.status, broken.message], [null, 'L’outil est injoignable.'])
  })

  test('a test uses the draft if no version is published', async () => {
    const { client } = await app.signUp()
    const { id } = await readyScoreQuiz(client)
    const body = { url: receiver.urlOf('brouillon') }
    const { webhook } = await client.webhooks.add({ id, body })
    const tried = await client.webhooks.test({ id, webhookId: webhook.id })
    assert.ok(tried.has_arrived && tried.body.includes('Pas à pas'))
  })

  test('a test with an unreadable secret returns the repair', async () => {
    const { client, id } = await withQuiz(await app.signUp())
    const body = { url: receiver.urlOf('perdu') }
    const { webhook } = await client.webhooks.add({ id, body })
    await app.pool.query(
      `update integration_connections set sealed_secret = '\\x00' where id = $1`,
      [webhook.id],
    )
    assert.deepEqual(await refusal(client.webhooks.test({ id, webhookId: webhook.id })), [
      409,
      'Le secret ne peut plus être lu : créez-en un nouveau.',
    ])
  })
})

describe('an address that webhooks may not call', () => {
  const REFUSED: [string, string][] = [
    ['', 'Ce champ ne peut pas être vide'],
    ['exemple.fr/hook', 'Saisissez une adresse complète, comme https://exemple.fr/webhook'],
    ['http://exemple.fr', 'L’adresse doit commencer par https://'],
    ['http://127.0.0.1:3000', 'L’adresse doit commencer par https://'],
    ['https://127.0.0.1:3000', 'Cette adresse mène à un réseau privé'],
    ['https://[::ffff:10.0.0.1]', 'Cette adresse mène à un réseau privé'],
    ['https://2130706433/', 'Cette adresse mène à un réseau privé'],
    ['https://a:b@exemple.fr', 'L’adresse ne doit contenir ni identifiant ni mot de passe'],
    ['https://exemple.fr:25', 'Ce port n’est pas permis : prenez 443, ou 1024 et au-delà'],
    [`https://exemple.fr/${'a'.repeat(2_000)}`, ''],
  ]
  test('a forbidden address is refused in French on creation and change, without partial changes', async () => {
    const { client, id } = await withQuiz(await strict.signUp())
    const kept = { url: 'https://8.8.8.8/hook' }
    const { webhook } = await client.webhooks.add({ id, body: kept })
    for (const [url, sentence] of REFUSED)
      for (const call of [
        () => client.webhooks.add({ id, body: { url } }),
        () => client.webhooks.update({ id, webhookId: webhook.id, body: { url } }),
      ]) {
        const [status, message] = await refusal(call())
        assert.equal(status, 422, message)
        assert.ok(message.endsWith(sentence), `${url}: ${message}`)
      }
    assert.deepEqual(await client.webhooks.list({ id }), { webhooks: [webhook] })
  })

  test('addresses cannot be scanned, because the calls per creator are limited', async () => {
    const { client, id } = await withQuiz(await limited.signUp())
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries++) {
      const [status] = await refusal(client.webhooks.add({ id, body: { url: 'https://10.0.0.1' } }))
      statuses.push(status)
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [422, 429])
  })
})
