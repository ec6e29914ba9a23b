import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestApp } from './testing/app/test-app.ts'
import { BODIES_WITH_IDS } from './testing/ownership/bodies-with-ids.ts'
import { createPerson, listPrivateTexts, type Person } from './testing/ownership/person.ts'
import { createRowsDigest } from './testing/ownership/rows-digest.ts'
import { readyScoreQuiz } from './testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const app = await createTestApp()
after(() => app.close())

let me: Person
let victim: Person
let digest: (ids: string[]) => Promise<string>
before(async () => {
  me = await createPerson(app)
  victim = await createPerson(app)
  const read = await createRowsDigest(app.db)
  digest = (ids) => read(app.pool, ids)
})

const send = (method: string, url: string, body?: object) =>
  app.raw({
    method: method as 'GET',
    url: url.startsWith('/auth') ? url : `/api/v1${url}`,
    headers: { authorization: `Bearer ${me.access_token}` },
    ...(body && { body }),
  })
type Answer = Awaited<ReturnType<typeof send>>

/** Asserts that each call is refused, reveals nothing of the victim, and writes nothing. */
const refuse = async (statuses: number[], ...calls: (() => Promise<Answer>)[]): Promise<void> => {
  const everybodys = [...me.ids, ...victim.ids]
  const earlier = await digest(everybodys)
  for (const call of calls) {
    const { statusCode, body } = await call()
    assert.ok(statuses.includes(statusCode), `${statusCode} ${body}`)
    for (const word of listPrivateTexts(victim)) assert.ok(!body.includes(word), word)
  }
  assert.ok((await digest(everybodys)) === earlier, 'something was written')
}
const refuses = (name: string, statuses: number[], call: () => Promise<Answer>): void =>
  void test(`the server refuses ${name}`, () => refuse(statuses, call))

const first = (ids: string[]): string => ids[0] ?? ''
const quiz = () => `/quizzes/${me.quiz.id}`
const question = () => `/questions/${me.quiz.question_id}`
/** Returns the victim's ids by kind. */
const foreign = () => ({
  quiz: victim.quiz.id,
  question: victim.quiz.question_id,
  answer: first(victim.quiz.answer_ids),
  result: first(victim.quiz.result_ids),
  block: victim.text_block_id,
  participant: victim.participant_uuid,
})

describe('a path with my quiz and an object of another creator', () => {
  const rows: [name: string, method: string, path: () => string][] = [
    ['a result', 'DELETE', () => `${quiz()}/results/${foreign().result}`],
    ['an answer', 'DELETE', () => `${question()}/answers/${foreign().answer}`],
    [
      'an explanation of a participant',
      'GET',
      () => `${quiz()}/responses/${foreign().participant}`,
    ],
    ['a participant for deletion', 'DELETE', () => `${quiz()}/responses/${foreign().participant}`],
    ['the texts of a question', 'GET', () => `${quiz()}/questions/${victim.quiz.open_id}/texts`],
  ]
  for (const [name, method, path] of rows)
    refuses(`a path with ${name} of another creator`, [404], () => send(method, path()))

  test('my download link does not open another creator’s quiz', async () => {
    const answer = await send('POST', `${quiz()}/exports`, { format: 'csv' })
    const { url } = answer.json<{ url: string }>()
    const theirs = url.replace('/api/v1', '').replace(me.quiz.id, victim.quiz.id)
    await refuse([404], () => send('GET', theirs))
  })
})

/** Kinds of objects that a body can name; participants have calls of their own. */
const KINDS = ['quiz', 'question', 'answer', 'result', 'block'] as const

