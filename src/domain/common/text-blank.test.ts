import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { replyPartsOf } from '#domain/run/replies.ts'
import { insertionKey } from '#domain/run/rich-text.ts'
import { replyErrors } from '#domain/run/submission-checks.ts'
import { answerOf, draftOf, questionOf, quizOf, textBlockOf } from '#domain/testing/drafts.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { isBlankText, trimText } from './text.ts'

const BLANK = {
  'no character': '',
  'white space': ' \t\n\u00a0\u3000',
  'a zero-width space': '\u200b',
  'a byte-order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a word joiner': '\u2060',
  joiners: '\u200c\u200d\u034f',
  'bidi controls': '\u202a\u202e\u2066\u2069\u200e\u200f\u061c',
  'a braille blank': '\u2800',
  'Hangul fillers': '\u3164\u115f\u1160\uffa0',
  'variation selectors': '\ufe0f\u{e0100}\u180b',
  tags: '\u{e0001}\u{e0041}',
  controls: '\u0001\u007f\u0085',
  'annotation marks and a placeholder of an object': '\ufff9\ufffb\ufffc',
  'a musical null notehead': '\u{1d159}',
}
for (const [name, text] of Object.entries(BLANK))
  test(`a text of ${name} is blank`, () => {
    assert.ok(isBlankText(text))
    assert.equal(trimText(text), '')
  })

for (const text of ['a', '.', '\u200bé\u200b', '👩‍👩‍👧', '❤️', '‎עברית', '\u0301', '0', '\ue000'])
  test(`${JSON.stringify(text)} is not blank`, () => assert.ok(!isBlankText(text)))

test('trimming removes white space around a text and keeps the white space inside', () =>
  assert.equal(trimText(' \u200bdeux mots\u00ad '), '\u200bdeux mots\u00ad'))

const UNSEEN = '\u200b \u2800\u00ad'

test('a required reply without visible characters counts as missing', () => {
  const asked = takeSnapshot(
    draftOf({
      questions: [
        questionOf('nom', { type: 'text' }),
        questionOf('choix', { answers: [answerOf('oui')], has_other: true, global_position: 1 }),
      ],
    }),
  )
  const replies = { nom: UNSEEN, choix: `other:${UNSEEN}` }
  assert.deepEqual(replyErrors(asked, replies), [
    `La question "nom ?" n'a pas de réponse`,
    `La question "choix ?" n'a pas de réponse`,
  ])
  assert.deepEqual(replyPartsOf(replies, { id: 'nom', type: 'text' }), [])
})

test('a version leaves out questions, answers, blocks and short names without visible characters', () => {
  const frozen = takeSnapshot(
    draftOf({
      questions: [
        questionOf('q', { answers: [answerOf('a'), answerOf('b', { text: UNSEEN })] }),
        questionOf('r', { type: 'text', label: UNSEEN, help: UNSEEN, global_position: 1 }),
        questionOf('s', { type: 'text', text: UNSEEN, global_position: 2 }),
      ],
      text_blocks: [textBlockOf('t', { content: UNSEEN, global_position: 3 })],
    }),
  )
  const [q, r, ...others] = frozen.questions
  assert.deepEqual(
    q?.answers.map(({ id }) => id),
    ['a'],
  )
  assert.deepEqual([r?.label, r?.help], [undefined, undefined])
  assert.deepEqual([others, frozen.text_blocks], [[], []])
  assert.equal(insertionKey(UNSEEN), '')
})

test('a draft whose only question or whose button has no visible character cannot be published', () => {
  const draft = draftOf({
    quiz: quizOf({ type: 'sondage', end_button_text: UNSEEN, end_button_url: 'https://a.fr' }),
    questions: [questionOf('q', { type: 'text', text: UNSEEN })],
  })
  assert.deepEqual(
    publishErrors(draft).map(({ message }) => message),
    ['Il faut au moins une question pour publier le quiz', "Le bouton de la fin n'a pas de texte"],
  )
})

test('the text format refuses an invisible name and skips an invisible line', () => {
  const read = parseText(`# ${UNSEEN}\n${UNSEEN}\n## Page 1`)
  assert.ok('errors' in read)
  assert.deepEqual(
    read.errors.map(({ line, message }) => [line, message]),
    [[1, 'Il manque un texte.']],
  )
})
