import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quizOf } from '#domain/testing/drafts.ts'
import type { ResponsesPage } from '#web/statistics/queries.ts'
import { type StatisticsReads, type StatisticsView, statisticsView } from './statistics-view.ts'

const participant: ResponsesPage['details'][number] = {
  participant_uuid: 'someone',
  email: null,
  email_confirmation: null,
  first_name: null,
  last_name: null,
  phone: null,
  created_at: '2026-03-01T10:00:00.000Z',
  final_result_name: null,
  dimensions: [],
  answers: [],
  elapsed_seconds: null,
  is_suspect: false,
  parameters: {},
}
const listed = (count: number): ResponsesPage['details'] =>
  Array.from({ length: count }, () => participant)

const CHOICES = { results: [{ id: 'calm', name: 'Calme' }], questions: [], dimensions: [] }
const figuresOf = (nb_participants: number, nb_all_participants: number) => ({
  nb_participants,
  nb_all_participants,
  results: [],
  days: [],
  sources: [],
  grids: [],
  consent: null,
  confirmation: null,
  scores: null,
  duration: null,
  visits: null,
  tiers: [],
  dimensions: [],
  right_answers: [],
  questions: {},
  choices: CHOICES,
})
const pageOf = (count: number, more: Partial<ResponsesPage> = {}): ResponsesPage => ({
  stats: {},
  details: listed(count),
  next_cursor: null,
  ...more,
})
const counting = (counted_at: string | null) => ({
  as_of: { counted_at, nb_all_participants: 900, choices: CHOICES },
})

const quiz = quizOf({ nb_responses: 3 })
const error = new Error('unreachable')
const NOT_READ = { data: undefined, error: null }
const reads = ({
  responses,
  ...more
}: Partial<Omit<StatisticsReads, 'responses'>> & {
  responses?: Partial<StatisticsReads['responses']>
} = {}): StatisticsReads => ({
  filters: {},
  quiz: { data: quiz, error: null },
  backgroundCount: NOT_READ,
  ...more,
  responses: {
    data: [pageOf(3, { figures: figuresOf(3, 3) })],
    error: null,
    hasNextPage: false,
    isNextPageError: false,
    ...responses,
  },
})
const filtered = { filters: { email: 'a' } }
const large = { hasNextPage: true, data: [pageOf(2, counting(null))] }
const counted = pageOf(1, { figures: figuresOf(600, 900) })

type Shown = Extract<StatisticsView, { about: string }>
const cases: [when: string, reads: StatisticsReads, view: Partial<Shown> | StatisticsView][] = [
  ['nothing was read', reads({ responses: { data: undefined } }), { state: 'loading' }],
  ['the participants were read before the quiz', reads({ quiz: NOT_READ }), { state: 'loading' }],
  [
    'the quiz could not be read',
    reads({ quiz: { data: undefined, error } }),
    { state: 'failed', error },
  ],
  [
    'the participants could not be read',
    reads({ responses: { data: undefined, error } }),
    { state: 'failed', error },
  ],
  [
    'there is no participant',
    reads({ responses: { data: [pageOf(0, { figures: figuresOf(0, 0) })] } }),
    { state: 'empty', about: '0 participant', count: 0 },
  ],
  [
    'there is no participant, under filters',
    reads({ ...filtered, responses: { data: [pageOf(0, { figures: figuresOf(0, 0) })] } }),
    { state: 'empty', about: '0 participant' },
  ],
  [
    'no participant matches the filters',
    reads({ ...filtered, responses: { data: [pageOf(0, { figures: figuresOf(0, 3) })] } }),
    { state: 'no_match', about: '0 sur 3 participants', count: 0, choices: CHOICES },
  ],
  [
    'all participants are listed',
    reads(),
    { state: 'shown', about: '3 participants', count: 3, stats: {}, refresh_error: null },
  ],
  [
    'some participants match the filters',
    reads({ ...filtered, responses: { data: [pageOf(1, { figures: figuresOf(1, 3) })] } }),
    { state: 'shown', about: '1 sur 3 participants', count: 1 },
  ],
  [
    'there are more participants than are listed',
    reads({ responses: { hasNextPage: true, data: [pageOf(1), pageOf(1)] } }),
    { about: '3 participants', count: 3, participants: listed(2) },
  ],
  [
    'the complete list is newer than the count of the quiz',
    reads({ responses: { data: [pageOf(5)] } }),
    { about: '5 participants', count: 5 },
  ],
  [
    'the list so far is newer than the count of the quiz',
    reads({ responses: { hasNextPage: true, data: [pageOf(4)] } }),
    { count: 4 },
  ],
  [
    'a live refresh of the quiz failed: the figures stay',
    reads({ quiz: { data: quiz, error } }),
    { state: 'shown', count: 3, refresh_error: error, next_page_error: null },
  ],
  [
    'a live refresh of the participants failed: the figures stay',
    reads({ responses: { error } }),
    { state: 'shown', count: 3, refresh_error: error, next_page_error: null },
  ],
  [
    'one more page could not be read',
    reads({ responses: { hasNextPage: true, error, isNextPageError: true } }),
    { state: 'shown', refresh_error: null, next_page_error: error },
  ],
  [
    'a large selection is counted for the first time',
    reads({ ...filtered, responses: large }),
    {
      state: 'shown',
      about: 'Une sélection parmi 900 participants',
      count: null,
      counted_at: null,
      stats: undefined,
      figures: undefined,
      choices: CHOICES,
    },
  ],
  [
    'a large selection was counted a moment ago, and is counted again',
    reads({
      ...filtered,
      responses: {
        hasNextPage: true,
        data: [pageOf(2, { ...counting('2026-03-01T10:00:00Z'), figures: figuresOf(598, 899) })],
      },
    }),
    {
      about: '598 sur 899 participants',
      count: 598,
      counted_at: '2026-03-01T10:00:00Z',
      stats: {},
    },
  ],
  [
    'a large selection has been counted',
    reads({ ...filtered, responses: large, backgroundCount: { data: counted, error: null } }),
    {
      about: '600 sur 900 participants',
      count: 600,
      counted_at: undefined,
      figures: counted.figures,
      participants: listed(2),
    },
  ],
  [
    'a large selection could not be counted',
    reads({ ...filtered, responses: large, backgroundCount: { data: undefined, error } }),
    { state: 'shown', count: null, counted_at: undefined, stats: undefined, refresh_error: error },
  ],
]

describe('statisticsView', () => {
  for (const [when, given, expected] of cases)
    test(`the statistics screen shows the right state: ${when}`, () => {
      const view = statisticsView(given)
      const picked = Object.fromEntries(
        Object.keys(expected).map((name) => [name, view[name as keyof StatisticsView]]),
      )
      assert.deepEqual(picked, expected)
    })
})
