import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createBuiltFolders } from '#server/testing/app/built-app.ts'
import { createErasureScene, listContactedPeople } from '#server/testing/app/erasure-scene.ts'
import { findTablesContaining } from '#server/testing/app/find-tables-containing.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { createOwnPages, keepPages, wordsOf } from '#server/testing/app/own-pages.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const built = createBuiltFolders()
const app = await createOutboxApp({}, { folders: built.folders })
after(async () => {
  await app.close()
  built.remove()
})
const { open, post, submit } = createOwnPages(app)
const { makeErasuresDue } = createErasureScene(app)
const EMAIL = 'philomene.vasseur@exemple.fr'
const OTHER_EMAIL = 'ada@exemple.fr'

/** Publishes a quiz with pages and a webhook that forwards to every tool, and submits two participants. */
const createScene = async ({ page_erases_contacts = false, isSent = true } = {}) => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator)
  await keepPages(creator.client, quiz, { keeps_page: true, page_erases_contacts })
  const hook = await app.addWebhook(creator, quiz)
  const own = await submit(quiz, EMAIL)
  await submit(quiz, OTHER_EMAIL, 1)
  if (isSent) await app.finishDeliveries()
  return { creator, quiz, hook, ...own }
}
const eventsAt = (name: string): string[] =>
  app.receiver.receivedAt(name).map(({ text }) => JSON.parse(text).type)

describe('« Effacer mes réponses »', () => {
  test('asks once, erases the participant, and leaves the tools as they are by default', async () => {
    const { creator, quiz, hook, path } = await createScene()
    const asked = await post(path, 'effacer')
    assert.equal(asked.statusCode, 200)
    assert.match(
      wordsOf(asked),
      /Effacer mes réponses \? .*effacés de ce questionnaire pour toujours/,
    )
    assert.match(wordsOf(asked), /la garde/)
    assert.ok((await findTablesContaining(app.pool, EMAIL)).includes('responses'))

    const done = await post(path, 'confirmer')
    assert.equal(done.statusCode, 200)
    assert.match(wordsOf(done), /Les réponses sont effacées/)
    for (const reply of [
      await post(path, 'confirmer'),
      await post(path, 'effacer'),
      await open(path),
    ])
      assert.equal(reply.statusCode, 404)
    assert.deepEqual(await findDifferences(app.pool), [])
    const { quiz: stored } = await creator.client.quizzes.get({ id: quiz.id })
    assert.equal(stored.nb_responses, 1)

    await makeErasuresDue()
    await app.finishDeliveries(10_000)
    assert.deepEqual(await findTablesContaining(app.pool, EMAIL), [])
    const people = listContactedPeople(app.fakes, creator.account)
    for (const emails of Object.values(people))
      assert.deepEqual(emails.toSorted(), [OTHER_EMAIL, EMAIL])
    assert.deepEqual(eventsAt(hook.name), ['response.created', 'response.created', 'person.erased'])
  })

  testInAll(
    'asks the tools too if the creator chose so, and the creator sees who did it',
    async () => {
      const { creator, quiz, path } = await createScene({ page_erases_contacts: true })
      assert.match(wordsOf(await post(path, 'effacer')), /reçoivent aussi une demande d’effacement/)
      await post(path, 'confirmer')
      await makeErasuresDue()
      await app.finishDeliveries(10_000)
      const people = listContactedPeople(app.fakes, creator.account)
      assert.deepEqual(people, {
        convertkit: [OTHER_EMAIL],
        systemio: [OTHER_EMAIL],
        brevo: [OTHER_EMAIL],
      })
      const { erasures, page_actions } = await creator.client.erasures.list({ id: quiz.id })
      assert.deepEqual(
        erasures
          .map(({ provider, kind, status, by_participant }) => [
            provider,
            kind,
            status,
            by_participant,
          ])
          .toSorted(),
        [
          ['brevo', 'delete', 'done', true],
          ['convertkit', 'unsubscribe', 'done', true],
          ['systemio', 'delete', 'done', true],
          ['webhook', 'event', 'done', true],
        ],
      )
      assert.deepEqual(
        page_actions.map(({ kind }) => kind),
        ['erased'],
      )
      const { client: stranger } = await app.signUp()
      await assert.rejects(stranger.erasures.list({ id: quiz.id }))
      const events = await listAuditEventNames(app, quiz.id)
      assert.ok(events.includes('participant_erased by_participant'), `${events}`)
    },
  )

  testInAll('two confirmations at once erase once', async () => {
    const { creator, quiz, path } = await createScene()
    const replies = await Promise.all([post(path, 'confirmer'), post(path, 'confirmer')])
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).toSorted(), [200, 404])
    const { page_actions } = await creator.client.erasures.list({ id: quiz.id })
    assert.equal(page_actions.length, 1)
  })

  test('an erasure by the creator is not said to be by the participant', async () => {
    const { creator, quiz, participant_uuid } = await createScene()
    await creator.client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    const { erasures, page_actions } = await creator.client.erasures.list({ id: quiz.id })
    assert.deepEqual(
      erasures.map(({ by_participant }) => by_participant),
      [false],
    )
    assert.deepEqual(page_actions, [])
  })
})

