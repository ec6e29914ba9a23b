import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { compareContacts } from '#server/testing/quizzes/compare-contacts.ts'
import {
  createMappedContacts,
  fieldsAt,
  keyAt,
  type Respondent,
  valueAt,
} from '#server/testing/quizzes/mapped-contacts.ts'
import { FAST_RATE_LIMITS, runRandomFaults } from '#server/testing/quizzes/random-faults.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Starts early, because its tests take more than 15 s.
// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createOutboxApp({}, { rateLimits: FAST_RATE_LIMITS })
after(() => app.close())
const { fakes, finishDeliveries } = app
const { addContactFields, submitRespondent } = createMappedContacts(app)
const { valuesOf } = createToolFields(app)

testInAll(
  'random faults leave one contact each with the last value of each field, and nobody is enrolled twice',
  async () => {
    const run = { seed: 1, nb_participants: 700, nb_creators: 3, nb_timeouts: 0 }
    const { problems } = await compareContacts(app, await runRandomFaults(app, run))
    assert.deepEqual(problems, [])
  },
)

/** Answers of one person in order, and the answers whose values the tools have in the end. */
const camille: Respondent = {
  email: 'camille@exemple.fr',
  first_name: 'Camille',
  last_name: 'Durand',
  phone: '0612345678',
  choice: 0,
}
const REPEATS: Record<string, { repeats: readonly Respondent[]; last: Respondent }> = {
  'a blank field keeps the value of the earlier response': {
    repeats: [{ ...camille, first_name: '', phone: '', choice: 1 }],
    last: { ...camille, choice: 1 },
  },
  'the latest of several values counts': {
    repeats: [
      { ...camille, first_name: 'Zoé', phone: '0687654321' },
      { ...camille, first_name: '', last_name: 'Martin', phone: '', choice: 1 },
    ],
    last: { ...camille, first_name: 'Zoé', last_name: 'Martin', phone: '0687654321', choice: 1 },
  },
}
for (const provider of PROVIDERS)
  for (const [name, { repeats, last }] of Object.entries(REPEATS))
    for (const isDown of pickByRun({ daily: [true], all: [false, true] }))
      test(`${name} at ${provider}${isDown ? ', also if all wait for the tool' : ''}`, async () => {
        const creator = await app.connectCreator()
        const plain = await app.createForwardingQuiz(creator, [provider])
        const quiz = await addContactFields(creator, plain, [provider])
        if (isDown) fakes[provider].fail({ mode: 'before', status: 503, times: 10_000 })
        for (const person of [camille, ...repeats]) {
          await submitRespondent(quiz, person)
          await app.worker.drain()
        }
        fakes[provider].heal()
        await finishDeliveries(20_000)
        const values = valuesOf(creator, provider, camille.email)
        for (const field of fieldsAt(provider))
          assert.equal(values[keyAt(provider, field)], valueAt(provider, field, last), field)
      })

test('a person who answers very often is one contact with the values of the last response', async () => {
  const creator = await app.connectCreator()
  const quiz = await addContactFields(
    creator,
    await app.createForwardingQuiz(creator, ['systemio']),
    ['systemio'],
  )
  fakes.systemio.fail({ mode: 'before', status: 503, times: 10_000 })
  await submitRespondent(quiz, camille)
  for (let count = 0; count < 30; count += 1)
    await submitRespondent(quiz, { ...camille, first_name: `Camille ${count}`, choice: 1 })
  fakes.systemio.heal()
  await finishDeliveries(20_000)
  const values = valuesOf(creator, 'systemio', camille.email)
  assert.equal(values.first_name, 'Camille 29')
  assert.equal(values.profil, 'Grand saut')
})
