import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { fieldMessage } from '#contract/kit/field-message.ts'
import { NO_CHANGES } from '#domain/editing/changes.ts'
import { draftOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { refusalOf } from './draft-server.ts'
import { createDraftSession } from './draft-session.ts'
import { createServer, edit } from './testing/sessions.ts'

const refused = (path: string): RefusedCall =>
  new RefusedCall(422, { error: fieldMessage(path, 'Trop long'), code: 'invalid' })

test('a rejected save names the row whose index the server gives', () => {
  const changes = {
    ...NO_CHANGES,
    results: [{ id: 'calm' }, { id: 'brisk' }],
    answers: [{ id: 'slow', question_id: 'pace' }],
    associations: [{ answer_id: 'slow', result_id: 'calm', weight: 1, is_checked: true }],
  }
  const placeOf = (path: string) => refusalOf(refused(path), changes).at
  assert.deepEqual(placeOf('results.1.name'), { kind: 'result', id: 'brisk', field: 'name' })
  assert.deepEqual(placeOf('answers.0.text'), { kind: 'answer', id: 'slow', field: 'text' })
  assert.deepEqual(placeOf('quiz.end_title'), { kind: 'quiz', field: 'end_title' })
  assert.equal(placeOf('associations.0.weight')?.result_id, 'calm')
  for (const path of ['results.9.name', 'results', 'removed.0', 'id'])
    assert.equal(placeOf(path), undefined)
  assert.equal(refusalOf(refused('results.1.name'), changes).reason, 'Trop long')
  assert.deepEqual(refusalOf(new RefusedCall(413, { error: 'Trop gros' }), changes), {
    reason: 'Trop gros',
    at: undefined,
  })
})

test('a rejected edit stays in the draft with its reason until a later save succeeds', async () => {
  mock.method(console, 'warn', () => undefined)
  const server = createServer(draftOf({ quiz: quizOf(), results: [resultOf('calm')] }))
  const session = createDraftSession(server.stored(), {
    server: {
      load: server.load,
      save: async (body) => {
        if (body.results?.some(({ name }) => name === 'refused')) throw refused('results.0.name')
        return server.save(body)
      },
    },
    writeUnsavedEdits: () => undefined,
    onStored: () => undefined,
    isFinal: (error) => error instanceof RefusedCall && error.status === 422,
  })
  const rename = (name: string): void =>
    edit(session, ({ results }) => ({ results: results.map((result) => ({ ...result, name })) }))
  rename('refused')
  await assert.rejects(session.flush())
  const { draft, save_state, refusal } = session.view()
  assert.equal(draft.results[0]?.name, 'refused')
  assert.equal(save_state, 'refused')
  assert.deepEqual(refusal?.at, { kind: 'result', id: 'calm', field: 'name' })
  rename('Calme')
  await session.flush()
  assert.equal(session.view().refusal, null)
  assert.equal(server.stored().results[0]?.name, 'Calme')
  rename('Doux')
  assert.deepEqual([session.view().save_state, session.view().refusal], ['saving', null])
})
