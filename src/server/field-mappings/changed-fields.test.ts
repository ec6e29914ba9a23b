import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const t = await createIntegrationsApp()
after(() => t.close())

/** Returns a creator with a quiz, whose score and result fill fields of a new account at Brevo. */
const createMappings = async () => {
  const { client } = await t.signUp()
  const account = randomUUID()
  t.brevo.keys.add(`xkeysib-${account}`, { account })
  await client.integrations.saveBrevo({ body: { api_key: `xkeysib-${account}` } })
  const { id, question_id } = await readyScoreQuiz(client)
  const { attributes } = t.brevo.accountOf(account)
  for (const [name, type] of [
    ['POINTS', 'float'],
    ['PRESENT', 'boolean'],
  ] as const)
    attributes.set(name, { name, category: 'normal', type })
  const add = async (source: 'score' | 'result', field_name: string) =>
    (
      await client.fieldMappings.add({
        id,
        body: { provider: 'brevo', source, field_name },
      })
    ).mapping.id
  const mappingId = await add('score', 'TOTAL')
  await add('result', 'PROFIL')
  const change = (
    body: Omit<Parameters<typeof client.fieldMappings.update>[0]['body'], 'source'>,
  ) => client.fieldMappings.update({ id, mappingId, body: { source: 'score', ...body } })
  const listed = async () => {
    const { mappings } = await client.fieldMappings.list({ id })
    return mappings.map((mapping) => [mapping.id === mappingId, mapping.field_name, mapping.source])
  }
  return { client, id, question_id, mappingId, change, listed }
}

test('a mapping receives another field of the account or a new field, and keeps its place and its source', async () => {
  const { change, listed } = await createMappings()
  const { mapping: found } = await change({ field_key: 'POINTS' })
  assert.deepEqual(
    [found.field_name, found.field_type, found.is_found, found.source],
    ['POINTS', 'number', true, 'score'],
  )
  const { mapping: named } = await change({ field_name: 'mes_points' })
  assert.deepEqual(
    [named.field_name, named.field_type, named.is_found],
    ['MES_POINTS', 'text', false],
  )
  await change({ field_name: 'MES_POINTS' })
  assert.deepEqual(await listed(), [
    [true, 'MES_POINTS', 'score'],
    [false, 'PROFIL', 'result'],
  ])
})

test('a field of another type, a used, reserved or missing field is refused, and the mapping keeps its field', async () => {
  const { client, id, mappingId, question_id, change, listed } = await createMappings()
  for (const body of [
    { field_key: 'PRESENT' },
    { field_key: 'ABSENT' },
    { field_name: 'profil' },
    { field_name: 'PRENOM' },
    { field_name: 'EXT_ID' },
    { field_name: '1 champ' },
  ])
    await refuses(change(body), 422, 'invalid')
  const text = { source: 'question', question_id, field_key: 'POINTS' } as const
  await refuses(client.fieldMappings.update({ id, mappingId, body: text }), 422, 'invalid')
  assert.deepEqual(await listed(), [
    [true, 'TOTAL', 'score'],
    [false, 'PROFIL', 'result'],
  ])
})
