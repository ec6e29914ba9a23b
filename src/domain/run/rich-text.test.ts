import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { draftOf, questionOf, quizOf, resultOf, textBlockOf } from '#domain/testing/drafts.ts'
import { isTextLink, plainText, readTexts, refusedLinks } from './rich-text.ts'

describe('isTextLink', () => {
  const accepted = [
    'https://exemple.fr',
    'HTTP://exemple.fr/a?b=c#d',
    'mailto:a@exemple.fr?subject=Oui',
    'tel:+33612345678',
    'https://exemple.fr/?ville={{nom court}}',
  ]
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\u0000script:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//exemple.fr',
    '/page',
    'exemple.fr',
    'https://',
    'https://moi:secret@exemple.fr',
    'https://{{nom}}.fr',
    'https:exemple.fr',
    '{{nom}}',
    'mailto:',
    'tel:',
    '',
  ]
  for (const address of accepted)
    test(`isTextLink accepts ${address}`, () => assert.equal(isTextLink(address), true))
  for (const address of refused)
    test(`isTextLink refuses ${JSON.stringify(address)}`, () =>
      assert.equal(isTextLink(address), false))
})

test('refusedLinks returns the addresses of links that stay literal and of no other brackets', () => {
  const text =
    '[a](javascript:alert(1)) [b](https://b.fr) [c](www.c.fr) le [mot](s) [note](voir plus bas) [d](<data:x>)'
  assert.deepEqual(refusedLinks(text), ['javascript:alert', 'www.c.fr', 'data:x'])
})

test('the plain text has all words, and a line for each paragraph and item', () => {
  assert.equal(plainText('**telle quelle**'), '**telle quelle**')
  assert.equal(
    plainText([
      ['Un ', { strong: [{ em: ['mot'] }] }, ' et ', { a: ['un lien'], href: 'https://a.fr' }],
      { list: [[['a']], [['b'], { list: [[['c']]] }]] },
    ]),
    'Un mot et un lien\n- a\n- b\n- c',
  )
})

test('readTexts parses exactly the texts that can have formatting', () => {
  const snapshot = takeSnapshot(
    draftOf({
      quiz: quizOf({ welcome_text: 'accueil', end_text: 'fin', end_title: 'titre' }),
      results: [resultOf('r', { description: 'description' }), resultOf('s')],
      questions: [
        questionOf('q'),
        questionOf('h', { text: 'h', help: 'aide', global_position: 1 }),
      ],
      text_blocks: [textBlockOf('b', { content: 'bloc' })],
    }),
  )
  const read = readTexts(snapshot, (text) => [[{ em: [text] }]])
  const { welcome_text, end_text, end_title, name } = read.quiz
  assert.deepEqual([welcome_text, end_text], [[[{ em: ['accueil'] }]], [[{ em: ['fin'] }]]])
  assert.deepEqual([end_title, name], ['titre', snapshot.quiz.name])
  assert.deepEqual(read.text_blocks[0]?.content, [[{ em: ['bloc'] }]])
  assert.deepEqual(
    read.results.map(({ description }) => description),
    [[[{ em: ['description'] }]], null],
  )
  const { help, ...helped } = snapshot.questions[1] ?? {}
  assert.equal(help, 'aide')
  assert.deepEqual(read.questions, [
    snapshot.questions[0],
    { ...helped, help_text: [[{ em: ['aide'] }]] },
  ])
})