describe('a body with an id of another creator', () => {
  for (const [name, call] of Object.entries(BODIES_WITH_IDS)) {
    test(`the call ${name} refuses another creator’s ids of ${KINDS.join(', ')}`, async () => {
      const revision = await revisionOf(me.quiz.id)
      const calls = KINDS.map((kind) => call(me.quiz, foreign()[kind], revision))
      await refuse(
        [422],
        ...calls.map(
          ({ method, path, body }) =>
            () =>
              send(method, path, body),
        ),
      )
    })
    test(`the call ${name} accepts the same body with an id of its own creator`, async () => {
      const own = await readyScoreQuiz(me.client)
      const ids = {
        new: randomUUID(),
        result: first(own.result_ids),
        answer: first(own.answer_ids),
      }
      const id = call.names === 'question' ? own.question_id : ids[call.names]
      const { method, path, body } = call(own, id, await revisionOf(own.id))
      const answer = await send(method, path, body)
      assert.ok([200, 201].includes(answer.statusCode), answer.body)
    })
  }

  refuses('a retry of a delivery to another creator’s participant', [404], () => {
    const body = { provider: 'brevo', participant_uuid: foreign().participant }
    return send('POST', `${quiz()}/deliveries/retry`, body)
  })
  for (const filter of ['result', 'answer'] as const) {
    refuses(`a filter of my participants by another creator’s ${filter}`, [422], () =>
      send('GET', `${quiz()}/responses?${filter}=${foreign()[filter]}`),
    )
    refuses(`an export of my participants by another creator’s ${filter}`, [422], () =>
      send('POST', `${quiz()}/exports`, { format: 'csv', [filter]: foreign()[filter] }),
    )
  }
  refuses('answers to another creator’s questions in a submission to my quiz', [422], () => {
    const { question_id, open_id } = victim.quiz
    const answers = { [question_id]: foreign().answer, [open_id]: 'x@exemple.fr' }
    return send('POST', `${quiz()}/submit`, { answers, participant_uuid: randomUUID() })
  })
  refuses('another creator’s answer to my question', [422], () => {
    const answers = { [me.quiz.question_id]: foreign().answer, [me.quiz.open_id]: 'x@exemple.fr' }
    return send('POST', `${quiz()}/submit`, { answers, participant_uuid: randomUUID() })
  })
  test('the challenge of another user’s second factor is refused', async () => {
    const theirs = await app.raw({
      method: 'POST',
      url: `/auth/v1/factors/${victim.factor_id}/challenge`,
      headers: { authorization: `Bearer ${victim.access_token}` },
      body: {},
    })
    const challenge_id = theirs.json<{ id: string }>().id
    const body = { challenge_id, code: '000000' }
    await refuse([404, 422], () => send('POST', `/auth/v1/factors/${me.factor_id}/verify`, body))
  })
})

const revisionOf = async (id: string): Promise<number> =>
  (await me.client.drafts.get({ id })).revision

describe('calls that ignore or do not find objects of another creator', () => {
  test('a removal removes no object of another creator', async () => {
    const theirs = await digest(victim.ids)
    const { participant: _, quiz: __, ...ids } = foreign()
    const based_on = await revisionOf(me.quiz.id)
    const body = { based_on, removed: Object.values(ids) }
    const { statusCode } = await send('POST', `${quiz()}/draft`, body)
    assert.equal(statusCode, 200)
    assert.ok((await digest(victim.ids)) === theirs)
  })

  test('a search for a person finds and removes people only in the creator’s own quizzes', async () => {
    const email = victim.participant_email
    const theirs = await digest(victim.ids)
    const found = await send('POST', '/people/find', { email })
    assert.deepEqual(found.json<{ responses: unknown[] }>().responses, [])
    const removed = await send('POST', '/people/remove', { email })
    assert.deepEqual(removed.json(), { nb_deleted: 0, nb_invitations: 0 })
    assert.ok((await digest(victim.ids)) === theirs)
  })

  test('an export contains no object of another creator', async () => {
    const { body } = await send('GET', '/account/export')
    for (const word of [...listPrivateTexts(victim), ...victim.ids])
      assert.ok(!body.includes(word), word)
  })
})