describe('« Retirer mon accord »', () => {
  test('stops deliveries that wait, keeps the result, and can be repeated', async () => {
    const { creator, quiz, hook, path, participant_uuid } = await createScene({ isSent: false })
    const reply = await post(path, 'accord')
    assert.equal(reply.statusCode, 303)
    assert.equal(reply.headers.location, path)
    assert.equal((await post(path, 'accord')).statusCode, 303)
    const words = wordsOf(await open(path))
    assert.match(words, /Accord retiré le \d+(?:er)? .*plus envoyée/)
    assert.doesNotMatch(words, /Retirer mon accord/)
    assert.match(words, /Pas à pas/)
    await app.finishDeliveries()
    const people = listContactedPeople(app.fakes, creator.account)
    for (const emails of Object.values(people)) assert.deepEqual(emails, [OTHER_EMAIL])
    // The webhook gets the participant without an address, like every participant who declined.
    const bodies = app.receiver.receivedAt(hook.name).map(({ text }) => JSON.parse(text).data)
    const own = bodies.find(({ participant_id }) => participant_id === participant_uuid)
    assert.deepEqual([own.email, own.consent.state], [null, 'declined'])

    const at = { id: quiz.id, participantId: participant_uuid }
    const { participant } = await creator.client.participants.explain(at)
    assert.equal(participant.consent?.is_given, false)
    assert.ok(Date.parse(participant.consent?.withdrawn_at ?? '') <= Date.now())
    assert.deepEqual(
      participant.deliveries
        .filter(({ provider }) => provider !== 'webhook')
        .map(({ status }) => status),
      ['no_consent', 'no_consent', 'no_consent'],
    )
    const { page_actions } = await creator.client.erasures.list({ id: quiz.id })
    assert.deepEqual(
      page_actions.map(({ kind }) => kind),
      ['withdrawn'],
    )
    assert.deepEqual(await findDifferences(app.pool), [])
  })

  test('keeps the accepted wording as a proof for the time before', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    await keepPages(creator.client, quiz)
    await creator.client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    while (
      (await app.client.publicQuiz.snapshot({ id: quiz.id })).snapshot.questions[1]?.consent ===
      undefined
    );
    const { participant_uuid, documents } = await app.submitParticipant(quiz, EMAIL, 0, 1)
    const path = documents?.own_page ?? ''
    await post(path, 'accord')
    const { accord } = (await post(path, 'donnees', { email: EMAIL })).json()
    assert.equal(accord.état, 'retiré')
    assert.match(accord.texte, /./)
    assert.match(accord.retiré_le, /^\d{4}-/)
    const at = { id: quiz.id, participantId: participant_uuid }
    const { participant } = await creator.client.participants.explain(at)
    assert.equal(participant.consent?.is_given, false)
    assert.equal(participant.consent?.wording?.version, 1)
    const events = await listAuditEventNames(app, quiz.id)
    assert.deepEqual(events.slice(-2), ['consent_withdrawn by_participant', 'own_data_downloaded'])
    assert.deepEqual(await findDifferences(app.pool), [])
  })

  testInAll(
    'asks the tools to unsubscribe the person if the creator chose so, and tells no webhook',
    async () => {
      const { creator, quiz, hook, path } = await createScene({ page_erases_contacts: true })
      await post(path, 'accord')
      await makeErasuresDue()
      await app.finishDeliveries(10_000)
      const people = listContactedPeople(app.fakes, creator.account)
      assert.deepEqual(people, {
        convertkit: [OTHER_EMAIL],
        systemio: [OTHER_EMAIL],
        brevo: [OTHER_EMAIL],
      })
      const kept = [...app.fakes.brevo.accountOf(creator.account).contacts.values()]
      assert.ok(kept.some(({ email }) => email === EMAIL))
      assert.deepEqual(eventsAt(hook.name), ['response.created', 'response.created'])
      assert.equal((await open(path)).statusCode, 200)
      const { erasures } = await creator.client.erasures.list({ id: quiz.id })
      assert.deepEqual(erasures.map(({ provider }) => provider).toSorted(), [
        'brevo',
        'convertkit',
        'systemio',
      ])
    },
  )

  test('is not offered to a participant who declined', async () => {
    const { quiz, creator } = await createScene({ isSent: false })
    await creator.client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    const { documents } = await app.submitParticipant(quiz, EMAIL, 0, 0)
    const path = documents?.own_page ?? ''
    assert.doesNotMatch(wordsOf(await open(path)), /Retirer mon accord|Accord retiré/)
    await post(path, 'accord')
    assert.doesNotMatch(wordsOf(await open(path)), /Accord retiré/)
  })
})
