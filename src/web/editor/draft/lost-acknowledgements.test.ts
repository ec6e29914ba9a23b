import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import fc from 'fast-check'
import { changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import type { EditConflict } from '#domain/editing/merge-rows.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { applyEdit, type DraftEdit, randomEdits } from '#domain/testing/draft-edits.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import type { DraftServer } from './draft-server.ts'
import type { DraftSession } from './draft-session.ts'
import { toEditorDraft, toStorableDraft } from './editor-draft.ts'
import { createServer, edit, open, storeAll } from './testing/sessions.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'

/** Fate of a save: answered, lost on the way to the server, or stored without an answer. */
type Fate = 'kept' | 'never arrives' | 'answer lost'

const start = draftOf({
  quiz: quizOf({ name: 'Tempo' }),
  results: [resultOf('calm'), resultOf('fast', { priority_order: 1 })],
  questions: [questionOf('pace', { answers: [answerOf('slow', { score: 1 })] })],
})

/** Creates a server behind an unreliable network. After `leave`, no call reaches the server. */
const behind = (server: DraftServer, fate: () => Fate) => {
  let isLeft = false
  return {
    load: server.load,
    save: async (body) => {
      if (isLeft) return new Promise(() => undefined)
      const met = fate()
      if (met === 'never arrives') throw new TypeError('never arrived')
      const answer = await server.save(body)
      if (met === 'answer lost') throw new TypeError('answer lost')
      return answer
    },
    leave: () => {
      isLeft = true
    },
  } satisfies DraftServer & { leave: () => void }
}

const name = (session: DraftSession, text: string): void =>
  edit(session, ({ quiz }) => ({ quiz: { ...quiz, name: text } }))

const flush = (session: DraftSession): Promise<unknown> =>
  session.flush().catch((error: unknown) => error)

beforeEach(() => {
  mock.reset()
  mock.method(console, 'warn', () => undefined)
})

describe('an undone edit', () => {
  test('an undone edit is also undone on the server, which had stored the edit without an answer', async () => {
    const server = createServer(start)
    let fate: Fate = 'answer lost'
    const session = open(
      server.stored(),
      behind(server, () => fate),
    )
    name(session, 'Rythme')
    await flush(session)
    assert.equal(server.stored().quiz.name, 'Rythme')
    fate = 'kept'
    name(session, 'Tempo')
    await storeAll(session)
    assert.equal(server.stored().quiz.name, 'Tempo')
    assert.equal(session.view().draft.quiz.name, 'Tempo')
  })

  test('an undone edit stays undone when an earlier page stores the edit after the next page has opened', async () => {
    const server = createServer(start)
    let kept: UnsavedEdits | null = null
    const page = behind(server, () => 'kept')
    const left = open(server.stored(), page, (edits) => {
      kept = edits
    })
    name(left, 'Rythme')
    page.leave()
    void flush(left)
    const next = open(server.stored(), server)
    assert.ok(kept)
    await next.restore(kept)
    const { quiz } = left.view().draft
    await server.save({ based_on: 0, ...changesBetween(start, { ...start, quiz }) })
    name(next, 'Tempo')
    await storeAll(next)
    assert.equal(server.stored().quiz.name, 'Tempo')
  })

  test('an undone edit stays undone on the next visit if its save was in progress', async () => {
    const server = createServer(start)
    let kept: UnsavedEdits | null = null
    const page = behind(server, () => 'kept')
    const left = open(server.stored(), page, (edits) => {
      kept = edits
    })
    name(left, 'Rythme')
    void flush(left)
    page.leave()
    name(left, 'Tempo')
    assert.ok(kept)
    const kept_at_leaving: UnsavedEdits = structuredClone(kept)
    await new Promise(setImmediate)
    assert.equal(server.stored().quiz.name, 'Rythme')
    const next = open(server.stored(), server)
    await next.restore(kept_at_leaving)
    await storeAll(next)
    assert.equal(server.stored().quiz.name, 'Tempo')
  })
})

type Step =
  | { kind: 'edit'; edit: (draft: Draft) => Partial<Draft> }
  | { kind: 'gesture'; gesture: DraftEdit }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'save'; fate: Fate }
  | { kind: 'reload'; fate: Fate }

