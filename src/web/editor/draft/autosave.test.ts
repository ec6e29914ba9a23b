import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Autosave,
  type AutosaveEvent,
  autosaveReducer,
  autosaveRetryDelay,
  dueAt,
  openAutosave,
  saveStateOf,
} from './autosave.ts'

type Event = AutosaveEvent<string>

const opened = (hold_ms = 0): Autosave<string> =>
  openAutosave('a', { now: 0, hold_ms, isSame: (a, b) => a === b, isInDoubt: () => false })
const after = (events: Event[], from = opened()): Autosave<string> =>
  events.reduce<Autosave<string>>(autosaveReducer, from)

const edited = (value: string, now: number, { kind = 'name', delay_ms = 500 } = {}): Event => ({
  type: 'edited',
  value,
  kind,
  now,
  delay_ms,
})
const question = { kind: 'questions', delay_ms: 1_500 }
const due = (now: number): Event => ({ type: 'due', now })
const stored = (id: number, value = 'b'): Event => ({ type: 'stored', id, value })
const rebased = (stored: string, shown: string, now: number): Event => ({
  type: 'rebased',
  stored,
  shown,
  now,
})
const failed = (id: number, now: number): Event => ({ type: 'failed', id, now })
const refused = (id: number): Event => ({ type: 'refused', id })
const hurried = (now: number): Event => ({ type: 'hurried', now })
const paused = (is_paused: boolean): Event => ({ type: 'paused', is_paused })
const left: Event = { type: 'left' }

