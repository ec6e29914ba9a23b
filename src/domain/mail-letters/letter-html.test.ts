import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageIdOf } from '#domain/questionnaire/images.ts'
import { renderLetterHtml } from './letter-html.ts'
import { renderLetterText } from './letter-plain.ts'
import { resultLetter } from './result-letter.ts'

const imageOf = (width: number, height: number): string =>
  imageIdOf(
    { width, height, color: '#c4d7e6', is_opaque: true },
    '11111111-1111-4111-8111-111111111111',
  )

const letterWith = (image_id: string, alt = 'Un cerisier') =>
  resultLetter({
    subject: 'Votre résultat',
    body: 'Bonjour',
    quiz: { name: 'Les fruits' },
    public_url: 'https://quiz.exemple.fr',
    unsubscribe_url: 'https://quiz.exemple.fr/desinscription/jeton',
    parts: [
      { kind: 'heading', text: 'La cerise' },
      { kind: 'picture', image_id, alt },
      { kind: 'button', label: 'Cueillir', url: 'https://exemple.fr/a?b=1&c=2' },
    ],
  })

for (const [image, size, shown] of [
  [imageOf(1600, 800), 1600, { width: 496, height: 248 }],
  [imageOf(600, 900), 800, { width: 496, height: 744 }],
  [imageOf(300, 200), 400, { width: 300, height: 200 }],
  [imageOf(1600, 1), 1600, { width: 496, height: 1 }],
] as const)
  test(`a picture shown at ${shown.width} pixels has an absolute address, a size and a text`, () => {
    const html = renderLetterHtml(letterWith(image))
    const [tag = ''] = /<img [^>]*>/.exec(html) ?? []
    assert.ok(tag.includes(`src="https://quiz.exemple.fr/images/${image}/${size}.webp"`), tag)
    assert.ok(tag.includes(`width="${shown.width}" height="${shown.height}" alt="Un cerisier"`))
    assert.match(renderLetterText(letterWith(image)), /^\[Image\u00a0: Un cerisier\]$/m)
  })

test('an id without a size has no picture, and a decorative picture has no words', () => {
  assert.doesNotMatch(renderLetterHtml(letterWith('22222222-2222-4222-8222-222222222222')), /<img/)
  assert.doesNotMatch(renderLetterText(letterWith(imageOf(300, 200), '')), /Image/)
})

test('a mail tells programs that it has dark colours', () => {
  const html = renderLetterHtml(letterWith(imageOf(300, 200)))
  assert.match(html, /<meta name="color-scheme" content="light dark">/)
  assert.match(html, /<meta name="supported-color-schemes" content="light dark">/)
  assert.match(html, /@media \(prefers-color-scheme:dark\)\{/)
  assert.match(html, /\[data-ogsc\] \.q-card p/)
})

test('the foot says that nobody reads replies only without an address for them', () => {
  const letter = letterWith(imageOf(300, 200))
  for (const render of [renderLetterHtml, renderLetterText]) {
    assert.match(render(letter), /personne ne lit les réponses/)
    assert.match(render(letter, { reply_to: null }), /personne ne lit les réponses/)
    assert.doesNotMatch(render(letter, { reply_to: 'camille@exemple.fr' }), /personne ne lit/)
  }
})
