import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { plainText } from '#domain/run/rich-text.ts'
import { answerOf, dimensionOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { mailInsertionNames } from './mail-insertions.ts'
import { composeMail } from './quiz-mail.ts'

const ask = (id: string, dimension_id: string, global_position: number) =>
  questionOf(id, {
    dimension_id,
    global_position,
    answers: [0, 1, 4].map((score) => answerOf(`${id}${score}`, { text: 'A', score })),
  })
const snapshot = takeSnapshot(
  draftOf({
    quiz_mode: 'score',
    questions: [ask('q', 'd', 0), ask('r', 'e', 1)],
    dimensions: [
      dimensionOf('d', {
        name: 'Santé',
        description: 'De {{dimension Santé}}',
        tiers: [
          {
            id: 't',
            from_percent: 0,
            to_percent: 50,
            title: 'Faible',
            text: 'Dormez, {{point fort}}',
          },
        ],
      }),
      dimensionOf('e', { name: 'Argent' }),
    ],
  }),
)
const mailOf = (text: string, of = snapshot): string => {
  const run = { snapshot: of, replies: { q: 'q1', r: 'r4' }, result: null, email: 'a@exemple.fr' }
  return plainText(composeMail({ subject: '', text }, run, (typed) => typed).body)
}

describe('the result mail of a quiz with dimensions', () => {
  test('lists the percentages and tiers, then their texts, below the text of the creator', () => {
    assert.equal(
      mailOf('Bonjour'),
      [
        'Bonjour',
        '- Santé : 25\u00a0% (Faible)\n- Argent : 100\u00a0%',
        'Santé',
        'Dormez, Argent',
        'De 25\u00a0%',
      ].join('\n'),
    )
  })

  test('shows conditional texts above the dimensions, as the result page does', () => {
    const text_variants = [
      {
        id: 'v',
        place: 'mail' as const,
        result_id: null,
        joined_by: 'and' as const,
        conditions: [{ kind: 'dimension_tier' as const, dimension_id: 'd', tier_id: 't' }],
        text: 'Parlons de {{point faible}}',
        button_text: null,
        button_url: null,
      },
    ]
    const lines = mailOf('Bonjour', { ...snapshot, text_variants }).split('\n')
    assert.deepEqual(lines.slice(0, 3), [
      'Bonjour',
      'Parlons de Santé',
      '- Santé : 25\u00a0% (Faible)',
    ])
  })

  test('can insert them, and offers their names', () => {
    const [first = ''] = mailOf('{{Point fort}}, {{point faible}} {{DIMENSION santé}}').split('\n')
    assert.equal(first, 'Argent, Santé 25\u00a0%')
    assert.deepEqual(mailInsertionNames(snapshot), [
      ...['résultat', 'score', 'point fort', 'point faible', 'dimension Santé', 'dimension Argent'],
    ])
  })

  test('has no list if the quiz has no dimension, or none with a range', () => {
    assert.equal(mailOf('Bonjour', { ...snapshot, dimensions: [] }), 'Bonjour')
    const questions = snapshot.questions.map(({ dimension_id, ...question }) => question)
    assert.equal(mailOf('Bonjour {{point fort}}', { ...snapshot, questions }), 'Bonjour')
  })
})
