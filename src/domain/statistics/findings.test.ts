import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharesOf } from '#domain/common/numbers.ts'
import { type Finding, type FindingsInput, findings } from './findings.ts'
import { funnelOf, worstStep } from './visits.ts'

const NOTHING: FindingsInput = {
  nb_participants: 0,
  visits: null,
  compared: null,
  results: [],
  questions: [],
  duration: null,
}
const found = (input: Partial<FindingsInput>) => findings({ ...NOTHING, ...input })

const MONTH = { days_earlier: 30, is_without_today: false }
const named = (counts: readonly number[]) =>
  sharesOf(counts).map((percentage, rank) => ({
    result_name: `R${rank}`,
    count: counts[rank] ?? 0,
    percentage,
  }))
const asked = (question_text: string, nb_seen: number, nb_answered: number) => ({
  question_text,
  nb_seen,
  nb_answered,
})

/** Makes the funnel of a version with three pages. */
const through = (...[opened = 0, began = 0, second = 0, third = 0, finished = 0]: number[]) => [
  {
    has_jumps: false,
    steps: funnelOf(
      [opened, began, second, third].map((count, rank) => ({ step: rank + 1, count })),
      { nb_pages: 3, nb_participants: finished },
    ),
  },
]
const compared = (now: number, before: number, opened: [number, number] | null = null) => ({
  comparison: MONTH,
  now: { nb_participants: now, nb_opened: opened?.[0] ?? null },
  before: { nb_participants: before, nb_opened: opened?.[1] ?? null },
})

describe('findings', () => {
  const loss = { kind: 'loss', count: 25, total: 100 }
  const cases: [what: string, input: Partial<FindingsInput>, expected: Finding[]][] = [
    ['no data gives no finding', {}, []],
    [
      'the page that loses the largest share of its visitors',
      { visits: through(110, 105, 100, 100, 75) },
      [{ ...loss, kind: 'loss', step: { kind: 'page', page: 3 } }],
    ],
    [
      'visitors who leave before any answer',
      { visits: through(100, 75, 75, 75, 75) },
      [{ ...loss, kind: 'loss', step: { kind: 'opened', page: null } }],
    ],
    ['no loss below a tenth', { visits: through(1_000, 901, 901, 901, 901) }, []],
    ['no loss of fewer than thirty', { visits: through(29, 10, 10, 10, 10) }, []],
    [
      'no loss where answers lead past pages',
      { visits: through(100, 75, 75, 75, 75).map((visit) => ({ ...visit, has_jumps: true })) },
      [],
    ],
    [
      'more participants than before',
      { compared: compared(472, 400) },
      [{ kind: 'change', counted: 'participants', now: 472, before: 400, comparison: MONTH }],
    ],
    [
      'the stronger of two changes',
      { compared: compared(500, 400, [400, 800]) },
      [{ kind: 'change', counted: 'opened', now: 400, before: 800, comparison: MONTH }],
    ],
    ['no change that may be chance', { compared: compared(118, 100) }, []],
    ['no change from fewer than thirty participants', { compared: compared(500, 29) }, []],
    ['no change below a tenth', { compared: compared(109_000, 100_000) }, []],
    [
      'a result that nearly everyone gets',
      { nb_participants: 40, results: named([37, 3]) },
      [{ kind: 'result', result_name: 'R0', count: 37, total: 40, percentage: 92.5 }],
    ],
    [
      'a result that nobody gets',
      { nb_participants: 40, results: named([20, 20, 0]), visits: through(40, 40, 40, 40, 40) },
      [{ kind: 'result', result_name: 'R2', count: 0, total: 40, percentage: 0 }],
    ],
    [
      'no rare result where several versions were taken',
      {
        nb_participants: 40,
        results: named([20, 20, 0]),
        visits: [...through(40, 40, 40, 40, 40), ...through(40, 40, 40, 40, 40)],
      },
      [],
    ],
    [
      'no rare result if there are as many results as participants',
      {
        nb_participants: 40,
        results: named([...Array<number>(8).fill(5), 0]),
        visits: through(40, 40, 40, 40, 40),
      },
      [],
    ],
    ['no result of few participants', { nb_participants: 29, results: named([29, 0]) }, []],
    [
      'the question that most of its viewers leave blank',
      { questions: [asked('A', 100, 70), asked('B', 60, 30), asked('C', 29, 0)] },
      [{ kind: 'skipped', question_text: 'B', count: 30, total: 60 }],
    ],
    [
      'a duration that is long for few questions',
      { duration: { count: 30, median_seconds: 181 }, questions: [] },
      [{ kind: 'slow', median_seconds: 181 }],
    ],
    [
      'no duration that is usual for many questions',
      {
        duration: { count: 30, median_seconds: 450 },
        questions: Array.from({ length: 10 }, () => asked('A', 30, 30)),
      },
      [],
    ],
  ]
  for (const [what, input, expected] of cases)
    test(`the findings of the statistics are helpful: ${what}`, () =>
      assert.deepEqual(found(input), expected))

  test('there are at most two findings, the most helpful first', () => {
    const all = {
      nb_participants: 400,
      visits: through(500, 480, 470, 460, 400),
      compared: compared(400, 200),
      results: named([400, 0]),
      questions: [asked('A', 400, 10)],
      duration: { count: 400, median_seconds: 7_200 },
    }
    const kinds = (input: Partial<FindingsInput>) => found(input).map(({ kind }) => kind)
    assert.deepEqual(kinds(all), ['loss', 'change'])
    assert.deepEqual(kinds({ ...all, visits: null }), ['change', 'result'])
    assert.deepEqual(kinds({ ...all, visits: null, compared: null }), ['result', 'skipped'])
    assert.deepEqual(kinds({ questions: all.questions, duration: all.duration }), [
      'skipped',
      'slow',
    ])
  })
})

