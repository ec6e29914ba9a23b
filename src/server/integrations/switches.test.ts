import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createIntegrationsApp()
after(() => t.close())
afterEach(() => {
  for (const fake of [t.kit, t.systemio, t.brevo]) fake.heal()
})

const quizOf = async ({ client }: SignedUp): Promise<string> =>
  (await client.quizzes.create({ body: { name: 'Le mien', type: 'quiz' } })).quiz.id

/** Creates a creator with three connected accounts of the same name. */
const connected = async (account: string): Promise<SignedUp> => {
  const creator = await t.signUp()
  t.brevo.keys.add(`xkeysib-${account}`, { account })
  t.systemio.keys.add(`systemeio-${account}`, { account })
  await t.connectKit(creator, account)
  await creator.client.integrations.saveBrevo({ body: { api_key: `xkeysib-${account}` } })
  await creator.client.integrations.saveSystemio({ body: { api_key: `systemeio-${account}` } })
  return creator
}
const ON = { enabled: true }

describe('the forwarding of a quiz', () => {
  test('forwarding is disabled by default and needs a connected account', async () => {
    const creator = await t.signUp()
    const id = await quizOf(creator)
    const { integrations } = creator.client
    assert.deepEqual(await integrations.ofQuiz({ id }), {
      convertkit: { enabled: false, tag_by_result: false, sends_parameters: false },
      systemio: { enabled: false, tag_by_result: true, sends_parameters: false },
      brevo: { enabled: false, tag_by_result: false, sends_parameters: false },
      has_been_enabled: false,
    })
    for (const set of [integrations.setConvertkit, integrations.setSystemio, integrations.setBrevo])
      await refuses(set({ id, body: ON }), 409, 'not_connected')
    assert.equal(
      (await integrations.setBrevo({ id, body: { enabled: false } })).brevo.enabled,
      false,
    )
  })

  test('forwarding is recorded as used after the first activation', async () => {
    const creator = await connected('souvenir')
    const id = await quizOf(creator)
    const { integrations } = creator.client
    const off = { id, body: { enabled: false, tag_by_result: true } }
    assert.equal((await integrations.setBrevo(off)).has_been_enabled, false)
    assert.equal((await integrations.setBrevo({ id, body: ON })).has_been_enabled, true)
    assert.equal((await integrations.setBrevo(off)).has_been_enabled, true)
    const other = await quizOf(creator)
    assert.equal((await integrations.ofQuiz({ id: other })).has_been_enabled, false)
  })

  test('forwarding creates the field at each tool and stores its key', async () => {
    const creator = await connected('trois')
    const id = await quizOf(creator)
    const { integrations } = creator.client
    await integrations.setConvertkit({ id, body: ON })
    await integrations.setSystemio({ id, body: { enabled: true, tag_by_result: false } })
    const all = await integrations.setBrevo({ id, body: ON })
    assert.deepEqual(all, {
      convertkit: { enabled: true, tag_by_result: false, sends_parameters: false },
      systemio: { enabled: true, tag_by_result: false, sends_parameters: false },
      brevo: { enabled: true, tag_by_result: false, sends_parameters: false },
      has_been_enabled: true,
    })
    assert.deepEqual(
      [...t.kit.accountOf('trois').fields.values()].map(({ label }) => label),
      ['Résultat quiz'],
    )
    assert.equal(t.systemio.accountOf('trois').fields.get('resultat_quiz'), 'Résultat quiz')
    assert.equal(t.brevo.accountOf('trois').attributes.get('RESULTAT_QUIZ')?.type, 'text')
    const { rows } = await t.pool.query(
      'select provider, field_key from quiz_integrations where quiz_id = $1 order by 1',
      [id],
    )
    assert.deepEqual(rows, [
      { provider: 'brevo', field_key: 'RESULTAT_QUIZ' },
      { provider: 'convertkit', field_key: 'resultat_quiz' },
      { provider: 'systemio', field_key: 'resultat_quiz' },
    ])
  })

  test('forwarding sends parameters on request, and requests refused fields again', async () => {
    const creator = await connected('parametres')
    const id = await quizOf(creator)
    const { integrations } = creator.client
    await integrations.setBrevo({ id, body: { enabled: true, sends_parameters: true } })
    await t.pool.query(
      `update quiz_integrations set parameter_fields = '{"utm_source": "UTM_SOURCE", "ref": null}'
      where quiz_id = $1`,
      [id],
    )
    const fieldsOf = async () => {
      const { rows } = await t.pool.query(
        'select parameter_fields from quiz_integrations where quiz_id = $1',
        [id],
      )
      return rows[0].parameter_fields
    }
    const kept = await integrations.setBrevo({ id, body: ON })
    assert.equal(kept.brevo.sends_parameters, true)
    assert.deepEqual(await fieldsOf(), { utm_source: 'UTM_SOURCE', ref: null })
    await integrations.setBrevo({ id, body: { enabled: true, sends_parameters: true } })
    assert.deepEqual(await fieldsOf(), {})
    const off = await integrations.setBrevo({
      id,
      body: { enabled: true, sends_parameters: false },
    })
    assert.equal(off.brevo.sends_parameters, false)
    assert.equal((await integrations.ofQuiz({ id })).brevo.sends_parameters, false)
  })

  test('forwarding keeps its stored state if a change omits it', async () => {
    const creator = await connected('onglets')
    const id = await quizOf(creator)
    const { integrations } = creator.client
    await integrations.setBrevo({ id, body: ON })
    const named = await integrations.setBrevo({ id, body: { sends_parameters: true } })
    assert.deepEqual([named.brevo.enabled, named.brevo.sends_parameters], [true, true])
    await integrations.setBrevo({ id, body: { enabled: false } })
    const { brevo } = await integrations.setBrevo({ id, body: { sends_parameters: false } })
    assert.deepEqual([brevo.enabled, brevo.sends_parameters], [false, false])
    assert.equal((await integrations.setBrevo({ id, body: {} })).brevo.enabled, false)
  })

  test('forwarding writes into the field whose name the creator chose', async () => {
    const creator = await connected('noms')
    const { client } = creator
    const { id } = await publishedScoreQuiz(client)
    await client.integrations.setBrevo({ id, body: ON })
    const { quiz } = await client.quizzes.update({
      id,
      body: { kit_custom_field: 'Mon profil', brevo_attribute_name: ' mon_profil ' },
    })
    assert.deepEqual(
      [quiz.kit_custom_field, quiz.brevo_attribute_name],
      ['Mon profil', 'MON_PROFIL'],
    )
    const { rows } = await t.pool.query(
      'select field_key from quiz_integrations where quiz_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ field_key: null }])
    await client.integrations.setBrevo({ id, body: ON })
    await client.integrations.setConvertkit({ id, body: ON })
    assert.ok(t.brevo.accountOf('noms').attributes.has('MON_PROFIL'))
    assert.deepEqual(
      [...t.kit.accountOf('noms').fields.values()].map(({ key }) => key),
      ['mon_profil'],
    )
    for (const brevo_attribute_name of ['Élan', 'a b', '', '1'])
      await refuses(client.quizzes.update({ id, body: { brevo_attribute_name } }), 422, 'invalid')
    const { has_unpublished_changes } = await client.quizzes.hasChanges({ id })
    assert.equal(has_unpublished_changes, false)
  })

  test('forwarding resumes automatically when the tool is connected again', async () => {
    const creator = await connected('retour')
    const id = await quizOf(creator)
    const { integrations } = creator.client
    await integrations.setBrevo({ id, body: ON })
    await integrations.removeBrevo()
    assert.equal((await integrations.ofQuiz({ id })).brevo.enabled, false)
    await integrations.saveBrevo({ body: { api_key: 'xkeysib-retour' } })
    assert.equal((await integrations.ofQuiz({ id })).brevo.enabled, true)
  })

  testInAll('forwarding stays disabled with a reason if the field cannot be created', async () => {
    const creator = await connected('refus')
    const { client } = creator
    const id = await quizOf(creator)
    await client.quizzes.update({ id, body: { brevo_attribute_name: 'ORDER_ID' } })
    const refusal = await refusalOf(client.integrations.setBrevo({ id, body: ON }))
    assert.equal(
      refusal.message,
      'Le champ « ORDER_ID » n’a pas pu être créé : un champ de ce nom existe déjà avec un autre type.',
    )
    for (const fault of [{ status: 200, body: '<html>' }, { status: 503 }, {}, { status: 302 }]) {
      t.systemio.fail({ mode: 'before', ...fault })
      const call = client.integrations.setSystemio({ id, body: ON })
      await refuses(call, 503, 'provider_unavailable')
    }
    const { brevo, systemio } = await client.integrations.ofQuiz({ id })
    assert.deepEqual([brevo.enabled, systemio.enabled], [false, false])
  })

  testInAll('forwarding tells the creator when the tool has closed the account', async () => {
    const creator = await connected('ferme')
    const { client } = creator
    const id = await quizOf(creator)
    t.brevo.keys.remove('xkeysib-ferme')
    const refusal = await refusalOf(client.integrations.setBrevo({ id, body: ON }))
    const message = 'Brevo n’accepte plus la clé API : enregistrez-en une nouvelle.'
    assert.deepEqual([refusal.status, refusal.message], [409, message])
    const status = await client.integrations.brevoStatus()
    assert.deepEqual(
      [status.configured, status.needs_attention, status.message],
      [true, true, message],
    )
    const calls = t.brevo.journal.length
    await refuses(client.integrations.setBrevo({ id, body: ON }), 409, 'invalid_key')
    assert.equal(t.brevo.journal.length, calls)
    t.brevo.keys.add('xkeysib-neuve', { account: 'ferme' })
    await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-neuve' } })
    assert.equal((await client.integrations.setBrevo({ id, body: ON })).brevo.enabled, true)
  })

  test('another creator cannot access the forwarding of a quiz', async () => {
    const creator = await connected('proprietaire')
    const stranger = await connected('etrangere')
    const id = await quizOf(creator)
    await refuses(stranger.client.integrations.ofQuiz({ id }), 404, 'not_found')
    await refuses(stranger.client.integrations.setBrevo({ id, body: ON }), 404, 'not_found')
    assert.ok(!t.brevo.accountOf('etrangere').attributes.has('RESULTAT_QUIZ'))
  })
})
