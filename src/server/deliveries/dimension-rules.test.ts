import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { createLabelReader } from '#server/testing/quizzes/labelled-quizzes.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'

const app = await createOutboxApp()
after(() => app.close())
const { readLabels } = createLabelReader(app.fakes)
const { valuesByEmail } = createToolFields(app)

/** Creates a quiz that forwards to Brevo, whose choice question is the dimension « Santé ». */
const createQuiz = async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const [dimension_id, weak, strong] = [randomUUID(), randomUUID(), randomUUID()]
  const { id, question_id } = quiz
  const { revision } = await creator.client.drafts.get({ id })
  const tier = { text: null }
  await creator.client.drafts.save({
    id,
    body: {
      based_on: revision,
      dimensions: [
        {
          id: dimension_id,
          name: 'Santé',
          description: null,
          tiers: [
            { id: weak, from_percent: 0, to_percent: 49, title: 'Faible', ...tier },
            { id: strong, from_percent: 50, to_percent: 100, title: 'Forte', ...tier },
          ],
        },
      ],
      questions: [{ id: question_id, dimension_id }],
    },
  })
  await creator.client.quizzes.publish({ id })
  return { creator, quiz, dimension_id, weak, strong }
}

test('a rule for a tier gives its label, and a field receives the percent', async () => {
  const { creator, quiz, dimension_id, weak } = await createQuiz()
  const { id } = quiz
  const { client } = creator
  const subject = { dimension_id, tier_id: weak }
  const { automation } = await client.automations.add({
    id,
    body: { provider: 'brevo', ...subject, label_name: 'À rappeler' },
  })
  assert.equal(
    automation.sentence,
    'Quand « Santé » est « Faible », ajouter à la liste « À rappeler » dans Brevo',
  )
  const source = { source: 'dimension' as const, dimension_id }
  const { mapping } = await client.fieldMappings.add({
    id,
    body: { provider: 'brevo', ...source, field_name: 'SANTE' },
  })
  assert.equal(mapping.source_label, 'Dimension « Santé » (%)')
  await app.submitParticipant(quiz, 'a@exemple.fr', 0)
  await app.submitParticipant(quiz, 'b@exemple.fr', 1)
  await app.finishDeliveries()
  assert.deepEqual(readLabels(creator, 'brevo'), {
    'a@exemple.fr': ['À rappeler'],
    'b@exemple.fr': [],
  })
  const values = valuesByEmail(creator, 'brevo')
  assert.equal(values['a@exemple.fr']?.sante, '0')
  assert.equal(values['b@exemple.fr']?.sante, '100')
  const dryRun = async (asked: Parameters<typeof client.dryRuns.get>[0]) => {
    const { nb_matching, participants } = await client.dryRuns.get(asked)
    return [nb_matching, participants.map(({ email, value }) => [email, value])]
  }
  assert.deepEqual(await dryRun({ id, ...subject }), [1, [['a@exemple.fr', null]]])
  assert.deepEqual(await dryRun({ id, ...source }), [
    2,
    [
      ['b@exemple.fr', '100'],
      ['a@exemple.fr', '0'],
    ],
  ])
})

test('a webhook receives the dimensions that the participant was shown, with percent and tier', async () => {
  const { creator, quiz } = await createQuiz()
  const hook = await app.addWebhook(creator, quiz)
  await app.submitParticipant(quiz, 'a@exemple.fr', 0)
  await app.submitParticipant(quiz, 'b@exemple.fr', 1)
  await app.finishDeliveries()
  const received = app.receiver
    .receivedAt(hook.name)
    .map(({ text }) => JSON.parse(text) as { data: { email: string; dimensions: unknown } })
  assert.deepEqual(
    new Map(received.map(({ data }) => [data.email, data.dimensions])),
    new Map([
      ['a@exemple.fr', [{ name: 'Santé', percent: 0, tier: 'Faible' }]],
      ['b@exemple.fr', [{ name: 'Santé', percent: 100, tier: 'Forte' }]],
    ]),
  )
})

test('a rule and a field survive the deletion of their dimension, and a copy of the quiz has its own', async () => {
  const { creator, quiz, dimension_id, weak, strong } = await createQuiz()
  const { id } = quiz
  const { client } = creator
  const subject = { dimension_id, tier_id: weak }
  const rule = { provider: 'brevo' as const, label_name: 'À rappeler' }
  await client.automations.add({ id, body: { ...rule, ...subject } })
  await client.fieldMappings.add({
    id,
    body: { provider: 'brevo', source: 'dimension', dimension_id, field_name: 'SANTE' },
  })
  await refuses(client.automations.add({ id, body: { ...rule, ...subject } }), 422, 'invalid')
  const halves = [
    { dimension_id },
    { tier_id: strong },
    { dimension_id, tier_id: randomUUID() },
    { ...subject, result_id: quiz.result_ids[0] },
  ]
  for (const half of halves)
    await refuses(client.automations.add({ id, body: { ...rule, ...half } }), 422, 'invalid')
  const { quiz: copy } = await client.quizzes.duplicate({ id })
  const [own] = (await client.drafts.get({ id: copy.id })).dimensions
  const [copied] = (await client.automations.list({ id: copy.id })).automations
  const [mapped] = (await client.fieldMappings.list({ id: copy.id })).mappings
  assert.notEqual(own?.id, dimension_id)
  assert.deepEqual(
    [copied?.dimension_id, copied?.tier_id, mapped?.dimension_id, copied?.is_orphan],
    [own?.id, own?.tiers[0]?.id, own?.id, false],
  )
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({ id, body: { based_on: revision, removed: [dimension_id] } })
  const [orphan] = (await client.automations.list({ id })).automations
  const [field] = (await client.fieldMappings.list({ id })).mappings
  assert.deepEqual([orphan?.is_orphan, field?.is_orphan], [true, true])
  assert.match(field?.message ?? '', /La dimension a été supprimée du brouillon/)
})
