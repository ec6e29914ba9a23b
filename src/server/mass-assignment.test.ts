import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { callUrl, contractCalls, validBodies } from './testing/app/contract-calls.ts'
import { createTestApp } from './testing/app/test-app.ts'
import { createPerson, type Person } from './testing/ownership/person.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const app = await createTestApp({
  BREVO_API_URL: 'http://127.0.0.1:9',
  SYSTEMEIO_API_URL: 'http://127.0.0.1:9',
})
after(() => app.close())

let me: Person
let victim: Person
before(async () => {
  me = await createPerson(app)
  victim = await createPerson(app)
})

/** Returns fields that no body may set. */
const SMUGGLED = () => ({
  nb_responses: 9_999,
  creator_id: victim.user_id,
  user_id: victim.user_id,
  owner_id: victim.user_id,
  quiz_id: victim.quiz.id,
  published_version: 77,
  published_at: '2001-01-01T00:00:00.000Z',
  revision: 9_999,
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  access_token: 'volé',
  sealed_secret: 'volé',
  is_admin: true,
  role: 'service_role',
})

/** Returns a value with these fields added to it and to every object inside. */
const smuggledInto = (value: unknown, fields: object): unknown => {
  if (Array.isArray(value)) return value.map((item) => smuggledInto(item, fields))
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).map(([key, member]) => [
    key,
    // Maps have ids as keys, so that another key would be another entry.
    key === 'answers' || key === 'score_thresholds' ? member : smuggledInto(member, fields),
  ])
  return { ...fields, ...Object.fromEntries(own) }
}

const owners = async () =>
  app.db.selectFrom('quizzes').select(['id', 'creator_id', 'published_version']).execute()

describe('fields that clients may not set', () => {
  const writes = contractCalls.filter(([name, { body }]) => body && name !== 'account.remove')
  for (const [name, endpoint] of writes)
    test(`the call ${name} ignores fields that clients may not set`, async () => {
      const others = (await owners()).filter(({ creator_id }) => creator_id === victim.user_id)
      const { nb_responses } = (await me.client.quizzes.get({ id: me.quiz.id })).quiz
      const fields = SMUGGLED()
      const answer = await app.raw({
        method: endpoint.method,
        url: callUrl(endpoint, me.quiz),
        headers: { authorization: `Bearer ${me.access_token}` },
        body: smuggledInto(validBodies(me.quiz)[name], fields) as object,
      })
      assert.ok(answer.statusCode < 500 || answer.statusCode === 503, answer.body)
      for (const value of ['volé', '2001-01-01', '9999', 'service_role'])
        assert.ok(!answer.body.includes(value), `${value} in ${answer.body}`)
      const now = (await owners()).filter(({ creator_id }) => creator_id === victim.user_id)
      assert.deepEqual(now, others)
      const { quiz } = await me.client.quizzes.get({ id: me.quiz.id })
      const change = quiz.nb_responses - nb_responses
      assert.ok([-1, 0, 1].includes(change), `${change} participants`)
      const mine = (await owners()).filter(({ id }) => id === me.quiz.id)
      assert.deepEqual(
        mine.map(({ creator_id, published_version }) => [creator_id, published_version === 77]),
        [[me.user_id, false]],
      )
    })
})

describe('the public snapshot', () => {
  test('the public snapshot contains what the page needs and no data about its owner, draft or tools', async () => {
    const { body } = await app.raw({ url: `${BASE_PATH}/quizzes/${victim.quiz.id}/snapshot` })
    const said = [victim.email, victim.user_id, victim.draft_text, victim.participant_email]
    for (const word of said) assert.ok(!body.includes(word), word)
    assert.doesNotMatch(body, /creator|owner|token|secret|api_key|kit_|brevo|revision|created_at/)
    const { snapshot } = JSON.parse(body) as { snapshot: { quiz: object } }
    assert.deepEqual(Object.keys(snapshot.quiz).toSorted(), [
      'accent_color',
      'bg_color',
      'button_color',
      'button_text_color',
      'name',
      'status',
      'text_color',
      'type',
    ])
  })

  test('the public snapshot ignores preview=1 for callers who are not its owner', async () => {
    const url = `${BASE_PATH}/quizzes/${victim.quiz.id}/snapshot?preview=1`
    const headers = { authorization: `Bearer ${me.access_token}` }
    assert.equal((await app.raw({ url, headers })).statusCode, 404)
    const { body } = await app.raw({ url })
    assert.ok(!body.includes(victim.draft_text))
  })

  test('the public snapshot reveals nothing of an unpublished quiz', async () => {
    const { quiz } = await victim.client.quizzes.create({ body: { name: 'Secret', type: 'quiz' } })
    const { body } = await app.raw({ url: `${BASE_PATH}/quizzes/${quiz.id}/snapshot` })
    assert.ok(!body.includes('Secret'))
  })
})
