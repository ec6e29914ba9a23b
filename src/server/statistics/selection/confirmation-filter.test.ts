import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfirmationScene } from '#server/testing/app/confirmation-scene.ts'

const scene = await createConfirmationScene()
const { raw, linkTo, press, waitHours, createConfirmingQuiz, submitParticipant } = scene

test('participants are filtered by the state of their confirmation', async () => {
  const { client, quiz, join } = await createConfirmingQuiz(['brevo'])
  const confirmed = await join()
  await press(linkTo(confirmed.address))
  const expired = await join()
  await waitHours(7 * 24)
  const waiting = await join()
  await submitParticipant(quiz, '')
  for (const [confirmation, { participant_uuid }] of [
    ['confirmed', confirmed],
    ['expired', expired],
    ['waiting', waiting],
  ] as const) {
    const { details, figures } = await client.statistics.responses({
      id: quiz.id,
      confirmation,
      figures: '1',
    })
    assert.deepEqual(
      details.map((participant) => [participant.participant_uuid, participant.email_confirmation]),
      [[participant_uuid, confirmation]],
    )
    assert.equal(figures?.nb_participants, 1)
  }
  const { url } = await client.exports.link({
    id: quiz.id,
    body: { format: 'csv', confirmation: 'confirmed' },
  })
  const { body } = await raw({ method: 'GET', url })
  const [titles = '', line = '', ...more] = body.trim().split('\r\n')
  assert.match(titles, /Confirmation de l’adresse,Adresse confirmée le/)
  assert.match(line, /Adresse confirmée,\d{4}-\d\d-\d\d/)
  assert.deepEqual(more, [])
})
