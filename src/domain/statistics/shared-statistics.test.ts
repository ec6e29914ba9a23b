import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { QUESTION_TYPES, type QuestionType } from '#domain/common/vocabulary.ts'
import { MIN_SHARED_PARTICIPANTS, SHARED_TOKEN, sharedStatistics } from './shared-statistics.ts'

const TYPED = 'ce qu’une personne a écrit'
const NUMBERS = { count: 9, mean: 3, median: 3, min: 1, max: 5, histogram: [] }
const NET = { nb_promoters: 9, nb_passives: 0, nb_detractors: 0, net: 100 }

const question = (type: QuestionType, nb_answered: number) => ({
  type,
  takes_several: false,
  nb_participants: 20,
  nb_seen: 20,
  nb_answered,
  nb_distinct: 9,
  others: [{ text: TYPED, count: 1 }],
  numbers: NUMBERS,
  recommendation: NET,
})
const whole = (
  nb_participants: number,
  questions: Record<string, ReturnType<typeof question>>,
) => ({
  stats: Object.fromEntries(
    Object.entries(questions).map(([id, { type, nb_answered: count }]) => [
      id,
      {
        question_text: `La question ${id}`,
        answers: [
          {
            answer_text: ['multiple_choice', 'scale'].includes(type) ? 'Oui' : TYPED,
            count,
            percentage: 100,
          },
        ],
      },
    ]),
  ),
  figures: {
    nb_participants,
    nb_all_participants: nb_participants,
    questions,
    results: [{ result_name: 'Prêt', count: nb_participants, percentage: 100 }],
    days: [{ day: '2026-11-02', count: nb_participants }],
    scores: NUMBERS,
    tiers: [],
    duration: null,
    visits: [],
    dimensions: [
      {
        id: 'd',
        name: 'Santé',
        nb_participants,
        mean: 50,
        deviation: 10,
        histogram: [nb_participants],
        tiers: [{ title: 'Faible', count: nb_participants, percentage: 100, filter: 'f' }],
      },
      {
        id: 'e',
        name: 'Rare',
        nb_participants: 4,
        mean: 50,
        deviation: 10,
        histogram: [4],
        tiers: [],
      },
    ],
    right_answers: [5, 4].map((nb_answered) => ({
      question_id: `q${nb_answered}`,
      question_text: 'La capitale ?',
      nb_asked: 20,
      nb_answered,
      nb_right: 1,
    })),
    choices: { results: [{ id: TYPED, name: TYPED }] },
    consent: { nb_asked: 1, nb_agreed: 1 },
    grids: [],
    sources: [
      {
        name: 'utm_source',
        nb_participants: 9,
        nb_others: 0,
        values: [
          { value: 'lettre', count: 5 },
          { value: TYPED, count: 4 },
        ],
      },
      { name: 'utm_term', nb_participants: 4, values: [{ value: TYPED, count: 4 }], nb_others: 0 },
      { name: 'ref', nb_participants: 20, values: [{ value: TYPED, count: 20 }], nb_others: 0 },
    ],
  },
})

test('dimensions with enough participants are shared without the filters of their tiers', () => {
  const shared = sharedStatistics(whole(5, {}))
  assert.deepEqual(
    shared?.figures.dimensions.map(({ name, tiers }) => [name, tiers]),
    [['Santé', [{ title: 'Faible', count: 5, percentage: 100 }]]],
  )
})

test('shares of right answers are shared for questions with enough replies', () => {
  const shared = sharedStatistics(whole(20, {}))
  assert.deepEqual(
    shared?.figures.right_answers.map(({ question_id }) => question_id),
    ['q5'],
  )
})

test('choices and scales keep their counts, and other types keep only the number of replies', () => {
  const questions = Object.fromEntries(QUESTION_TYPES.map((type) => [type, question(type, 12)]))
  const shared = sharedStatistics(whole(20, questions))
  assert.deepEqual(
    Object.entries(shared?.stats ?? {}).map(([type, { answers }]) => [type, answers.length]),
    QUESTION_TYPES.map((type) => [type, ['multiple_choice', 'scale'].includes(type) ? 1 : 0]),
  )
  for (const [type, figure] of Object.entries(shared?.figures.questions ?? {})) {
    const isCounted = type === 'multiple_choice' || type === 'scale'
    assert.equal(figure.nb_answered, 12)
    assert.deepEqual(figure.others, [])
    assert.deepEqual(figure.numbers, isCounted ? NUMBERS : null)
    assert.deepEqual(figure.recommendation, isCounted ? NET : null)
  }
  assert.deepEqual(Object.keys(shared?.figures ?? {}).sort(), [
    ...[
      'days',
      'dimensions',
      'duration',
      'grids',
      'nb_participants',
      'questions',
      'results',
      'right_answers',
      'scores',
    ],
    ...['sources', 'tiers', 'visits'],
  ])
})

test('a shared link shows utm parameters without their values, because a visitor can type any value', () => {
  assert.deepEqual(sharedStatistics(whole(20, {}))?.figures.sources, [
    { name: 'utm_source', nb_participants: 9, nb_others: 9, values: [] },
  ])
})

test('nothing is shared with fewer than five participants, and no replies of a question with fewer replies', () => {
  const few = { a: question('multiple_choice', MIN_SHARED_PARTICIPANTS - 1) }
  const enough = { a: question('multiple_choice', MIN_SHARED_PARTICIPANTS) }
  assert.equal(sharedStatistics(whole(MIN_SHARED_PARTICIPANTS - 1, few)), null)
  assert.deepEqual(sharedStatistics(whole(MIN_SHARED_PARTICIPANTS, few))?.stats.a?.answers, [])
  assert.equal(sharedStatistics(whole(MIN_SHARED_PARTICIPANTS, enough))?.stats.a?.answers.length, 1)
})

test('no typed text is shared, for any counts', () => {
  const anyQuestion = fc
    .tuple(fc.constantFrom(...QUESTION_TYPES), fc.nat(20))
    .map(([type, nb_answered]) => question(type, nb_answered))
  fc.assert(
    fc.property(fc.nat(20), fc.dictionary(fc.uuid(), anyQuestion), (count, questions) => {
      assert.ok(!JSON.stringify(sharedStatistics(whole(count, questions))).includes(TYPED))
    }),
  )
})

test('a token has 24 characters of base64url', () => {
  assert.ok(SHARED_TOKEN.test('AZaz09-_AZaz09-_AZaz09-_'))
  for (const token of [
    '',
    'a'.repeat(23),
    'a'.repeat(25),
    `${'a'.repeat(23)}.`,
    `${'a'.repeat(24)}\n`,
  ])
    assert.ok(!SHARED_TOKEN.test(token), token)
})
