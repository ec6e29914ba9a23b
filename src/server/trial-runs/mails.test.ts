import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createMailScene } from '#server/testing/app/mail-scene.ts'

const { client, db, finishDeliveries, newAddress, listMailsTo, createMailQuiz } =
  await createMailScene()

test('the mails shown for a trial run equal those sent for the same answers', async () => {
  const { creator, quiz, setMails } = await createMailQuiz()
  await setMails({
    subject: 'Bravo : {{résultat}}',
    text: 'Bonjour,\n\n- **{{score}}** points\n- [la suite](https://exemple.fr/?r={{résultat}})',
    tells_creator: 'each',
  })
  const email = newAddress()
  const answers = { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: email }
  const body = { answers, participant_uuid: randomUUID() }
  const { url } = await creator.client.trialRuns.link({ id: quiz.id })
  const token = new URL(url).searchParams.get('test') ?? ''
  await client.trialRuns.submit({ id: quiz.id, token, body })
  await finishDeliveries()
  assert.deepEqual([...listMailsTo(email), ...listMailsTo(creator.email)], [])
  const at = { id: quiz.id, runId: body.participant_uuid }
  const shown = new Map(
    (await creator.client.trialRuns.get(at)).places.map(({ provider, mail }) => [provider, mail]),
  )

  await client.publicQuiz.submit({ id: quiz.id, body })
  await finishDeliveries()
  const withoutWayOut = (text = ''): string =>
    text.replace(/\(le lien propre à cette adresse\)|https?:\S+\/desinscription\S+/, 'LIEN')
  for (const [channel, to] of [
    ['mail', email],
    ['notice', creator.email],
  ] as const) {
    const [got, ...more] = listMailsTo(to)
    assert.deepEqual(more, [])
    assert.ok(got)
    assert.equal(shown.get(channel)?.to, to)
    assert.equal(shown.get(channel)?.subject, got.subject)
    assert.equal(withoutWayOut(shown.get(channel)?.text).trim(), withoutWayOut(got.text).trim())
  }
})

test('an undeliverable address counts as absent', async () => {
  const { creator, quiz } = await createMailQuiz()
  const { url } = await creator.client.trialRuns.link({ id: quiz.id })
  const token = new URL(url).searchParams.get('test') ?? ''
  /** Returns the message for a trial run from before such addresses were refused. */
  const messageOf = async (email: string) => {
    const answers = { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: newAddress() }
    const { participant_uuid: runId } = await client.trialRuns.submit({
      id: quiz.id,
      token,
      body: { answers },
    })
    await db
      .updateTable('trial_responses')
      .set({ email: null, texts: [email] })
      .where('id', '=', runId)
      .execute()
    const { places } = await creator.client.trialRuns.get({ id: quiz.id, runId })
    const place = places.find(({ provider }) => provider === 'mail')
    return [place?.message, place?.mail]
  }
  for (const email of ['pas une adresse', 'camille@exemple', 'camille@127.1'])
    assert.deepEqual(await messageOf(email), [
      'Rien ne serait envoyé : aucune adresse email complète n’a été donnée.',
      null,
    ])
})
