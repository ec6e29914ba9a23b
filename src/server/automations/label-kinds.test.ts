import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const t = await createIntegrationsApp()
after(() => t.close())
const usual = { kit: { ...t.kit.switches }, systemio: { ...t.systemio.switches, calls: 1_000 } }
afterEach(() => {
  Object.assign(t.kit.switches, usual.kit)
  Object.assign(t.systemio.switches, usual.systemio)
  for (const fake of [t.kit, t.systemio]) fake.heal()
})

const connected = async () => {
  const creator = await t.signUp()
  Object.assign(t.systemio.switches, usual.systemio)
  await creator.client.integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } })
  const { id, result_ids } = await publishedScoreQuiz(creator.client)
  const result_id = result_ids[0] ?? ''
  const add = (body: object) =>
    creator.client.automations.add({
      id,
      body: { provider: 'systemio', result_id, label_name: 'Premiers pas', ...body },
    })
  const kinds = async (quiz_id = id) =>
    (await creator.client.automations.list({ id: quiz_id })).automations.map(
      ({ label_kind, vendor_id }) => [label_kind, vendor_id],
    )
  return { ...creator, id, add, kinds }
}
const course = { label_kind: 'course', vendor_id: '8001' }

describe('a rule with a kind of label', () => {
  test('a rule may give a tag, a course and a community of one name', async () => {
    const { add, kinds, client, id } = await connected()
    const { automation } = await add(course)
    assert.match(automation.sentence, /, inscrire au cours « Premiers pas » dans Systeme\.io$/)
    await add({})
    await add({ label_kind: 'community', vendor_id: '8001' })
    await add({ ...course, vendor_id: '8002' })
    assert.deepEqual(await kinds(), [
      ['course', '8001'],
      [null, null],
      ['community', '8001'],
      ['course', '8002'],
    ])
    const twice = await refusalOf(add({ ...course, label_name: 'premiers pas' }))
    assert.deepEqual([twice.status, twice.code], [422, 'invalid'])
    const { automations } = await client.automations.list({ id })
    assert.match(automations[0]?.sentence ?? '', /« Premiers pas \(n° 8001\) »/)
    assert.match(automations[2]?.sentence ?? '', /communauté « Premiers pas »/)
  })

  const REFUSED: [string, object, RegExp][] = [
    ['is not picked', { label_kind: 'course' }, /Choisissez un cours de votre compte/],
    ['is not picked', { label_kind: 'community' }, /Choisissez une communauté de votre compte/],
    [
      'is of another tool',
      { label_kind: 'form', vendor_id: '7' },
      /Systeme\.io n’offre pas de formulaires/,
    ],
    ['is unknown', { label_kind: 'webinaire', vendor_id: '7' }, /label_kind/],
    [
      'is at Brevo',
      { provider: 'brevo', label_kind: 'course', vendor_id: '7' },
      /Brevo n’offre pas de cours/,
    ],
  ]
  for (const [what, body, message] of REFUSED)
    test(`a label that ${what} is refused: ${JSON.stringify(body)}`, async () => {
      const { add, kinds } = await connected()
      const refused = await refusalOf(add(body))
      assert.equal(refused.status, 422)
      assert.match(refused.message, message)
      assert.deepEqual(await kinds(), [])
    })

  test('the kind is copied with the quiz and is in the export of the account', async () => {
    const creator = await connected()
    const { add, kinds, client, id } = creator
    await add(course)
    const { quiz } = await client.quizzes.duplicate({ id })
    assert.deepEqual(await kinds(quiz.id), [['course', '8001']])
    const exported = await t.requestAs(creator, 'GET', '/account/export')
    const { automations } = exported.json<{ automations: { label_kind: string }[] }>()
    assert.deepEqual(
      automations.map(({ label_kind }) => label_kind),
      ['course', 'course'],
    )
  })

  test('after the account was replaced, a course has to be picked again, and a tag is found by name', async () => {
    const creator = await connected()
    const { add, kinds, client, id } = creator
    await add(course)
    await add({ ...course, vendor_id: '8002' })
    await add({ vendor_id: '7' })
    await add({ label_kind: 'community', vendor_id: '9001' })
    t.systemio.keys.add('systemeio-other', { account: 'autre' })
    await client.integrations.saveSystemio({
      body: { api_key: 'systemeio-other', replace_account: true },
    })
    assert.deepEqual(await kinds(), [
      ['course', null],
      [null, null],
      ['community', null],
    ])
    const { automations } = await client.automations.list({ id })
    const trial = await client.deliveries.test({
      id,
      body: {
        provider: 'systemio',
        email: 'essai@exemple.fr',
        automation_id: automations[0]?.id,
      },
    })
    assert.equal(trial.has_arrived, true)
    assert.match(trial.message, /cours « Premiers pas » : le compte connecté a changé/)
    const { automation } = await add({ ...course, vendor_id: '8009' })
    assert.equal(automation.id, automations[0]?.id)
    assert.deepEqual((await kinds())[0], ['course', '8009'])
  })

  test('a trial names the course that it joined', async () => {
    const { add, client, id } = await connected()
    const { automation } = await add(course)
    const body = { provider: 'systemio' as const, email: 'essai@exemple.fr' }
    const { contact } = await client.deliveries.test({
      id,
      body: { ...body, automation_id: automation.id },
    })
    assert.deepEqual(contact.labels, [])
    assert.deepEqual(contact.enrolments, [{ kind: 'course', name: 'Premiers pas' }])
  })
})