const cases: {
  name: string
  events: Event[]
  hold_ms?: number
  saves?: string | null
  due_at?: number | null
  state: string
}[] = [
  { name: 'nothing edited: nothing to do', events: [due(9_999)], state: 'saved' },
  { name: 'waits for the delay', events: [edited('b', 0), due(499)], due_at: 500, state: 'saving' },
  {
    name: 'saves after the delay',
    events: [edited('b', 0), due(500)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'every edit starts the delay again',
    events: [edited('b', 0), edited('c', 400), due(500)],
    due_at: 900,
    state: 'saving',
  },
  {
    name: 'the same content is no edit',
    events: [edited('b', 0), edited('b', 400)],
    due_at: 500,
    state: 'saving',
  },
  {
    name: 'an edit undone by hand is not saved',
    events: [edited('b', 0), edited('a', 100), due(600)],
    state: 'saved',
  },
  {
    name: 'held off after loading',
    events: [edited('b', 10), due(510)],
    hold_ms: 1_000,
    due_at: 1_000,
    state: 'saving',
  },
  {
    name: 'the delay counts when it ends after the hold',
    events: [edited('b', 900)],
    hold_ms: 1_000,
    due_at: 1_400,
    state: 'saving',
  },
  {
    name: 'a name keeps its delay when a question follows, and the save carries both',
    events: [edited('b', 0), edited('bc', 400, question), due(500)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'a question keeps its delay while names go on being typed',
    events: [
      edited('b', 0, question),
      ...[300, 600, 900, 1_200, 1_450].map((now) => edited(`b${now}`, now)),
    ],
    due_at: 1_500,
    state: 'saving',
  },
  {
    name: 'changes of one kind wait for the last of them',
    events: [edited('b', 0, question), edited('c', 1_400, question)],
    due_at: 2_900,
    state: 'saving',
  },
  {
    name: 'never two saves at once',
    events: [edited('b', 0), due(500), edited('c', 510), due(1_010)],
    saves: 'b',
    due_at: 1_010,
    state: 'saving',
  },
  {
    name: 'the latest value is saved after the one under way',
    events: [edited('b', 0), due(500), edited('c', 510), edited('d', 520), stored(1), due(1_020)],
    saves: 'd',
    state: 'saving',
  },
  {
    name: 'stored: nothing left',
    events: [edited('b', 0), due(500), stored(1)],
    state: 'saved',
  },
  {
    name: 'edited back to what is being saved: not saved again',
    events: [edited('b', 0), due(500), edited('c', 510), edited('b', 520), stored(1), due(1_020)],
    state: 'saved',
  },
  {
    name: 'edited back to the first value during a save: saved again',
    events: [edited('b', 0), due(500), edited('a', 510), stored(1), due(1_010)],
    saves: 'a',
    state: 'saving',
  },
  {
    name: 'paused while publishing',
    events: [edited('b', 0), paused(true), due(500)],
    due_at: 500,
    state: 'saving',
  },
  {
    name: 'saved once the pause is over',
    events: [edited('b', 0), paused(true), due(500), paused(false), due(600)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'a flush waits neither for the delay, the hold nor the pause',
    events: [edited('b', 0), paused(true), hurried(1)],
    hold_ms: 1_000,
    saves: 'b',
    state: 'saving',
  },
  { name: 'a flush with nothing edited saves nothing', events: [hurried(1)], state: 'saved' },
  {
    name: 'a flush during a save goes on with the latest value, even paused',
    events: [
      edited('b', 0),
      due(500),
      paused(true),
      edited('c', 510),
      hurried(520),
      stored(1),
      due(530),
    ],
    saves: 'c',
    state: 'saving',
  },
  {
    name: 'a failure is tried again',
    events: [edited('b', 0), due(500), failed(1, 600)],
    due_at: 800,
    state: 'waiting',
  },
  {
    name: 'the state stays until a try succeeds',
    events: [edited('b', 0), due(500), failed(1, 600), due(800)],
    saves: 'b',
    state: 'waiting',
  },
  {
    name: 'the second failure waits twice as long',
    events: [edited('b', 0), due(500), failed(1, 600), due(800), failed(2, 900)],
    due_at: 1_300,
    state: 'waiting',
  },
  {
    name: 'an edit does not shorten the wait after failures',
    events: [
      edited('b', 0),
      due(500),
      ...Array.from({ length: 8 }, (_, index): Event[] => [
        failed(index + 1, 1_000),
        hurried(1_000),
      ]).flat(),
      failed(9, 1_000),
      edited('c', 1_100),
    ],
    due_at: 31_000,
    state: 'waiting',
  },
  {
    name: 'back online: tried at once',
    events: [edited('b', 0), due(500), failed(1, 600), hurried(610)],
    saves: 'b',
    state: 'waiting',
  },
  {
    name: 'a success ends the failures',
    events: [edited('b', 0), due(500), failed(1, 600), due(800), stored(2)],
    state: 'saved',
  },
  {
    name: 'a refused value is not sent again by itself',
    events: [edited('b', 0), due(500), refused(1), due(99_999)],
    state: 'refused',
  },
  {
    name: 'an edit after a refusal is sent',
    events: [edited('b', 0), due(500), refused(1), edited('c', 600), due(1_100)],
    saves: 'c',
    state: 'saving',
  },
  {
    name: 'a flush sends a refused value again, so that publishing learns of it',
    events: [edited('b', 0), due(500), refused(1), hurried(600)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'others have written: nothing left to save once what is shown is theirs',
    events: [edited('b', 0), due(500), rebased('c', 'c', 600), due(9_999)],
    state: 'saved',
  },
  {
    name: 'others have written: what is left is saved at once, on theirs',
    events: [edited('b', 0), due(500), rebased('c', 'bc', 600), due(600)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'the outcome of the save that it took the place of says nothing',
    events: [edited('b', 0), due(500), rebased('c', 'bc', 600), stored(1), due(600)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'leaving the page saves beside the save under way',
    events: [edited('b', 0), due(500), edited('c', 510), left],
    saves: 'c',
    state: 'saving',
  },
  {
    name: 'leaving the page does not repeat the save under way',
    events: [edited('b', 0), due(500), left],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'the outcome of an overtaken save says nothing',
    events: [edited('b', 0), due(500), edited('c', 510), left, failed(1, 520)],
    saves: 'c',
    state: 'saving',
  },
]

describe('autosaveReducer', () => {
  for (const { name, events, hold_ms, saves = null, due_at = null, state } of cases)
    test(name, () => {
      const autosave = after(events, opened(hold_ms))
      assert.deepEqual(
        {
          saves: autosave.attempt?.value ?? null,
          due_at: dueAt(autosave),
          state: saveStateOf(autosave),
        },
        { saves, due_at, state },
      )
    })
})

test('retries start at 200 ms and double up to 30 s', () => {
  assert.deepEqual(
    [1, 2, 3, 7, 8, 9, 60].map(autosaveRetryDelay),
    [200, 400, 800, 12_800, 25_600, 30_000, 30_000],
  )
})
