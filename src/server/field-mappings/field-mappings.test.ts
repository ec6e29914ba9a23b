import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishGridSondage } from '#server/testing/quizzes/grid-sondage.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const t = await createIntegrationsApp()
const limited = await createIntegrationsApp({ RATE_LIMITS: 'on' })
after(async () => {
  await t.close()
  await limited.close()
})

/** Creates a creator with an account of their own at Brevo, and a published quiz. */
const connected = async (app = t) => {
  const creator = await app.signUp()
  const account = randomUUID()
  app.brevo.keys.add(`xkeysib-${account}`, { account })
  await creator.client.integrations.saveBrevo({ body: { api_key: `xkeysib-${account}` } })
  const { attributes } = app.brevo.accountOf(account)
  const set = (name: string, type: string) =>
    attributes.set(name, { name, category: 'normal', type })
  set('VILLE', 'text')
  set('POINTS', 'float')
  set('NE_LE', 'date')
  set('CLIENT', 'boolean')
  const quiz = await publishedScoreQuiz(creator.client)
  return { ...creator, quiz, id: quiz.id, attributes }
}
type Ready = Awaited<ReturnType<typeof connected>>
const add = ({ client, id }: Pick<Ready, 'client' | 'id'>, body: object) =>
  client.fieldMappings.add({
    id,
    body: { provider: 'brevo', source: 'score', field_name: 'TOTAL', ...body },
  })
const listed = async ({ client, id }: Pick<Ready, 'client' | 'id'>) =>
  (await client.fieldMappings.list({ id })).mappings
const sampleAt = async ({ client, id }: Pick<Ready, 'client' | 'id'>, provider = 'brevo') => {
  const { tools } = await client.fieldMappings.list({ id })
  const tool = tools.find((candidate) => candidate.provider === provider)
  return tool?.sample.map(({ name, value }) => `${name} : ${value}`)
}

