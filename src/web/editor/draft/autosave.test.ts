import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Autosave,
  type AutosaveEvent,
  autosaveReducer,
  autosaveRetryDelay,
  createAutosave,
  dueAt,
  saveStateOf,
} from './autosave.ts'

type Event = AutosaveEvent<string>

const isSame = (a: string, b: string): boolean => a === b
const opened = (hold_ms = 0): Autosave<string> =>
  createAutosave<string>('a', { now: 0, hold_ms, isSame, hasUnconfirmedSaves: () => false })
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
  { name: 'nothing happens without an edit', events: [due(9_999)], state: 'saved' },
  {
    name: 'an edit waits for the delay',
    events: [edited('b', 0), due(499)],
    due_at: 500,
    state: 'saving',
  },
  {
    name: 'an edit is saved after the delay',
    events: [edited('b', 0), due(500)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'every edit restarts the delay',
    events: [edited('b', 0), edited('c', 400), due(500)],
    due_at: 900,
    state: 'saving',
  },
  {
    name: 'an equal value is not an edit',
    events: [edited('b', 0), edited('b', 400)],
    due_at: 500,
    state: 'saving',
  },
  {
    name: 'an edit that is typed back is not saved',
    events: [edited('b', 0), edited('a', 100), due(600)],
    state: 'saved',
  },
  {
    name: 'no save starts right after loading',
    events: [edited('b', 10), due(510)],
    hold_ms: 1_000,
    due_at: 1_000,
    state: 'saving',
  },
  {
    name: 'the delay applies if it ends after the hold',
    events: [edited('b', 900)],
    hold_ms: 1_000,
    due_at: 1_400,
    state: 'saving',
  },
  {
    name: 'an edit of a name keeps its delay when a question is edited next, and one save stores both',
    events: [edited('b', 0), edited('bc', 400, question), due(500)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'an edit of a question keeps its delay while names are typed',
    events: [
      edited('b', 0, question),
      ...[300, 600, 900, 1_200, 1_450].map((now) => edited(`b${now}`, now)),
    ],
    due_at: 1_500,
    state: 'saving',
  },
  {
    name: 'edits of one kind wait for the last of them',
    events: [edited('b', 0, question), edited('c', 1_400, question)],
    due_at: 2_900,
    state: 'saving',
  },
  {
    name: 'two saves never run at once',
    events: [edited('b', 0), due(500), edited('c', 510), due(1_010)],
    saves: 'b',
    due_at: 1_010,
    state: 'saving',
  },
  {
    name: 'the latest value is saved after the save in progress',
    events: [edited('b', 0), due(500), edited('c', 510), edited('d', 520), stored(1), due(1_020)],
    saves: 'd',
    state: 'saving',
  },
  {
    name: 'nothing is pending after a successful save',
    events: [edited('b', 0), due(500), stored(1)],
    state: 'saved',
  },
  {
    name: 'a value edited back to the value being saved is not saved again',
    events: [edited('b', 0), due(500), edited('c', 510), edited('b', 520), stored(1), due(1_020)],
    state: 'saved',
  },
  {
    name: 'a value edited back to the first one during a save is saved again',
    events: [edited('b', 0), due(500), edited('a', 510), stored(1), due(1_010)],
    saves: 'a',
    state: 'saving',
  },
  {
    name: 'no save starts during a pause',
    events: [edited('b', 0), paused(true), due(500)],
    due_at: 500,
    state: 'saving',
  },
  {
    name: 'a pending edit is saved when the pause is over',
    events: [edited('b', 0), paused(true), due(500), paused(false), due(600)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'a flush ignores the delay, the hold and the pause',
    events: [edited('b', 0), paused(true), hurried(1)],
    hold_ms: 1_000,
    saves: 'b',
    state: 'saving',
  },
  { name: 'a flush without edits saves nothing', events: [hurried(1)], state: 'saved' },
  {
    name: 'a flush during a save then saves the latest value, even while paused',
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
    name: 'a failed save is retried',
    events: [edited('b', 0), due(500), failed(1, 600)],
    due_at: 800,
    state: 'waiting',
  },
  {
    name: 'the state stays until an attempt succeeds',
    events: [edited('b', 0), due(500), failed(1, 600), due(800)],
    saves: 'b',
    state: 'waiting',
  },
  {
    name: 'the delay doubles after the second failure',
    events: [edited('b', 0), due(500), failed(1, 600), due(800), failed(2, 900)],
    due_at: 1_300,
    state: 'waiting',
  },
  {
    name: 'an edit does not shorten the delay after failures',
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
    name: 'a save is retried at once when the browser is back online',
    events: [edited('b', 0), due(500), failed(1, 600), hurried(610)],
    saves: 'b',
    state: 'waiting',
  },
  {
    name: 'a success resets the count of failures',
    events: [edited('b', 0), due(500), failed(1, 600), due(800), stored(2), edited('c', 900)],
    due_at: 1_400,
    state: 'saving',
  },
  {
    name: 'a rejected value is not sent again without an edit',
    events: [edited('b', 0), due(500), refused(1), due(99_999)],
    state: 'refused',
  },
  {
    name: 'an edit after a rejected save is saved',
    events: [edited('b', 0), due(500), refused(1), edited('c', 600), due(1_100)],
    saves: 'c',
    state: 'saving',
  },
  {
    name: 'a flush sends a rejected value again, so that publishing reports the rejection',
    events: [edited('b', 0), due(500), refused(1), hurried(600)],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'nothing is pending after a merge if the shown value is stored',
    events: [edited('b', 0), due(500), rebased('c', 'c', 600), due(9_999)],
    state: 'saved',
  },
  {
    name: 'remaining edits are saved at once after a merge',
    events: [edited('b', 0), due(500), rebased('c', 'bc', 600), due(600)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'the outcome of a save that a merge abandoned is ignored',
    events: [edited('b', 0), due(500), rebased('c', 'bc', 600), stored(1), due(600)],
    saves: 'bc',
    state: 'saving',
  },
  {
    name: 'leaving the page starts a save during another one',
    events: [edited('b', 0), due(500), edited('c', 510), left],
    saves: 'c',
    state: 'saving',
  },
  {
    name: 'leaving the page does not repeat the save in progress',
    events: [edited('b', 0), due(500), left],
    saves: 'b',
    state: 'saving',
  },
  {
    name: 'the outcome of an outdated save is ignored',
    events: [edited('b', 0), due(500), edited('c', 510), left, failed(1, 520)],
    saves: 'c',
    state: 'saving',
  },
]

describe('autosaveReducer', () => {
  for (const { name, events, hold_ms, saves = null, due_at = null, state } of cases)
    test(`autosave follows its rule: ${name}`, () => {
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