const count = fc.oneof(fc.nat(60), fc.nat(100_000))
const anyFunnel = fc
  .array(count, { minLength: 5, maxLength: 5 })
  .map((counts) => through(...counts.sort((a, b) => b - a)))
const anyInput: fc.Arbitrary<FindingsInput> = fc.record({
  nb_participants: count,
  visits: fc.option(anyFunnel),
  compared: fc.option(
    fc
      .tuple(count, count, fc.option(fc.tuple(count, count)))
      .map(([now, before, opened]) => compared(now, before, opened)),
  ),
  results: fc.array(count, { maxLength: 6 }).map((counts) => named(counts)),
  questions: fc.array(
    fc.tuple(count, count).map(([a, b]) => asked('A', Math.max(a, b), Math.min(a, b))),
    { maxLength: 5 },
  ),
  duration: fc.option(fc.record({ count, median_seconds: fc.nat(7_200) })),
})

test('every number comes from the input, and fewer than thirty participants give no finding', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const known = new Set(JSON.stringify(input).match(/\d+/g)?.map(Number))
      for (const { nb_seen, nb_answered } of input.questions) known.add(nb_seen - nb_answered)
      for (const { steps } of input.visits ?? [])
        for (const [rank, step] of steps.entries())
          known.add(step.count - (steps[rank + 1]?.count ?? 0))
      const said = findings(input)
      assert.ok(said.length <= 2)
      for (const finding of said) {
        const numbers = JSON.stringify(finding).match(/(?<=:)\d+/g) ?? []
        for (const number of numbers) assert.ok(known.has(Number(number)), number)
        if ('total' in finding) assert.ok(finding.total >= 30)
        if ('before' in finding) assert.ok(finding.before >= 30)
        if (finding.kind === 'slow') assert.ok((input.duration?.count ?? 0) >= 30)
      }
    }),
  )
})

test('the step that a finding names is the step that the funnel marks', () => {
  fc.assert(
    fc.property(anyFunnel, (visits) => {
      const [finding] = found({ visits })
      if (finding?.kind !== 'loss') return
      const [{ steps } = { steps: [] }] = visits
      const { kind, page } = steps[worstStep(steps) ?? -1] ?? {}
      assert.deepEqual(finding.step, { kind, page })
    }),
  )
})
