import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createIntegrationsApp()
const limited = await createIntegrationsApp({ RATE_LIMITS: 'on' })
after(async () => {
  await t.close()
  await limited.close()
})
afterEach(() => {
  for (const fake of [t.kit, t.systemio, t.brevo]) fake.heal()
})

const connected = async (app = t) => {
  const creator = await app.signUp()
  await creator.client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  const quiz = await publishedScoreQuiz(creator.client)
  return { ...creator, quiz, id: quiz.id, result_id: quiz.result_ids[0] ?? '' }
}
type Ready = Awaited<ReturnType<typeof connected>>
const add = ({ client, id }: Pick<Ready, 'client' | 'id'>, body: object) =>
  client.automations.add({
    id,
    body: { provider: 'brevo', label_name: 'Audacieuses', ...body },
  })
const sentences = async ({ client }: SignedUp, id: string) =>
  (await client.automations.list({ id })).automations.map(({ sentence }) => sentence)

describe('the automations of a quiz', () => {
  test('automations are added for a result or an answer, listed as sentences, and removed', async () => {
    const creator = await connected()
    const { client, id, quiz, result_id } = creator
    assert.deepEqual(await client.automations.list({ id }), { automations: [] })
    const { automation } = await add(creator, { result_id, vendor_id: '7' })
    assert.deepEqual(
      [automation.result_id, automation.answer_id, automation.vendor_id, automation.is_orphan],
      [result_id, null, '7', false],
    )
    const answer = { question_id: quiz.question_id, answer_id: quiz.answer_ids[0] ?? '' }
    await add(creator, { ...answer, label_name: ' Agenda plein ' })
    const { results, questions } = await client.drafts.get({ id })
    const [question] = questions
    assert.deepEqual(await sentences(creator, id), [
      `Quand le résultat est « ${results[0]?.name} », ajouter à la liste « Audacieuses » dans Brevo`,
      `Quand la réponse à « ${question?.text} » est « ${question?.answers[0]?.text} », ajouter à la liste « Agenda plein » dans Brevo`,
    ])
    await client.automations.remove({ id, automationId: automation.id })
    assert.equal((await sentences(creator, id)).length, 1)
    const again = await refusalOf(client.automations.remove({ id, automationId: automation.id }))
    assert.equal(again.status, 404)
  })

  const REFUSED: [string, object, RegExp][] = [
    ['a name of 300 characters', { label_name: 'x'.repeat(300) }, /label_name.*100/],
    ['an empty name', { label_name: '  ' }, /label_name.*vide/],
    ['a name with a NUL', { label_name: 'a\0b' }, /interdit/],
    ['a number of words', { vendor_id: 'sept' }, /vendor_id/],
    [
      'neither result nor answer',
      { result_id: undefined },
      /Choisissez un résultat, ou une question/,
    ],
    ['a question alone', { result_id: undefined, question_id: 'q' }, /Choisissez un résultat/],
    ['an answer beside a result', { question_id: 'q', answer_id: 'a' }, /Choisissez un résultat/],
    [
      'an answer of another question',
      { result_id: undefined, question_id: 'o', answer_id: 'a' },
      /Cette réponse n’est pas de cette question/,
    ],
    [
      'a result of nothing',
      { result_id: '11111111-1111-4111-8111-111111111111' },
      /Ce résultat n’est pas de ce questionnaire/,
    ],
    ['an unknown tool', { provider: 'mailchimp' }, /provider/],
  ]
  for (const [what, body, words] of REFUSED)
    test(`${what} is refused in French and stores no data`, async () => {
      const creator = await connected()
      const { id, quiz, result_id } = creator
      const ids: Record<string, string | undefined> = {
        q: quiz.question_id,
        o: quiz.open_id,
        a: quiz.answer_ids[0],
      }
      const named = Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key, ids[String(value)] ?? value]),
      )
      const refused = await refusalOf(add(creator, { result_id, ...named }))
      assert.equal(refused.status, 422)
      assert.match(refused.message, words)
      assert.deepEqual(await sentences(creator, id), [])
    })

  testInAll(
    'a quiz has at most a hundred automations, which are unique regardless of case and only for connected tools',
    async () => {
      const creator = await connected()
      const { client, id, result_id } = creator
      await add(creator, { result_id })
      const twice = await refusalOf(add(creator, { result_id, label_name: 'audacieuses' }))
      assert.deepEqual([twice.status, /déjà dans la liste/.test(twice.message)], [422, true])
      const other = await refusalOf(add(creator, { result_id, provider: 'convertkit' }))
      assert.deepEqual([other.status, other.message], [409, 'Connectez d’abord votre compte.'])
      const names = Array.from({ length: 98 }, (_, at) => `L${at}`)
      for (const label_name of names) await add(creator, { result_id, label_name })
      const settled = await Promise.allSettled(
        ['a', 'b', 'c'].map((label_name) => add(creator, { result_id, label_name })),
      )
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
      const beyond = await refusalOf(add(creator, { result_id, label_name: 'de trop' }))
      assert.deepEqual(
        [beyond.status, beyond.message],
        [409, 'Un questionnaire a au plus 100 automatisations.'],
      )
      await client.quizzes.remove({ id, permanently: '1' })
      const { rows } = await t.pool.query('select 1 from automations where quiz_id = $1', [id])
      assert.deepEqual(rows, [])
    },
  )

  test('automations with two lists of the same name stay separate until another account is connected', async () => {
    const creator = await connected()
    const { client, id, result_id } = creator
    await add(creator, { result_id, vendor_id: '7' })
    await add(creator, { result_id, vendor_id: '9' })
    const names = (await sentences(creator, id)).map(
      (sentence) => /« (Audac[^»]*) »/.exec(sentence)?.[1],
    )
    assert.deepEqual(names, ['Audacieuses (n° 7)', 'Audacieuses (n° 9)'])
    for (const vendor_id of ['9', undefined])
      assert.equal((await refusalOf(add(creator, { result_id, vendor_id }))).status, 422)
    t.brevo.keys.add('xkeysib-other', { account: 'autre' })
    const body = { api_key: 'xkeysib-other', replace_account: true }
    await client.integrations.saveBrevo({ body })
    const { automations } = await client.automations.list({ id })
    assert.deepEqual(
      automations.map(({ label_name, vendor_id }) => [label_name, vendor_id]),
      [['Audacieuses', null]],
    )
  })

  test('an automation of a deleted result stays and is marked', async () => {
    const creator = await connected()
    const { client, id, result_id } = creator
    await add(creator, { result_id })
    const [before] = await sentences(creator, id)
    await client.results.remove({ id, resultId: result_id })
    const [kept] = (await client.automations.list({ id })).automations
    // The published version still contains the result.
    assert.deepEqual([kept?.sentence, kept?.is_orphan], [before, true])
  })

  test('automations are copied with the quiz for its own results and answers, and are in the export of the account', async () => {
    const creator = await connected()
    const { client, id, quiz, result_id } = creator
    await add(creator, { result_id, vendor_id: '7' })
    await add(creator, { question_id: quiz.question_id, answer_id: quiz.answer_ids[0] })
    const { quiz: copy } = await client.quizzes.duplicate({ id })
    assert.deepEqual(await sentences(creator, copy.id), await sentences(creator, id))
    const { automations } = await client.automations.list({ id: copy.id })
    const { results, questions } = await client.drafts.get({ id: copy.id })
    assert.deepEqual(
      automations.map((automation) => [
        automation.result_id,
        automation.question_id,
        automation.answer_id,
        automation.is_orphan,
      ]),
      [
        [results[0]?.id, null, null, false],
        [null, questions[0]?.id, questions[0]?.answers[0]?.id, false],
      ],
    )
    const exported = await t.requestAs(creator, 'GET', '/account/export')
    assert.equal(exported.json<{ automations: unknown[] }>().automations.length, 4)
  })
})

