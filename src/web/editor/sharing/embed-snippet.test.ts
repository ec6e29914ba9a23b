import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EmbedChoice, embedSnippet, readNumber } from './embed-snippet.ts'

const link = 'https://quiz.example.org/q/1'
const snippetOf = (choice: Partial<EmbedChoice>, name = 'Quel rythme ?') =>
  embedSnippet(
    { opening: 'inline', number: 10, has_data_layer: false, ...choice },
    { link, quiz: { name, type: 'quiz' } },
  )

test('an inline snippet has a frame titled with the quiz and the script that resizes it', () => {
  const name = '"Qui" <êtes>-vous & où ?'
  assert.equal(
    snippetOf({}, name),
    '<iframe src="https://quiz.example.org/q/1?embed=1" title="&quot;Qui&quot; &lt;êtes&gt;-vous &amp; où ?" width="100%" height="600" frameborder="0" loading="lazy"></iframe>\n<script src="https://quiz.example.org/embed.js" async></script>',
  )
})

test('a button snippet has a button that names what it opens', () => {
  const choice = { opening: 'button', number: 10, has_data_layer: false } as const
  assert.equal(
    embedSnippet(choice, { link, quiz: { name: '', type: 'sondage' } }),
    '<button type="button" data-quizaine="https://quiz.example.org/q/1?embed=1">Répondre au sondage</button>\n<script src="https://quiz.example.org/embed.js" async></script>',
  )
})

test('an opening by itself has its settings on an element, because tag managers remove the attributes of scripts', () => {
  assert.equal(
    snippetOf({ opening: 'delay', number: 20 }),
    '<div data-quizaine="https://quiz.example.org/q/1?embed=1" data-quizaine-open="delay:20" title="Quel rythme ?" hidden></div>\n<script src="https://quiz.example.org/embed.js" async></script>',
  )
  assert.match(snippetOf({ opening: 'scroll', number: 75 }), / data-quizaine-open="scroll:75" /)
  assert.match(snippetOf({ opening: 'exit' }), / data-quizaine-open="exit" title="Quel rythme \?"/)
  assert.match(snippetOf({ opening: 'exit' }, ' '), / title="Répondre au quiz" /)
  assert.match(snippetOf({ opening: 'corner' }), /"corner" title="Répondre au quiz" /)
  assert.match(snippetOf({ opening: 'delay' }, 'A "b"'), / title="A &quot;b&quot;" /)
})

test('a site that makes the frame itself gets the address of the framed page', () =>
  assert.equal(snippetOf({ opening: 'address' }), 'https://quiz.example.org/q/1?embed=1'))

test('a frame alone has no script, for sites that remove scripts', () => {
  assert.equal(
    snippetOf({ opening: 'frame', has_data_layer: true }),
    '<iframe src="https://quiz.example.org/q/1?embed=1" title="Quel rythme ?" width="100%" height="600" frameborder="0" loading="lazy"></iframe>',
  )
})

test('the first element asks for the events in the data layer only if the creator chose so', () => {
  for (const opening of ['inline', 'button', 'corner', 'delay'] as const) {
    const [element = '', script] = snippetOf({ opening, has_data_layer: true }).split('\n')
    assert.match(element, /^<(?:iframe|button|div)[^>]* data-quizaine-datalayer[ >]/)
    assert.equal(script, '<script src="https://quiz.example.org/embed.js" async></script>')
    assert.doesNotMatch(snippetOf({ opening }), /datalayer/)
  }
})

test('the number of an opening is a whole number within its range', () => {
  assert.deepEqual(
    ['0', '10', '3600', '3601', '-1', '1.5', '', ' ', '1e2'].map((text) =>
      readNumber('delay', text),
    ),
    [0, 10, 3_600, ...Array(6).fill(undefined)],
  )
  assert.deepEqual(
    ['0', '1', '100', '101'].map((text) => readNumber('scroll', text)),
    [undefined, 1, 100, undefined],
  )
})
