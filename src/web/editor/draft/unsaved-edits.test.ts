import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import fc from 'fast-check'
import { changesBetween, hasNoChanges, NO_CHANGES } from '#domain/editing/changes.ts'
import type { MergeSide } from '#domain/editing/merge-rows.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import { dimensionOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { fieldsOf } from '#domain/testing/typed-fields.ts'
import { createServer, edit, open, storeAll } from './testing/sessions.ts'
import {
  createUnsavedEdits,
  createUnsavedEditsWriter,
  findUnsavedEdits,
  type UnsavedEdits,
} from './unsaved-edits.ts'

/** Returns the unsaved edits of a visit that sent nothing. */
const keptOf = (before: Draft, after: Draft): UnsavedEdits => ({
  edits: changesBetween(before, after),
  before: changesBetween(after, before),
})

/** Returns the draft with text in every block, because the server stores no blank blocks. */
const withFilledBlocks = (draft: Draft): Draft => ({
  ...draft,
  text_blocks: draft.text_blocks.map((block) => ({
    ...block,
    content: block.content.trim() || block.id,
  })),
})

const named = (draft: Draft, name: string): Draft => ({ ...draft, quiz: { ...draft.quiz, name } })

beforeEach(() => {
  mock.reset()
  mock.method(console, 'warn', () => undefined)
})

describe('several sets of unsaved edits', () => {
  test('no unsaved edit is lost without a question, for any sets of unsaved edits and any answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 4 })
          .chain((count) => editedDrafts(count + 1))
          .map((sides) => sides.map(withFilledBlocks)),
        fc.array(fc.constantFrom<MergeSide>('mine', 'theirs'), { minLength: 1, maxLength: 5 }),
        fc.scheduler(),
        async ([start, elsewhere, ...visits], choices, scheduler) => {
          assert.ok(start && elsewhere)
          const server = createServer(start)
          const device = new Map<string, UnsavedEdits>(
            visits.map((visit, index) => [`visit ${index}`, keptOf(start, visit)]),
          )
          const session = open(
            server.stored(),
            {
              load: () => scheduler.schedule(Promise.resolve()).then(server.load),
              save: (body) => scheduler.schedule(Promise.resolve()).then(() => server.save(body)),
            },
            (edits) => (edits ? device.set('own', edits) : device.delete('own')),
          )
          // A second author stores edits after the quiz was opened.
          await server.save({ based_on: 0, ...changesBetween(start, elsewhere) })
          const asked = new Set<string>()
          let answers = 0
          session.subscribe(() => {
            const { conflicts } = session.view()
            if (conflicts.length === 0) return
            for (const { path, mine, theirs } of conflicts)
              for (const value of [mine, theirs]) asked.add(`${path} ${value}`)
            const choice = choices[answers++ % choices.length] ?? 'mine'
            void scheduler
              .schedule(Promise.resolve())
              .then(() =>
                session.resolveConflicts(
                  Object.fromEntries(conflicts.map(({ path }) => [path, choice])),
                ),
              )
          })
          for (const [key, kept] of device)
            void session.restore(kept).then(() => device.delete(key))
          await scheduler.waitFor(
            (async () => {
              // Loops until each set is merged and stored.
              while (device.size > 0 || session.view().save_state !== 'saved') {
                if (session.view().save_state === 'saved')
                  await scheduler.schedule(Promise.resolve())
                else await session.flush().catch((error: unknown) => error)
              }
            })(),
          )
          await scheduler.waitFor(session.refresh())
          const stored = fieldsOf(server.stored())
          const before = fieldsOf(start)
          const written = [elsewhere, ...visits].map(fieldsOf)
          for (const texts of written)
            for (const [path, value] of texts) {
              if (value === before.get(path) || value === stored.get(path)) continue
              assert.ok(asked.has(`${path} ${value}`), `${path} ${value} is gone`)
            }
          assert.ok(hasNoChanges(changesBetween(server.stored(), session.view().draft)))
        },
      ),
      { numRuns: countCases(300) },
    )
  })

  test('conflicts of one set are settled before those of the next set are shown', async () => {
    const start = draftOf()
    const server = createServer(start)
    const session = open(server.stored(), server)
    const questions: string[] = []
    session.subscribe(() => {
      const [conflict] = session.view().conflicts
      if (conflict) questions.push(`${conflict.mine} or ${conflict.theirs}`)
    })
    const restored = ['Une', 'Deux', 'Trois'].map((name) =>
      session.restore(keptOf(start, named(start, name))),
    )
    const answer = async (choice: MergeSide): Promise<void> => {
      await new Promise(setImmediate)
      assert.equal(session.view().conflicts.length, 1)
      session.resolveConflicts({ 'quiz/name': choice })
    }
    await answer('theirs')
    await answer('mine')
    await Promise.all(restored)
    await storeAll(session)
    assert.deepEqual([...new Set(questions)], ['Deux or Une', 'Trois or Une'])
    assert.equal(server.stored().quiz.name, 'Trois')
  })

  test('a question removed elsewhere stays if unsaved edits removed its dimension', async () => {
    const start = draftOf({
      questions: [questionOf('pace', { dimension_id: 'calm' })],
      dimensions: [dimensionOf('calm')],
    })
    const server = createServer(start)
    const session = open(server.stored(), server)
    const without = { ...start, dimensions: [] }
    await server.save({ based_on: 0, ...changesBetween(start, { ...without, questions: [] }) })
    const questions = [questionOf('pace')]
    await session.restore(keptOf(start, { ...without, questions }))
    await storeAll(session)
    assert.deepEqual(
      server.stored().questions.map(({ id, dimension_id }) => [id, dimension_id]),
      [['pace', null]],
    )
  })

  test('an edit made during a conflict stays', async () => {
    const start = draftOf({ results: [resultOf('calm')] })
    const server = createServer(start)
    const session = open(server.stored(), server)
    void session.restore(keptOf(start, named(start, 'Une')))
    const second = session.restore(keptOf(start, named(start, 'Deux')))
    await new Promise(setImmediate)
    edit(session, ({ results }) => ({
      results: results.map((result) => ({ ...result, name: 'Tout doux' })),
    }))
    session.resolveConflicts({ 'quiz/name': 'mine' })
    await second
    await storeAll(session)
    assert.equal(server.stored().results[0]?.name, 'Tout doux')
  })

  test('a value that changed during a conflict is asked about again', async () => {
    const start = draftOf()
    const server = createServer(start)
    const session = open(server.stored(), server)
    void session.restore(keptOf(start, named(start, 'Une')))
    const second = session.restore(keptOf(start, named(start, 'Deux')))
    await new Promise(setImmediate)
    edit(session, ({ quiz }) => ({ quiz: { ...quiz, name: 'Trois' } }))
    session.resolveConflicts({ 'quiz/name': 'mine' })
    await new Promise(setImmediate)
    assert.equal(session.view().conflicts[0]?.theirs, 'Trois')
    session.resolveConflicts({ 'quiz/name': 'theirs' })
    await second
    assert.equal(session.view().draft.quiz.name, 'Trois')
  })
})