describe('the tags and lists of an account', () => {
  test('the tags and lists are requested from the tool at most once a minute', async () => {
    const creator = await connected()
    const { client } = creator
    const calls = t.brevo.journal.length
    const { labels } = await client.automations.brevoLabels()
    assert.deepEqual(labels, [{ vendor_id: '7', name: 'Participants' }])
    assert.deepEqual(await client.automations.brevoLabels(), { labels })
    assert.equal(t.brevo.journal.length, calls + 1)
    await t.connectKit(creator, 'liste')
    assert.deepEqual(await client.automations.kitLabels({}), { labels: [] })
    const none = await refusalOf(client.automations.systemioLabels({}))
    assert.deepEqual([none.status, none.message], [409, 'Connectez d’abord votre compte.'])
  })
  test('the tags and lists of an unreachable or refusing tool are not shown', async () => {
    const { client } = await connected()
    t.brevo.fail({ mode: 'before', status: 503 })
    const away = await refusalOf(client.automations.brevoLabels())
    assert.deepEqual([away.status, /ne répond pas/.test(away.message)], [503, true])
    t.brevo.fail({
      mode: 'before',
      status: 401,
      body: { code: 'unauthorized', message: 'Key not found' },
    })
    const refused = await refusalOf(client.automations.brevoLabels())
    assert.deepEqual([refused.status, /nouvelle/.test(refused.message)], [409, true])
  })
  test('a creator can request the tags and lists at most twenty times in ten minutes', async () => {
    const { client, user_id } = await connected(limited)
    const ask = async () => {
      // Changes the connection as if the account had been connected again.
      await limited.pool.query(
        'update integration_connections set updated_at = clock_timestamp() where user_id = $1',
        [user_id],
      )
      return client.automations.brevoLabels()
    }
    for (let at = 0; at < 20; at += 1) await ask()
    assert.equal((await refusalOf(ask())).status, 429)
  })
})

test('« Tester » sends a contact with the tag or list of this automation', async () => {
  const creator = await connected()
  const { client, id, result_id } = creator
  const { automation } = await add(creator, { result_id })
  const at = { provider: 'brevo' as const, email: 'essai@exemple.fr' }
  const body = { ...at, automation_id: automation.id }
  const tried = await client.deliveries.test({ id, body })
  assert.deepEqual([tried.has_arrived, tried.contact.labels], [true, ['Audacieuses']])
  const account = t.brevo.accountOf('compte')
  const person = [...account.contacts.values()].find(({ email }) => email === at.email)
  assert.deepEqual(
    person?.list_ids.map((list) => account.lists.get(list)),
    ['Audacieuses'],
  )
  t.brevo.switches.max_lists = 0
  const { automation: other } = await add(creator, { result_id, label_name: 'De trop' })
  const without = await client.deliveries.test({ id, body: { ...at, automation_id: other.id } })
  t.brevo.switches.max_lists = 1_000
  assert.equal(without.has_arrived, true)
  assert.match(without.message, /^Envoyé sans « De trop »/)
  const elsewhere = { ...body, provider: 'convertkit' as const }
  assert.equal((await refusalOf(client.deliveries.test({ id, body: elsewhere }))).status, 404)
})
