import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { takeSnapshot } from './snapshot.ts'
import { type ChoiceCount, percentageOf, questionStats, type TakenVersion } from './statistics.ts'
import { answerOf, draftOf, questionOf } from './test-drafts.ts'

const versionOf = (
  version: number,
  nb_responses: number,
  questions: Parameters<typeof questionOf>[],
): TakenVersion => ({
  version,
  nb_responses,
  snapshot: takeSnapshot(
    draftOf({
      questions: questions.map(([id, more], global_position) =>
        questionOf(id, { ...more, global_position }),
      ),
    }),
  ),
})
const choice = (version: number, answer_position: number, count: number): ChoiceCount => ({
  version,
  question_position: 0,
  answer_position,
  count,
})
const lines = (stats: ReturnType<typeof questionStats>, id: string) =>
  stats.get(id)?.answers.map((line) => [line.answer_text, line.count, line.percentage])

test('percentages have one decimal; of nobody they are 0', () => {
  assert.deepEqual([percentageOf(1, 3), percentageOf(2, 3), percentageOf(0, 0)], [33.3, 66.7, 0])
})

describe('questionStats (decisions « Statistics »)', () => {
  const two = [answerOf('a', { text: 'Oui' }), answerOf('b', { text: 'Non' })]

  test('every answer has a line, zero included, in the order of the questionnaire', () => {
    const stats = questionStats([versionOf(1, 4, [['q', { answers: two }]])], [choice(1, 1, 4)], [])
    assert.deepEqual(lines(stats, 'q'), [
      ['Oui', 0, 0],
      ['Non', 4, 100],
    ])
  })

  test('a reworded answer keeps a line for what was seen before', () => {
    const reworded = [answerOf('a', { text: 'Bien sûr' }), answerOf('b', { text: 'Non' })]
    const versions = [
      versionOf(1, 3, [['q', { answers: two }]]),
      versionOf(2, 1, [['q', { answers: reworded, text: 'Alors ?' }]]),
    ]
    const stats = questionStats(versions, [choice(1, 0, 2), choice(1, 1, 1), choice(2, 0, 1)], [])
    assert.equal(stats.get('q')?.question_text, 'Alors ?')
    assert.deepEqual(lines(stats, 'q'), [
      ['Bien sûr', 1, 25],
      ['Non', 1, 25],
      ['Oui', 2, 50],
    ])
  })

  test('percentages are of those who had the question', () => {
    const versions = [
      versionOf(1, 6, [['q', { answers: two }]]),
      versionOf(2, 4, [['r', { answers: two }]]),
    ]
    const stats = questionStats(versions, [choice(1, 0, 3), choice(1, 1, 3), choice(2, 0, 4)], [])
    assert.deepEqual([...stats.keys()], ['r', 'q'])
    assert.deepEqual(lines(stats, 'q'), [
      ['Oui', 3, 50],
      ['Non', 3, 50],
    ])
  })

  test('a version that nobody took counts for nothing', () => {
    const versions = [versionOf(1, 1, [['q', { answers: two }]]), versionOf(2, 0, [['r', {}]])]
    assert.deepEqual([...questionStats(versions, [choice(1, 0, 1)], []).keys()], ['q'])
  })

  test('an open question: its texts, then the others as one line', () => {
    const versions = [versionOf(1, 8, [['t', { type: 'text' }]])]
    const texts = [
      { question_id: 't', text: 'Lyon', count: 4 },
      { question_id: 't', text: 'Lille', count: 2 },
      { question_id: 'u', text: 'Nantes', count: 9 },
    ]
    assert.deepEqual(lines(questionStats(versions, [], texts), 't'), [
      ['Lyon', 4, 50],
      ['Lille', 2, 25],
      ['Autres réponses', 2, 25],
    ])
  })

  test('the counts of a question add up to those who had it', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        (all) => {
          const versions = all.map((counts, index) =>
            versionOf(index + 1, (counts[0] ?? 0) + (counts[1] ?? 0), [['q', { answers: two }]]),
          )
          const choices = all.flatMap((counts, index) =>
            counts.map((count, rank) => choice(index + 1, rank, count)),
          )
          const total = versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
          const counted = questionStats(versions, choices, []).get('q')?.answers ?? []
          assert.equal(
            counted.reduce((sum, { count }) => sum + count, 0),
            total,
          )
        },
      ),
    ))
})