describe('unsaved edits in local storage', () => {
  test('unsaved edits are found by quiz, and truncated, expired or foreign entries are deleted', () => {
    const store = Object.create({
      getItem: (key: string) => store[key] ?? null,
      setItem: (key: string, text: string) => {
        store[key] = text
      },
      removeItem: (key: string) => delete store[key],
    })
    Object.assign(globalThis, { localStorage: store })
    const kept = keptOf(draftOf(), named(draftOf(), 'Une'))
    createUnsavedEditsWriter('quiz', 'whole')(kept)
    const further = createUnsavedEdits({ ...draftOf(), revision: 3 }, [
      named(draftOf(), 'Une'),
      named(draftOf(), 'Deux'),
    ])
    createUnsavedEditsWriter('quiz', 'further')(further)
    const now = { kept_at: Date.now() }
    const broken = [
      { ...kept },
      { ...kept, kept_at: 1 },
      { ...now, edits: kept.edits },
      { ...now, before: kept.before },
      { ...now, ...kept, sent: [{ edits: NO_CHANGES }] },
      { ...now, edits: NO_CHANGES, before: {} },
      { ...now, edits: { ...NO_CHANGES, results: null }, before: NO_CHANGES },
      { ...now, edits: { ...NO_CHANGES, quiz: 7 }, before: NO_CHANGES },
      7,
      null,
    ]
    for (const [index, entry] of broken.entries())
      store.setItem(`quizaine.edits.quiz.${index}`, JSON.stringify(entry))
    store.setItem('quizaine.edits.quiz.cut', '{"edits":')
    const found = findUnsavedEdits('quiz')
    assert.deepEqual(
      found.map(({ edits }) => edits),
      [{ ...kept, sent: [] }, further],
    )
    assert.deepEqual(
      Object.keys(store),
      found.map(({ key }) => key),
    )
  })
})