describe('the mapped fields of a quiz', () => {
  test('mapped fields are added by name or picked from the account, changed and removed', async () => {
    const creator = await connected()
    const { client, id, quiz } = creator
    const of_question = { source: 'question', question_id: quiz.question_id }
    const { mapping } = await add(creator, { ...of_question, field_name: ' agenda ' })
    assert.deepEqual(
      [mapping.field_name, mapping.is_found, mapping.source_label, mapping.message],
      ['AGENDA', false, 'Réponse à « Votre agenda ? »', null],
    )
    const { fields } = await client.fieldMappings.brevoFields()
    assert.ok(fields.some(({ field_key, type }) => field_key === 'POINTS' && type === 'number'))
    const picked = await add(creator, { field_name: undefined, field_key: 'POINTS' })
    assert.deepEqual([picked.mapping.is_found, picked.mapping.field_type], [true, 'number'])
    const at = { id, mappingId: mapping.id }
    const changed = await client.fieldMappings.update({ ...at, body: { source: 'result' } })
    assert.deepEqual([changed.mapping.source, changed.mapping.question_id], ['result', null])
    await client.fieldMappings.remove(at)
    assert.equal((await listed(creator)).length, 1)
    assert.equal((await refusalOf(client.fieldMappings.remove(at))).status, 404)
    const gone = await refusalOf(client.fieldMappings.update({ ...at, body: { source: 'score' } }))
    assert.equal(gone.status, 404)
  })

  test('a field of a row is named with the grid of the row, and keeps the name that it has at the tool', async () => {
    const { client } = await connected()
    const { id, scales } = await publishGridSondage(client)
    const of_row = { source: 'question', question_id: scales[1], field_name: 'SUPPORTS' }
    const { mapping } = await add({ client, id }, of_row)
    assert.deepEqual(
      [mapping.field_name, mapping.source_label],
      ['SUPPORTS', 'Réponse à « Votre formation : Les supports étaient clairs »'],
    )
  })

  const REFUSED: [string, object, RegExp][] = [
    ['a name of 300 characters', { field_name: 'x'.repeat(300) }, /field_name.*100/],
    ['an empty name', { field_name: ' ' }, /field_name.*vide/],
    ['a name of emoji at Brevo', { field_name: '🎉' }, /lettres sans accent/],
    ['neither name nor key', { field_name: undefined }, /Choisissez un champ/],
    ['an unknown field', { field_key: 'NULLE_PART' }, /n’existe pas dans Brevo/],
    ['a question of nothing', { source: 'question', question_id: randomUUID() }, /Cette question/],
    ['no question', { source: 'question' }, /Cette question/],
    ['a score in a field of days', { field_key: 'NE_LE' }, /attend une date/],
    ['a result in a field of numbers', { source: 'result', field_key: 'POINTS' }, /un nombre/],
    ['a field of yes and no', { field_key: 'CLIENT' }, /« oui » ou « non »/],
    ['the field of the result', { field_name: 'resultat_quiz' }, /reçoit déjà le résultat/],
    ['the field of a role', { field_name: 'PRENOM' }, /« Prénom »/],
    ['the address', { field_name: 'EMAIL' }, /réservé au contact/],
    ['the field of a parameter', { field_name: 'UTM_SOURCE' }, /paramètre « utm_source »/],
    ['an unknown tool', { provider: 'mailchimp' }, /provider/],
  ]
  test('a mapped field that cannot work is refused in French and stores no data', async () => {
    const creator = await connected()
    for (const [what, body, words] of REFUSED) {
      const refused = await refusalOf(add(creator, body))
      assert.deepEqual([what, refused.status], [what, 422])
      assert.match(refused.message, words, what)
    }
    const other = await refusalOf(add(creator, { provider: 'convertkit' }))
    assert.deepEqual([other.status, other.message], [409, 'Connectez d’abord votre compte.'])
    assert.deepEqual(await listed(creator), [])
    const { mapping } = await add(creator, { field_name: undefined, field_key: 'POINTS' })
    const body = { source: 'question', question_id: creator.quiz.question_id } as const
    const at = { id: creator.id, mappingId: mapping.id }
    const changed = await refusalOf(creator.client.fieldMappings.update({ ...at, body }))
    assert.deepEqual([changed.status, /un nombre/.test(changed.message)], [422, true])
  })

  test('a quiz has at most twenty mapped fields at a tool, and each field once', async () => {
    const creator = await connected()
    await add(creator, {})
    assert.match(
      (await refusalOf(add(creator, { field_name: 'total' }))).message,
      /déjà une valeur/,
    )
    for (let at = 0; at < 18; at += 1) await add(creator, { field_name: `CHAMP_${at}` })
    const settled = await Promise.allSettled(
      ['A', 'B', 'C'].map((field_name) => add(creator, { field_name })),
    )
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    const beyond = await refusalOf(add(creator, { field_name: 'DE_TROP' }))
    assert.deepEqual(
      [beyond.status, /au plus 20 champs dans Brevo/.test(beyond.message)],
      [409, true],
    )
    await creator.client.quizzes.remove({ id: creator.id, permanently: '1' })
    const { rows } = await t.pool.query('select 1 from field_mappings where quiz_id = $1', [
      creator.id,
    ])
    assert.deepEqual(rows, [])
  })

  test('a mapping says that its question was deleted, and works again when it is restored', async () => {
    const creator = await connected()
    const { client, id, quiz } = creator
    await add(creator, { source: 'question', question_id: quiz.question_id, field_name: 'AGENDA' })
    const draft = await client.drafts.get({ id })
    const state = async () => {
      const [{ is_orphan, message } = { is_orphan: null, message: null }] = await listed(creator)
      return [is_orphan, message]
    }
    const sample = ['Email : camille@exemple.fr', 'RESULTAT_QUIZ : Pas à pas', 'AGENDA : Rempli']
    assert.deepEqual(await sampleAt(creator), sample)
    const save = (questions: typeof draft.questions) =>
      client.questions.saveDraft({ id, body: { questions, text_blocks: [] } })
    await save(draft.questions.filter((question) => question.id !== quiz.question_id))
    const [is_orphan, message] = await state()
    assert.equal(is_orphan, true)
    assert.match(String(message), /dès la prochaine publication/)
    await t.pool.query('update quizzes set published_version = null where id = $1', [id])
    assert.deepEqual(await state(), [true, 'La question a été supprimée'])
    assert.ok((await sampleAt(creator))?.includes('AGENDA : null'))
    await save(draft.questions)
    assert.deepEqual(await state(), [false, null])
    assert.ok((await sampleAt(creator))?.includes('AGENDA : Rempli'))
  })

  test('a sample contact has the contact data, the result, parameters and mapped fields of each tool', async () => {
    const creator = await connected()
    const { client, id } = creator
    const { questions } = await client.drafts.get({ id })
    const person = { type: 'text' as const, page_number: 1 }
    const asked = [
      { ...person, text: 'Votre prénom ?', contact_role: 'first_name' as const },
      { ...person, text: 'Votre nom ?', contact_role: 'last_name' as const },
      {
        ...person,
        type: 'phone' as const,
        text: 'Et le téléphone ?',
        contact_role: 'phone' as const,
      },
    ]
    await client.questions.saveDraft({
      id,
      body: { questions: [...questions, ...asked], text_blocks: [] },
    })
    await client.quizzes.update({ id, body: { parameters: ['ref'] } })
    await client.integrations.setBrevo({ id, body: { enabled: true, sends_parameters: true } })
    await client.quizzes.publish({ id })
    await add(creator, { field_name: undefined, field_key: 'POINTS' })
    assert.deepEqual(await sampleAt(creator), [
      'Email : camille@exemple.fr',
      'Prénom : Camille',
      'Nom : Durand',
      'Téléphone : +33 6 12 34 56 78',
      'RESULTAT_QUIZ : Pas à pas',
      'UTM_SOURCE : newsletter',
      'QUIZ_REF : exemple',
      'POINTS : 1',
    ])
    // Kit has no field for the last name and the phone number.
    assert.deepEqual(await sampleAt(creator, 'convertkit'), [
      'Email : camille@exemple.fr',
      'Prénom : Camille',
      'Résultat quiz : Pas à pas',
    ])
  })

  test('a duplicate has the mapped fields of its own questions', async () => {
    const creator = await connected()
    const { client, id, quiz } = creator
    await add(creator, { source: 'question', question_id: quiz.question_id, field_name: 'AGENDA' })
    await add(creator, {})
    const { quiz: copy } = await client.quizzes.duplicate({ id })
    const { questions } = await client.drafts.get({ id: copy.id })
    const copied = await listed({ client, id: copy.id })
    assert.deepEqual(
      copied.map(({ field_name, question_id, message }) => [field_name, question_id, message]),
      [
        ['AGENDA', questions[0]?.id, null],
        ['TOTAL', null, null],
      ],
    )
    assert.notEqual(questions[0]?.id, quiz.question_id)
    const exported = await client.account.exportData()
    assert.match(JSON.stringify(exported), /"field_mappings":\[\{/)
  })

  test('the keys of mapped fields are forgotten when another account is connected', async () => {
    const creator = await connected()
    await add(creator, { field_name: undefined, field_key: 'POINTS' })
    t.brevo.keys.add('xkeysib-mappings-2', { account: 'mappings-2' })
    const body = { api_key: 'xkeysib-mappings-2', replace_account: true }
    await creator.client.integrations.saveBrevo({ body })
    const [mapping] = await listed(creator)
    assert.deepEqual(
      [mapping?.field_name, mapping?.is_found, mapping?.field_type],
      ['POINTS', false, 'text'],
    )
  })

  test('another creator has no access to mapped fields, and lists of fields are limited', async () => {
    const creator = await connected(limited)
    const stranger = await limited.signUp()
    const { mapping } = await add(creator, {})
    const at = { id: creator.id, mappingId: mapping.id }
    const { fieldMappings } = stranger.client
    for (const call of [
      () => fieldMappings.list({ id: creator.id }),
      () => add({ ...creator, client: stranger.client }, { field_name: 'AUTRE' }),
      () => fieldMappings.update({ ...at, body: { source: 'result' } }),
      () => fieldMappings.remove(at),
    ])
      assert.equal((await refusalOf(call())).status, 404)
    const before = limited.brevo.journal.length
    for (let at = 0; at < 30; at += 1) await creator.client.fieldMappings.brevoFields()
    assert.equal(limited.brevo.journal.length, before + 1)
    assert.equal((await refusalOf(fieldMappings.brevoFields())).status, 409)
  })
})
