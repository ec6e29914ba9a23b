import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import { NO_CHANGES } from '#domain/editing/changes.ts'
import type { Draft, Quiz } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import type { DraftSession } from './draft-session.ts'
import { createServer, edit, open, storeAll } from './testing/sessions.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

beforeEach(() => {
  mock.reset()
  mock.method(console, 'warn', () => undefined)
})

describe('an edit that another author stored in the meantime', () => {
  const start = draftOf({
    quiz: quizOf(),
    results: [resultOf('calm')],
    questions: [questionOf('pace', { answers: [answerOf('slow', { score: 1 })] })],
  })
  const scored = ({ questions }: Draft, score: number): Partial<Draft> => ({
    questions: questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({ ...answer, score })),
    })),
  })
  const scoreOf = ({ questions }: Draft) => questions[0]?.answers[0]?.score

  /** Opens two sessions: the first removes the question, then the second scores its answer. */
  const removedAndScored = async () => {
    const server = createServer(start)
    const [one, other] = [open(server.stored(), server), open(server.stored(), server)]
    edit(one, () => ({ questions: [] }))
    await storeAll(one)
    edit(other, (draft) => scored(draft, 19))
    await storeAll(other)
    return { server, one }
  }

  test('an edit stays when the removal that it cancelled is undone', async () => {
    const { server, one } = await removedAndScored()
    one.undo()
    await storeAll(one)
    assert.equal(scoreOf(server.stored()), 19)
    assert.equal(scoreOf(one.view().draft), 19)
  })

  test('an edit stays when a removal is undone after the edit was merged', async () => {
    const { server, one } = await removedAndScored()
    await one.refresh()
    assert.equal(scoreOf(one.view().draft), 19)
    one.undo()
    await storeAll(one)
    assert.equal(scoreOf(server.stored()), 19)
  })

  test('an edit stays in a row whose creation was stored without an answer', async () => {
    const server = createServer(start)
    let losesAnswers = true
    const one = open(server.stored(), {
      load: server.load,
      save: async (body) => {
        const answer = await server.save(body)
        if (losesAnswers) throw new TypeError('answer lost')
        return answer
      },
    })
    edit(one, ({ questions }) => ({
      questions: [...questions, questionOf('mood', { position: 1, global_position: 1 })],
    }))
    await one.flush().catch((error: unknown) => error)
    losesAnswers = false
    const other = open(server.stored(), server)
    edit(other, ({ questions }) => ({
      questions: questions.map((question) =>
        question.id === 'mood' ? { ...question, text: 'Et ensuite ?' } : question,
      ),
    }))
    await storeAll(other)
    await storeAll(one)
    assert.equal(server.stored().questions[1]?.text, 'Et ensuite ?')
    assert.equal(one.view().draft.questions[1]?.text, 'Et ensuite ?')
  })
})

describe('edits without an acknowledgement', () => {
  const start = draftOf({ quiz: quizOf() })
  const name = (session: DraftSession, text: string): void =>
    edit(session, ({ quiz }) => ({ quiz: { ...quiz, name: text } }))
  /** Returns the edits of a visit that named the quiz. */
  const keptOf = (text: string): UnsavedEdits => ({
    edits: { ...NO_CHANGES, quiz: { name: text } },
    before: { ...NO_CHANGES, quiz: { name: start.quiz.name } },
  })

  test('edits without an acknowledgement do not conflict with later typing', async () => {
    const server = createServer(start)
    let losesAnswers = true
    const one = open(server.stored(), {
      load: server.load,
      save: async (body) => {
        const answer = await server.save(body)
        if (losesAnswers) throw new TypeError('answer lost')
        return answer
      },
    })
    name(one, 'Quel temp')
    await one.flush().catch((error: unknown) => error)
    assert.equal(server.stored().quiz.name, 'Quel temp')
    losesAnswers = false
    name(one, 'Quel tempo ?')
    await storeAll(one)
    assert.deepEqual(one.view().conflicts, [])
    assert.equal(server.stored().quiz.name, 'Quel tempo ?')
  })

  test('edits without an acknowledgement do not conflict when they are stored after the next page has opened', async () => {
    const server = createServer(start)
    const left = { based_on: 0, ...NO_CHANGES, quiz: { name: 'Quel temp' } }
    const next = open(server.stored(), server)
    await next.restore(keptOf('Quel temp'))
    await server.save(left)
    name(next, 'Quel tempo ?')
    await storeAll(next)
    assert.deepEqual(next.view().conflicts, [])
    assert.equal(server.stored().quiz.name, 'Quel tempo ?')
  })

  test('edits without an acknowledgement do not hide a conflict with another author', async () => {
    const server = createServer(start)
    const next = open(server.stored(), server)
    await next.restore(keptOf('Quel temp'))
    await server.save({ based_on: 0, ...NO_CHANGES, quiz: { name: 'Autre chose' } })
    name(next, 'Quel tempo ?')
    void next.flush().catch((error: unknown) => error)
    await new Promise(setImmediate)
    assert.deepEqual(
      next.view().conflicts.map(({ mine, theirs }) => [mine, theirs]),
      [['Quel tempo ?', 'Autre chose']],
    )
    next.resolveConflicts({ 'quiz/name': 'theirs' })
    await storeAll(next)
    assert.equal(server.stored().quiz.name, 'Autre chose')
  })
})

