import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import type { Client } from '../../src/contract/client/client.ts'
import { applyChanges } from '../../src/domain/editing/apply-changes.ts'
import { type Changes, changesBetween, hasNoChanges } from '../../src/domain/editing/changes.ts'
import type { MergeSide } from '../../src/domain/editing/merge-rows.ts'
import type { Draft } from '../../src/domain/questionnaire/quiz.ts'
import { applyEdit, type DraftEdit, randomEdits } from '../../src/domain/testing/draft-edits.ts'
import { fieldsOf } from '../../src/domain/testing/typed-fields.ts'
import { readyProfilsQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import type { DraftServer } from '../../src/web/editor/draft/draft-server.ts'
import { createDraftSession, type DraftSession } from '../../src/web/editor/draft/draft-session.ts'
import { toEditorDraft } from '../../src/web/editor/draft/editor-draft.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'away' })

/** Two editors of one quiz on a network that delays calls, loses requests and loses responses. */

type NetworkFault = 'none' | 'request lost' | 'response lost'
type Step =
  | { editor: 0 | 1; act: 'gesture'; gesture: DraftEdit }
  | { editor: 0 | 1; act: 'save'; fault: NetworkFault; isAwaited: boolean; delay_ms: number }
  | { editor: 0 | 1; act: 'undo' | 'look' }

const editor = fc.constantFrom<0 | 1>(0, 1)
/** Gestures without pictures, because the server refuses random image ids. `drafts.test.ts` covers pictures. */
const OWN_GESTURES = randomEdits.filter(({ name }) => !name.endsWith('_image'))
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ editor, act: fc.constant('gesture' as const), gesture: OWN_GESTURES }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        editor,
        act: fc.constant('save' as const),
        fault: fc.constantFrom<NetworkFault>('none', 'none', 'request lost', 'response lost'),
        isAwaited: fc.boolean(),
        delay_ms: fc.nat(4),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ editor, act: fc.constantFrom('undo' as const, 'look' as const) }),
    },
  ),
  { minLength: 4, maxLength: 24 },
)

/** Records the draft after each accepted save, and the values that a save overwrote without having seen them. */
const createLedger = (start: Draft) => {
  let draft = start
  const overwritten: string[] = []
  return {
    overwritten,
    draft: () => draft,
    accept: (changes: Changes, seen: ReadonlySet<string>): void => {
      const [before, after] = [fieldsOf(draft), fieldsOf(applyChanges(draft, changes))]
      for (const [path, value] of before)
        if (after.get(path) !== value && !seen.has(`${path} ${value}`))
          overwritten.push(`${path} ${value}`)
      draft = applyChanges(draft, changes)
    },
  }
}

/** Opens an editor with a simulated network; every conflict is resolved by the same choice. */
const openEditor = async (
  client: Client,
  id: string,
  { ledger, choice }: { ledger: ReturnType<typeof createLedger>; choice: MergeSide },
) => {
  const seen = new Set<string>()
  const see = (draft: Draft): void => {
    for (const [path, value] of fieldsOf(draft)) seen.add(`${path} ${value}`)
  }
  const network: { fault: NetworkFault; delay_ms: number } = { fault: 'none', delay_ms: 0 }
  const server: DraftServer = {
    load: async () => {
      await pause(network.delay_ms)
      return client.drafts.get({ id })
    },
    save: async ({ based_on, ...changes }) => {
      const { fault, delay_ms } = network
      await pause(delay_ms)
      if (fault === 'request lost') throw new TypeError('request lost')
      const answer = await client.drafts.save({ id, body: { based_on, ...changes } })
      // The responses arrive in the order of the revisions, because server and editors share one machine.
      ledger.accept(changes as Changes, seen)
      if (fault === 'response lost') throw new TypeError('response lost')
      return answer
    },
  }
  const session = createDraftSession(await client.drafts.get({ id }), {
    server,
    writeUnsavedEdits: () => undefined,
    onStored: () => undefined,
    isFinal: () => false,
  })
  see(session.view().draft)
  session.subscribe(() => {
    const { draft, conflicts } = session.view()
    see(draft)
    for (const { path, theirs } of conflicts) seen.add(`${path} ${theirs}`)
    if (conflicts.length > 0)
      session.resolveConflicts(Object.fromEntries(conflicts.map(({ path }) => [path, choice])))
  })
  return { session, network }
}

const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error)

const storeAll = async (session: DraftSession): Promise<void> => {
  while (session.view().save_state !== 'saved') await settled(session.flush())
}

// Hides the warnings of the hundreds of saves that fail on purpose.
const { warn } = console
test.beforeAll(() => {
  console.warn = () => undefined
})
test.afterAll(() => {
  console.warn = warn
})

test('two editors end with the same draft, and no accepted edit is lost', { tag: '@dom' }, async ({
  creator: { client },
}) => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom<MergeSide>('mine', 'theirs'), async (list, choice) => {
      const { id } = await readyProfilsQuiz(client)
      const ledger = createLedger(toEditorDraft(await client.drafts.get({ id })))
      const editors = [
        await openEditor(client, id, { ledger, choice }),
        await openEditor(client, id, { ledger, choice }),
      ]
      for (const step of list) {
        const editor = editors[step.editor]
        if (!editor) continue
        const { session, network } = editor
        switch (step.act) {
          case 'gesture':
            session.change(
              (draft) => ({ ...draft, ...applyEdit(draft, step.gesture, randomUUID) }),
              {
                undoGroupKey: null,
                kind: 'gesture',
                delay_ms: 60_000,
              },
            )
            break
          case 'save': {
            Object.assign(network, { fault: step.fault, delay_ms: step.delay_ms })
            const saved = settled(session.flush())
            if (step.isAwaited) await saved
            break
          }
          case 'undo':
            session.undo()
            break
          case 'look':
            await settled(session.refresh())
        }
      }
      for (const { session, network } of editors) {
        network.fault = 'none'
        await storeAll(session)
      }
      for (const { session } of editors) await session.refresh()
      expect(ledger.overwritten).toEqual([])
      const stored = toEditorDraft(await client.drafts.get({ id }))
      expect(changesBetween(ledger.draft(), stored)).toEqual(changesBetween(stored, stored))
      for (const { session } of editors) {
        const { draft } = session.view()
        expect(changesBetween(stored, draft)).toEqual(changesBetween(stored, stored))
        expect(hasNoChanges(changesBetween(draft, stored))).toBe(true)
        expect(session.view().conflicts).toEqual([])
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
})
