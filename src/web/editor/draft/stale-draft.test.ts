import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { createServer, edit, open, storeAll } from './testing/sessions.ts'

beforeEach(() => mock.reset())

const MINUTE = 60_000
const start = draftOf({ quiz: quizOf(), questions: [questionOf('pace', { text: 'Avant' })] })

/** Opens a session, changes the draft elsewhere, and lets some time pass. */
const openThenChangeElsewhere = async (minutes: number) => {
  let now = 1_000_000
  mock.method(Date, 'now', () => now)
  const server = createServer(start)
  const load = mock.fn(server.load)
  const session = open(server.stored(), { ...server, load })
  const other = open(server.stored(), server)
  edit(other, ({ questions }) => ({
    questions: questions.map((question) => ({ ...question, text: 'Après' })),
  }))
  await storeAll(other)
  now += minutes * MINUTE
  return { session, server, load }
}
const textOf = ({ view }: ReturnType<typeof open>) => view().draft.questions[0]?.text

test('a draft that was read less than five minutes ago is not read again when its screen opens', async () => {
  const { session, load } = await openThenChangeElsewhere(4)
  await session.refreshIfStale()
  assert.equal(load.mock.callCount(), 0)
  assert.equal(textOf(session), 'Avant')
})

test('a draft older than five minutes is read again once, and unsaved edits are merged into it', async () => {
  const { session, server, load } = await openThenChangeElsewhere(6)
  edit(session, ({ quiz }) => ({ quiz: { ...quiz, name: 'Un nom non enregistré' } }))
  await session.refreshIfStale()
  await session.refreshIfStale()
  assert.equal(load.mock.callCount(), 1)
  assert.equal(textOf(session), 'Après')
  assert.equal(session.view().draft.quiz.name, 'Un nom non enregistré')
  await storeAll(session)
  assert.equal(server.stored().quiz.name, 'Un nom non enregistré')
  assert.equal(server.stored().questions[0]?.text, 'Après')
})
