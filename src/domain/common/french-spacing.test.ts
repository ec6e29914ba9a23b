import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { tiePunctuation } from './french-spacing.ts'

/** Makes the no-break spaces of a text visible: `~` is narrow and `_` is wide. */
const shown = (text: string): string =>
  tiePunctuation(text).replaceAll('\u202f', '~').replaceAll('\u00a0', '_')

const cases: [string, string, string][] = [
  ['a question mark', 'Quel est votre rythme ?', 'Quel est votre rythme~?'],
  ['several marks', 'Vraiment ?! Oui ; non !', 'Vraiment~?! Oui~; non~!'],
  ['a colon', 'Résultat : Le bâtisseur', 'Résultat_: Le bâtisseur'],
  ['quotation marks', 'Dites « oui » ou « pourquoi ? ».', 'Dites «_oui_» ou «_pourquoi~?_».'],
  ['several in a row', 'Lequel : ? !', 'Lequel_:~?~!'],
  ['a part that begins with punctuation', ' ?', '~?'],
  ['a part that ends with a quotation mark', 'Ouvrez « ', 'Ouvrez «_'],
  ['a text with no-break spaces', 'Oui\u00a0? Non\u202f: rien', 'Oui_? Non~: rien'],
  ['a text without such spaces', 'Oui? https://a.fr/?b=1 10:30', 'Oui? https://a.fr/?b=1 10:30'],
]

describe('French spacing', () => {
  for (const [name, text, expected] of cases)
    test(`punctuation is tied to its word: ${name}`, () => assert.equal(shown(text), expected))

  const texts = fc.string({ unit: fc.constantFrom(...' ?!:;«»a\n\u00a0\u202f') })

  test('a tied text stays the same when it is tied again', () =>
    fc.assert(
      fc.property(texts, (text) =>
        assert.equal(tiePunctuation(tiePunctuation(text)), tiePunctuation(text)),
      ),
    ))
  test('only spaces change', () => {
    const withoutSpaces = (text: string): string => text.replaceAll(/[ \u00a0\u202f]/g, '')
    fc.assert(
      fc.property(texts, (text) =>
        assert.equal(withoutSpaces(tiePunctuation(text)), withoutSpaces(text)),
      ),
    )
  })
})