/** Edits with few distinct values, so that they often undo each other. */
const edits: ((draft: Draft) => Partial<Draft>)[] = [
  ...['Tempo', 'Rythme', 'Allure'].map((text) => ({ quiz }: Draft) => ({
    quiz: { ...quiz, name: text },
  })),
  ...[1, 2].map((score) => ({ questions }: Draft) => ({
    questions: questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({ ...answer, score })),
    })),
  })),
  ({ results }) => ({
    results: results.toReversed().map((result, priority_order) => ({ ...result, priority_order })),
  }),
]

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...edits).map((edit): Step => ({ kind: 'edit', edit })),
    },
    {
      weight: 4,
      arbitrary: randomEdits.map((gesture): Step => ({ kind: 'gesture', gesture })),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Step>({ kind: 'undo' }, { kind: 'redo' }),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom<Fate>('kept', 'never arrives', 'answer lost')
        .map((fate): Step => ({ kind: 'save', fate })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<Fate>('never arrives', 'answer lost')
        .map((fate): Step => ({ kind: 'reload', fate })),
    },
  ),
  { minLength: 1, maxLength: 16 },
)

/**
 * Returns the draft as the server stores it, for comparisons: without blank text blocks and without unticked
 * associations.
 */
const storedAs = (draft: Draft): Draft => {
  const shown = toEditorDraft({ ...draft, revision: 0 })
  const stored = toStorableDraft(shown, toEditorDraft({ ...start, revision: 0 }))
  return {
    ...stored,
    questions: stored.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: answer.associations.filter(({ is_checked }) => is_checked),
      })),
    })),
  }
}

const expectSame = (side: string, [draft, other]: [Draft, Draft]): void => {
  const differing = changesBetween(storedAs(draft), storedAs(other))
  assert.ok(hasNoChanges(differing), `${side} has other values: ${JSON.stringify(differing)}`)
}

test('the last draft on screen is stored without a conflict, whatever the network loses', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const server = createServer(start)
      let fate: Fate = 'kept'
      let kept: UnsavedEdits | null = null
      let page = behind(server, () => fate)
      const asked: EditConflict[] = []
      const visit = (): DraftSession => {
        const opened = open(server.stored(), page, (edits) => {
          kept = structuredClone(edits)
        })
        opened.subscribe(() => {
          const { conflicts } = opened.view()
          if (conflicts.length === 0) return
          asked.push(...conflicts)
          // Answers every conflict, so that no merge waits.
          queueMicrotask(() =>
            opened.resolveConflicts(
              Object.fromEntries(conflicts.map(({ path }) => [path, 'mine'])),
            ),
          )
        })
        return opened
      }
      let session = visit()
      let nb_made = 0
      const newId = (): string => `made ${nb_made++}`
      const reload = async (): Promise<void> => {
        const before = session.view().draft
        const found = kept
        kept = null
        page.leave()
        // Ends the timers of the old page, whose calls no longer reach the server.
        void flush(session)
        page = behind(server, () => fate)
        session = visit()
        if (found) await session.restore(found)
        expectSame('The page that was loaded again', [before, session.view().draft])
      }
      for (const step of sequence) {
        if (step.kind === 'edit') edit(session, step.edit)
        else if (step.kind === 'gesture')
          edit(session, (draft) => applyEdit(draft, step.gesture, newId))
        else if (step.kind === 'undo' || step.kind === 'redo') session[step.kind]()
        else {
          fate = step.fate
          await flush(session)
          fate = 'kept'
          if (step.kind === 'reload') await reload()
        }
        assert.deepEqual(asked, [])
      }
      const last = session.view().draft
      await storeAll(session)
      assert.deepEqual(asked, [])
      expectSame('The screen', [last, session.view().draft])
      expectSame('The server', [last, server.stored()])
    }),
    { numRuns: countCases(1_000) },
  )
})
