import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import {
  fillAddress,
  fillInsertions,
  fillRichText,
  insertionKey,
  insertionsIn,
  insertionsOf,
} from './rich-text.ts'

const values = new Map([
  ['prénom', 'Ada'],
  ['vide', ''],
  ['score', '12'],
])

test('a long reply is inserted with its first 200 characters and an ellipsis, never cut inside a character', () => {
  const question = questionOf('q', { type: 'textarea', label: 'mot' })
  const snapshot = takeSnapshot(draftOf({ questions: [question] }))
  const filled = (reply: string) => insertionsOf(snapshot, { q: reply }).get('mot')
  assert.equal(filled('a'.repeat(200)), 'a'.repeat(200))
  assert.equal(filled('a'.repeat(201)), `${'a'.repeat(200)}…`)
  assert.equal(filled('😀'.repeat(300)), `${'😀'.repeat(200)}…`)
})

describe('fillInsertions', () => {
  const cases: [text: string, expected: string][] = [
    ['Bonjour {{prénom}}, {{ Score }} points', 'Bonjour Ada, 12 points'],
    ['{{PRÉNOM}}{{prénom}}', 'AdaAda'],
    ['{{inconnu}} {prénom} {{}}', '{{inconnu}} {prénom} {{}}'],
    ['Bonjour {{vide}}, voici', 'Bonjour, voici'],
    ['Bonjour {{vide}} !', 'Bonjour !'],
    ['Bonjour, {{vide}} !', 'Bonjour !'],
    ['Bonjour {{vide}}.', 'Bonjour.'],
    ['Bonjour {{vide}}', 'Bonjour'],
    ['Bonjour {{vide}}\nà vous', 'Bonjour\nà vous'],
    ['{{vide}}, voici', 'voici'],
    ['Un\n{{vide}} deux', 'Un\ndeux'],
    ['Votre ville ({{vide}}) compte', 'Votre ville compte'],
    ['Ici « {{vide}} ».', 'Ici.'],
    ['De {{vide}} à {{vide}} puis', 'De à puis'],
    ['{{vide}}', ''],
    ['Sans  insertion , rien ne bouge', 'Sans  insertion , rien ne bouge'],
  ]
  for (const [text, expected] of cases)
    test(`fillInsertions fills the text ${JSON.stringify(text)}`, () =>
      assert.equal(fillInsertions(text, values), expected))

  test('fillInsertions replaces every known insertion, for any surrounding text and value', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom(' ', ', ', ' (', ') ', '.', '\n', '{{a}}', '{{ B }}', '{{b}}'),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.string(), (pieces, value) => {
        const given = new Map([
          ['a', value.replaceAll('{', '')],
          ['b', ''],
        ])
        const filled = fillInsertions(pieces.join(''), given)
        assert.doesNotMatch(filled, /\{\{\s*[ab]\s*\}\}/i)
      }),
    )
  })
  test('fillInsertions returns a text without insertions unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('{{'))
        assert.equal(fillInsertions(text, values), text)
      }),
    )
  })
})

describe('fillRichText', () => {
  test('fillRichText fills each paragraph as one text, whatever its formatting', () => {
    assert.deepEqual(
      fillRichText(
        [
          ['Bonjour ', { strong: ['{{vide}}'] }, ', ', { em: ['{{prénom}}'] }],
          {
            list: [
              [['{{score}} points']],
              [[{ a: ['{{prénom}}'], href: 'https://a.fr/{{prénom}}' }]],
            ],
          },
        ],
        values,
      ),
      [
        ['Bonjour', { strong: [''] }, ', ', { em: ['Ada'] }],
        { list: [[['12 points']], [[{ a: ['Ada'], href: 'https://a.fr/Ada' }]]] },
      ],
    )
  })
})

test('fillAddress encodes each value as one part of the address', () => {
  const hostile = new Map([['nom', 'a/b?c=d&e#é \ud800']])
  assert.equal(
    fillAddress('https://a.fr/?n={{Nom}}&x={{autre}}', hostile),
    'https://a.fr/?n=a%2Fb%3Fc%3Dd%26e%23%C3%A9%20&x={{autre}}',
  )
})

test('names of insertions are compared without case, outer spaces and Unicode form', () => {
  assert.equal(insertionKey(' Pre\u0301nom '), 'prénom')
  assert.deepEqual(insertionsIn('{{a}} {{ B }} {c} {{{d}}}'), ['a', ' B ', 'd'])
})

test('a run inserts chosen and typed texts, and at its end the score and the result', () => {
  const snapshot = takeSnapshot(
    draftOf({
      quiz: quizOf(),
      quiz_mode: 'score',
      results: [resultOf('Lune')],
      questions: [
        questionOf('q', { label: ' Ville ', answers: [answerOf('a', { text: 'Lyon', score: 3 })] }),
        questionOf('r', { label: 'Prénom', type: 'text', global_position: 1 }),
        questionOf('s', { type: 'text', global_position: 2 }),
      ],
    }),
  )
  const replies = { q: 'a', r: ' Ada ', s: 'rien' }
  assert.deepEqual(Object.fromEntries(insertionsOf(snapshot, replies)), {
    ville: 'Lyon',
    prénom: 'Ada',
  })
  assert.deepEqual(Object.fromEntries(insertionsOf(snapshot, replies, { name: 'Lune' })), {
    ville: 'Lyon',
    prénom: 'Ada',
    score: '3',
    résultat: 'Lune',
  })
  assert.equal(insertionsOf(snapshot, {}, null).get('résultat'), '')
})
