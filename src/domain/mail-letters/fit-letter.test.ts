import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { MailPart } from '#domain/deliveries/mail-result.ts'
import { type Block, plainText, type RichText } from '#domain/run/rich-text.ts'
import { fitLetter, letterBytes, MAX_MAIL_BYTES } from './fit-letter.ts'
import type { Letter } from './letter.ts'
import { renderLetterHtml } from './letter-html.ts'
import { renderLetterText } from './letter-plain.ts'
import { resultLetter } from './result-letter.ts'

const UNSUBSCRIBE = 'https://quiz.exemple.fr/desinscription/jeton'
const letterOf = (body: RichText, parts: MailPart[] = [], page_url?: string): Letter =>
  resultLetter({
    subject: 'Votre résultat',
    body,
    parts,
    quiz: { name: 'Les fruits' },
    public_url: 'https://quiz.exemple.fr',
    page_url,
    unsubscribe_url: UNSUBSCRIBE,
  })

const paragraphs = (count: number, text: string): Block[] =>
  Array.from({ length: count }, (_, rank) => [`${rank} ${text}`])

const textsOf = ({ parts = [] }: Letter): string[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [plainText(part.text)] : []))

describe('the length of a mail', () => {
  test('a short letter stays as it is', () => {
    const letter = letterOf('Bonjour', [{ kind: 'text', text: 'Mûr' }])
    assert.equal(fitLetter(letter), letter)
  })

  test('a long text ends at the border of a block and says where it goes on', () => {
    const long = paragraphs(400, 'é'.repeat(300))
    const page_url = 'https://quiz.exemple.fr/q/1/ma-page/jeton'
    const fitted = fitLetter(letterOf('Bonjour Léa', [{ kind: 'text', text: long }], page_url))
    assert.equal(fitted.body, 'Bonjour Léa')
    const [text = ''] = textsOf(fitted)
    const lines = text.split('\n')
    assert.ok(lines.length > 100)
    for (const line of lines.slice(0, -1)) assert.match(line, /^\d+ é{300}$/)
    assert.equal(lines.at(-1), 'La suite est sur Ma page.')
    assert.ok(renderLetterText(fitted).includes(page_url))
  })

  test('without a page the letter says that the rest is missing', () => {
    const fitted = fitLetter(letterOf(paragraphs(400, 'é'.repeat(300))))
    assert.match(
      plainText(fitted.body ?? ''),
      /La suite de ce texte n’a pas tenu dans cet email\.$/,
    )
  })

  test('only the longest texts are shortened', () => {
    const parts: MailPart[] = [
      { kind: 'text', text: paragraphs(10, 'court') },
      { kind: 'text', text: paragraphs(400, 'long '.repeat(60)) },
    ]
    const [short, long] = textsOf(fitLetter(letterOf('Bonjour', parts)))
    assert.equal(short, plainText(paragraphs(10, 'court')))
    assert.match(long ?? '', /n’a pas tenu/)
  })

  test('a single block that is too long keeps its first words', () => {
    const fitted = fitLetter(letterOf([[{ strong: ['mot '.repeat(40_000)] }]]))
    assert.match(plainText(fitted.body ?? ''), /^mot mot .*…\nLa suite/)
  })

  test('no letter exceeds the maximum, and its link to unsubscribe is always there, once', () => {
    const word = fc.constantFrom('a', '&', "'", 'é', '🎉', '<b>', ' « mot » ', 'mot ')
    const inline = fc
      .tuple(word, fc.integer({ min: 1, max: 9_000 }), fc.constantFrom('plain', 'strong', 'a'))
      .map(([text, count, form]): Block => {
        const words = text.repeat(count)
        if (form === 'plain') return [words]
        return form === 'strong'
          ? [{ strong: [words] }]
          : [{ a: [words], href: `https://exemple.fr/?${'&a'.repeat(900)}` }]
      })
    const list = fc.array(inline, { minLength: 1, maxLength: 30 }).map(
      (items): Block => ({
        list: items.map((item) => [item]),
      }),
    )
    const text = fc.array(fc.oneof(inline, list), { maxLength: 20 })
    const parts = fc.array(
      text.map((blocks): MailPart => ({ kind: 'text', text: blocks })),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(text, parts, (body, others) => {
        const fitted = fitLetter(letterOf(body, others))
        assert.ok(letterBytes(fitted) <= MAX_MAIL_BYTES, `${letterBytes(fitted)} bytes`)
        assert.equal(renderLetterHtml(fitted).split(UNSUBSCRIBE).length, 2)
      }),
      { numRuns: 60 },
    )
  })
})