describe('the labels of a kind in an account', () => {
  test('each kind is listed and cached by itself', async () => {
    const creator = await connected()
    const { client } = creator
    const named = async (kind?: 'course' | 'community') =>
      (await client.automations.systemioLabels({ kind })).labels.map(({ name }) => name)
    const before = t.systemio.journal.length
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(await named('course'), ['Premiers pas'])
      assert.deepEqual(await named('community'), ['Le cercle'])
      assert.deepEqual(await named(), [])
    }
    assert.equal(t.systemio.journal.length, before + 3)
    await t.connectKit(creator, 'liste-kit')
    const forms = await client.automations.kitLabels({ kind: 'form' })
    const sequences = await client.automations.kitLabels({ kind: 'sequence' })
    assert.deepEqual(
      [...forms.labels, ...sequences.labels].map(({ name }) => name),
      ['Inscription', 'Bienvenue'],
    )
    const other = await refusalOf(client.automations.kitLabels({ kind: 'course' as 'form' }))
    assert.equal(other.status, 422)
  })

  test('a plan without the feature is told in French and leaves the connection working', async () => {
    const { client } = await connected()
    for (const plan_status of [402, 403] as const) {
      Object.assign(t.systemio.switches, { plan_lacks: ['community'], plan_status })
      const refused = await refusalOf(client.automations.systemioLabels({ kind: 'community' }))
      assert.deepEqual(
        [refused.status, refused.code, refused.message],
        [409, 'missing_feature', 'Votre offre Systeme.io ne comprend pas les communautés.'],
      )
    }
    const { labels } = await client.automations.systemioLabels({ kind: 'course' })
    assert.equal(labels.length, 1)
    const { needs_attention } = await client.integrations.systemioStatus()
    assert.ok(!needs_attention)
  })

  test('a tool that fails for one kind fails for this kind alone', async () => {
    const { client } = await connected()
    t.systemio.fail({ path: '/api/school/courses', mode: 'before', status: 503 })
    const away = await refusalOf(client.automations.systemioLabels({ kind: 'course' }))
    assert.deepEqual([away.status, away.code], [503, 'provider_unavailable'])
    assert.equal((await client.automations.systemioLabels({ kind: 'community' })).labels.length, 1)
    assert.equal((await client.automations.systemioLabels({ kind: 'course' })).labels.length, 1)
  })
})
