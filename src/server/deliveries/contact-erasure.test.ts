import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createErasureScene, ERASURE_CHOICES } from '#server/testing/app/erasure-scene.ts'
import { findTablesContaining } from '#server/testing/app/find-tables-containing.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { askForContact, contactReplies } from '#server/testing/quizzes/contact-questions.ts'

const app = await createOutboxApp()
after(() => app.close())
const { makeErasuresDue } = createErasureScene(app)

const PERSON = {
  email: 'zephyrine.quetzal@exemple.fr',
  first_name: 'Zéphyrine',
  last_name: 'Quetzalcoatl',
  phone: '06 98 71 23 45',
}
const KEPT = { email: 'ada@exemple.fr', first_name: 'Ada', last_name: 'Byron' }

test('the erasure of a person removes the names and the number from every table, across quizzes', async () => {
  const creator = await app.connectCreator()
  const { participants, account } = creator.client
  const quizzes = [
    await askForContact(creator.client, await app.createForwardingQuiz(creator)),
    await askForContact(creator.client, await app.createForwardingQuiz(creator)),
  ]
  for (const quiz of quizzes) {
    await app.addWebhook(creator, quiz)
    for (const person of [PERSON, KEPT])
      await app.client.publicQuiz.submit({
        id: quiz.id,
        body: { answers: contactReplies(quiz, person) },
      })
  }
  await app.finishDeliveries()
  const stored = await findTablesContaining(app.pool, PERSON.last_name)
  assert.ok(stored.includes('responses') && stored.includes('text_counts'), `${stored}`)

  const body = { email: PERSON.email }
  const { responses } = await participants.ofPerson({ body })
  assert.deepEqual(
    responses.map(({ email, first_name, last_name, phone }) => ({
      email,
      first_name,
      last_name,
      phone,
    })),
    [PERSON, PERSON],
  )
  const exported = JSON.stringify((await account.exportData()).responses)
  const written = `"first_name":"${PERSON.first_name}","last_name":"${PERSON.last_name}","phone":"${PERSON.phone}"`
  assert.equal(exported.split(written).length - 1, 2)

  const removed = await participants.removePerson({ body: { ...body, ...ERASURE_CHOICES } })
  assert.deepEqual(removed, { nb_deleted: 2, nb_invitations: 0 })
  await makeErasuresDue()
  await app.finishDeliveries(10_000)
  for (const text of Object.values(PERSON))
    assert.deepEqual(await findTablesContaining(app.pool, text), [], text)
  for (const { id } of quizzes) {
    for (const search of ['zephy', '069871'])
      assert.deepEqual((await creator.client.statistics.responses({ id, search })).details, [])
    const { details } = await creator.client.statistics.responses({ id, search: 'byron' })
    assert.equal(details.length, 1)
  }
  assert.deepEqual(await findDifferences(app.pool), [])
})

test('the ledger finds the deliveries of a participant by name and by phone number', async () => {
  const creator = await app.connectCreator()
  const quiz = await askForContact(creator.client, await app.createForwardingQuiz(creator))
  for (const person of [PERSON, KEPT])
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers: contactReplies(quiz, person) },
    })
  for (const email of ['ZEPHYR', 'quetzal z', '06 98', 'zephyrine.q', 'exemple.fr']) {
    const { deliveries } = await creator.client.deliveries.list({ id: quiz.id, email })
    const names = new Set(deliveries.map(({ first_name }) => first_name))
    assert.ok(names.has('Zéphyrine'), email)
    assert.equal(names.has('Ada'), email === 'exemple.fr', email)
  }
})