test('removing a question clears it as tie question, and one undo restores both', async () => {
  const quiz = quizOf({ tie_rule: 'question', tie_question_id: 'pace' })
  const start = draftOf({ quiz, questions: [questionOf('pace', { answers: [answerOf('slow')] })] })
  const server = createServer(start)
  const session = open(server.stored(), server)
  const tieQuestion = () =>
    [server.stored(), session.view().draft].map((draft) => draft.quiz.tie_question_id)
  edit(session, () => ({ questions: [] }))
  await storeAll(session)
  assert.deepEqual(tieQuestion(), [null, null])
  session.undo()
  await storeAll(session)
  assert.deepEqual(tieQuestion(), ['pace', 'pace'])
})

describe('blank names', () => {
  const start = draftOf({ results: [resultOf('calm'), resultOf('fast', { priority_order: 1 })] })
  const rename = (session: DraftSession, id: string, name: string): void =>
    edit(session, ({ results }) => ({
      results: results.map((result) => (result.id === id ? { ...result, name } : result)),
    }))
  const namesIn = ({ results }: Draft): string[] => results.map(({ name }) => name)

  test('a result keeps its stored name while its field is blank', async () => {
    const server = createServer(start)
    const session = open(server.stored(), server)
    rename(session, 'calm', ' ')
    rename(session, 'fast', 'Vite ')
    await storeAll(session)
    assert.deepEqual(namesIn(session.view().draft), [' ', 'Vite '])
    assert.deepEqual(namesIn(server.stored()), ['calm', 'Vite'])
  })

  test('a new result with a blank name is stored with its last name', async () => {
    const server = createServer(start)
    const session = open(server.stored(), server)
    edit(session, ({ results }) => ({
      results: [...results, resultOf('new', { name: 'Neuf', priority_order: 2 })],
    }))
    rename(session, 'new', '')
    await storeAll(session)
    assert.deepEqual(namesIn(server.stored()), ['calm', 'fast', 'Neuf'])
  })

  test('a name that another author stores in the meantime replaces a blank name without a conflict', async () => {
    const server = createServer(start)
    const [one, other] = [open(server.stored(), server), open(server.stored(), server)]
    rename(one, 'calm', '')
    rename(other, 'calm', 'Doux')
    await storeAll(other)
    await one.refresh()
    assert.deepEqual(namesIn(one.view().draft), ['Doux', 'fast'])
    assert.deepEqual(one.view().conflicts, [])
  })
})

test('an undo reverts edits from before the choice of consent, but never the consent', async () => {
  const server = createServer(draftOf({ quiz: quizOf(), questions: [questionOf('pace')] }))
  const one = open(server.stored(), server)
  const consent = () => one.view().draft.quiz.consent_mode
  edit(one, () => ({ questions: [] }))
  one.changeEveryStep(
    (draft) => ({ ...draft, quiz: { ...draft.quiz, consent_mode: 'requested' } }),
    {
      kind: 'consent',
      delay_ms: 500,
    },
  )
  one.undo()
  assert.equal(one.view().draft.questions.length, 1)
  assert.equal(consent(), 'requested')
  await storeAll(one)
  assert.equal(server.stored().quiz.consent_mode, 'requested')
  one.redo()
  assert.equal(consent(), 'requested')
})

test('only changes that need a publication count as unsaved or newer content', async () => {
  const server = createServer(draftOf({ quiz: quizOf() }))
  const [one, other] = [open(server.stored(), server), open(server.stored(), server)]
  const change = (session: DraftSession, fields: Partial<Quiz>): void =>
    edit(session, ({ quiz }) => ({ quiz: { ...quiz, ...fields } }))
  const state = () => [one.revision(), one.contentRevision(), one.hasUnsavedContent()]
  change(one, { closes_at: '2900-12-15T17:00:00.000Z', slug: 'rythme' })
  assert.deepEqual(state(), [0, 0, false])
  await storeAll(one)
  assert.deepEqual(state(), [1, 0, false])
  change(one, { name: 'Autre', max_responses: 12 })
  assert.deepEqual(state(), [1, 0, true])
  await storeAll(one)
  assert.deepEqual(state(), [2, 2, false])
  change(one, { consent_text: 'Oui' })
  await storeAll(one)
  assert.deepEqual(state(), [3, 2, false])

  // Changes of another author count in the same way.
  await other.refresh()
  change(other, { closed_text: 'Merci' })
  await storeAll(other)
  await one.refresh()
  assert.deepEqual(state(), [4, 2, false])
  change(other, { bg_color: '#000000' })
  await storeAll(other)
  await one.refresh()
  assert.deepEqual(state(), [5, 5, false])
})
