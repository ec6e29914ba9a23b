import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const t = await createIntegrationsApp()
after(() => t.close())

const isRefused = (call: Promise<unknown>) => refuses(call, 409, 'changed_elsewhere')

test('a setting outside the draft replaces only the value that its creator saw', async () => {
  const { client } = await t.signUp()
  const { id } = await readyScoreQuiz(client)
  const update = (body: Parameters<typeof client.quizzes.update>[0]['body']) =>
    client.quizzes.update({ id, body })
  await update({ parameters: ['ref'], replaces: { parameters: [] } })
  await isRefused(update({ parameters: ['parrain'], replaces: { parameters: [] } }))
  // Another setting that changed meanwhile is no reason to refuse.
  await update({ max_responses: 5, replaces: { max_responses: null } })
  const opens_at = '2030-01-01T08:00:00.000Z'
  await update({ opens_at, replaces: { opens_at: null } })
  await update({ opens_at: null, replaces: { opens_at } })
  await isRefused(update({ opens_at, replaces: { opens_at } }))
  const { quiz } = await client.quizzes.get({ id })
  assert.deepEqual([quiz.parameters, quiz.max_responses, quiz.opens_at], [['ref'], 5, null])
})

test('the text of a mail replaces only the text that its creator saw, and its subject stays as changed elsewhere', async () => {
  const { client } = await t.signUp()
  const { id } = await readyScoreQuiz(client)
  const seen = (await client.quizMails.get({ id })).mails
  const set = (body: Parameters<typeof client.quizMails.set>[0]['body']) =>
    client.quizMails.set({ id, body })
  await set({ subject: 'Du premier', replaces: { subject: seen.subject } })
  await set({ text: 'Du second', replaces: { text: seen.text } })
  await isRefused(set({ subject: 'Du second', text: 'Autre', replaces: seen }))
  const { subject, text } = (await client.quizMails.get({ id })).mails
  assert.deepEqual([subject, text], ['Du premier', 'Du second'])
})

test('a mapping and a webhook replace only what their creator saw', async () => {
  const { client } = await t.signUp()
  const account = randomUUID()
  t.brevo.keys.add(`xkeysib-${account}`, { account })
  await client.integrations.saveBrevo({ body: { api_key: `xkeysib-${account}` } })
  const { id, question_id } = await readyScoreQuiz(client)
  const body = { provider: 'brevo', source: 'score', field_name: 'TOTAL' } as const
  const { mapping } = await client.fieldMappings.add({ id, body })
  const change = (change: Parameters<typeof client.fieldMappings.update>[0]['body']) =>
    client.fieldMappings.update({ id, mappingId: mapping.id, body: change })
  const { source, field_name } = mapping
  const replaces = { source, question_id: null, dimension_id: null, field_name }
  await change({ source: 'question', question_id, replaces })
  await isRefused(change({ source: 'result', replaces }))
  // A field is replaced without its value, which another tab has changed.
  await change({ field_name: 'POINTS', replaces: { field_name } })
  const [changed] = (await client.fieldMappings.list({ id })).mappings
  assert.deepEqual(
    [changed?.source, changed?.question_id, changed?.field_name],
    ['question', question_id, 'POINTS'],
  )

  const url = 'https://93.184.216.34/a'
  const { webhook } = await client.webhooks.add({ id, body: { url } })
  const at = { id, webhookId: webhook.id }
  await client.webhooks.update({ ...at, body: { url: `${url}2`, replaces: { url } } })
  await isRefused(client.webhooks.update({ ...at, body: { url: `${url}3`, replaces: { url } } }))
  const { webhooks } = await client.webhooks.list({ id })
  assert.deepEqual(
    webhooks.map((listed) => listed.url),
    [`${url}2`],
  )
})

test('a setting of the account, and the name of a folder, leave the others as another tab has stored them', async () => {
  const { client } = await t.signUp()
  const { country } = (await client.preferences.set({ body: { country: 'BE' } })).preferences
  const { preferences } = await client.preferences.set({ body: { time_zone: 'Indian/Reunion' } })
  assert.deepEqual([preferences.country, preferences.time_zone], [country, 'Indian/Reunion'])

  const { folder } = await client.folders.create({ body: { name: 'Coaching' } })
  const { id } = await readyScoreQuiz(client)
  await client.folders.put({ id, body: { folder_id: folder.id } })
  await client.folders.rename({ id: folder.id, body: { name: 'Ateliers' } })
  assert.equal((await client.quizzes.get({ id })).quiz.folder_id, folder.id)
})
