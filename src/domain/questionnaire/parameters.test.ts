import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  isParameterName,
  MAX_DECLARED_PARAMETERS,
  MAX_PARAMETER_LENGTH,
  parameterNamesError,
  parameterValue,
  readQuery,
  sortParameterNames,
  sortParameters,
  storedParameters,
  UTM_NAMES,
  utmParameters,
  writeQuery,
} from './parameters.ts'

const control = fc.constantFrom('\0', '\n', '\t', '\u0007', '\u007f', '\u0085', '\u2028', '\u202e')
const value = fc
  .array(fc.oneof(control, fc.string({ unit: 'binary', maxLength: 90 })), { maxLength: 5 })
  .map((parts) => parts.join(''))
const name = fc.oneof(
  fc.constantFrom(...UTM_NAMES, 'ref', 'a_1', '__proto__', 'constructor', 'fbclid', 'UTM_SOURCE'),
  fc.string({ maxLength: 8 }),
)
const came = fc.array(fc.tuple(name, value), { maxLength: 12 })

describe('stored parameters of an address', () => {
  const cases: [query: string, declared: string[], kept: Record<string, string> | null][] = [
    ['', ['ref'], null],
    ['?utm_source=Lettre&fbclid=1', [], { utm_source: 'Lettre' }],
    ['?ref=atelier', [], null],
    ['?ref=atelier&utm_medium=mail', ['ref'], { utm_medium: 'mail', ref: 'atelier' }],
    ['?utm_source=a&utm_source=b', [], { utm_source: 'b' }],
    ['?utm_source=a+b%20c%26d', [], { utm_source: 'a b c&d' }],
    ['?utm_source=%00%0A&ref=%20', ['ref'], null],
    ['?utm_source=a%0D%0Ab%E2%80%AEc', [], { utm_source: 'a bc' }],
    ['?utm_source=100%&utm_term=%E9', [], { utm_source: '100%', utm_term: 'é' }],
    ['?__proto__=x&constructor=y&ref=z', ['__proto__', 'constructor', 'ref'], { ref: 'z' }],
    ['?UTM_SOURCE=a&utm_id=b&utm_source', [], null],
  ]
  for (const [query, declared, kept] of cases)
    test(`the parameters of ${query || 'no query'} are stored with ${declared.join(', ') || 'no declared name'}`, () => {
      assert.deepEqual(storedParameters(readQuery(query), declared), kept)
    })

  test('a parameter value is cut at 200 characters, never inside a character', () => {
    assert.equal(parameterValue('x'.repeat(201)), 'x'.repeat(200))
    assert.equal(parameterValue(`${'x'.repeat(199)}😀`), 'x'.repeat(199))
    assert.equal(parameterValue(`${'x'.repeat(198)}😀y`), `${'x'.repeat(198)}😀`)
  })

  test('stored names are allowed and stored values are visible, for any address', () => {
    fc.assert(
      fc.property(came, fc.uniqueArray(name), (given, declared) => {
        const kept = storedParameters(given, declared)
        if (kept === null) return
        const entries = Object.entries(kept)
        assert.ok(entries.length > 0)
        for (const [one, said] of entries) {
          assert.ok(isParameterName(one))
          assert.ok(declared.includes(one) || (UTM_NAMES as readonly string[]).includes(one))
          assert.ok(said !== '' && said.length <= MAX_PARAMETER_LENGTH && said.isWellFormed())
          assert.doesNotMatch(said, /\p{Cc}|\p{Zl}|\p{Zp}/u)
        }
        // Storing the parameters again changes nothing.
        assert.deepEqual(storedParameters(entries, declared), kept)
        assert.deepEqual(storedParameters(readQuery(writeQuery(entries)), declared), kept)
      }),
    )
  })

  test('any query can be read, and a written query is read back unchanged', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed())
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (query) => readQuery(query).length >= 0))
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) =>
        assert.deepEqual(
          readQuery(writeQuery(pairs)),
          pairs.map((pair) => [...pair]),
        ),
      ),
    )
  })
})

describe('names that a quiz declares', () => {
  const refusals: [names: string[], said: RegExp | undefined][] = [
    [[], undefined],
    [['ref', 'a_1', 'x'.repeat(40)], undefined],
    [Array.from({ length: MAX_DECLARED_PARAMETERS }, (_, rank) => `p${rank}`), undefined],
    [Array.from({ length: 11 }, (_, rank) => `p${rank}`), /^10 paramètres au plus$/],
    [['ref', 'ref'], /« ref » est déjà dans la liste/],
    [[''], /De 1 à 40 caractères/],
    [['x'.repeat(41)], /De 1 à 40 caractères/],
    [['Réf'], /De 1 à 40 caractères/],
    [['ref\n'], /De 1 à 40 caractères/],
    [['utm_source'], /utm_ sont enregistrés sans être déclarés/],
    [['__proto__'], /est réservé/],
    [['constructor'], /est réservé/],
    [['test'], /est réservé/],
  ]
  for (const [names, said] of refusals)
    test(`the declared names ${JSON.stringify(names).slice(0, 40)} are checked: ${said ?? 'allowed'}`, () => {
      if (said) assert.match(parameterNamesError(names) ?? '', said)
      else assert.equal(parameterNamesError(names), undefined)
    })
})

test('parameters are shown in the order of UTM_NAMES, then by name', () => {
  assert.deepEqual(sortParameterNames(['z', 'utm_term', 'a', 'utm_source', 'a']), [
    'utm_source',
    'utm_term',
    'a',
    'z',
  ])
  assert.deepEqual(Object.keys(sortParameters({ b: '1', utm_medium: '2', a: '3' })), [
    'utm_medium',
    'a',
    'b',
  ])
  assert.deepEqual(sortParameters(null), {})
  assert.deepEqual(utmParameters({ email: 'a@b.fr', utm_source: 'x' }), { utm_source: 'x' })
})

test('a plus sign stays in an email address, and is a space in other values', () => {
  assert.deepEqual(
    readQuery('?mail=lea+quiz@exemple.fr&nom=L%C3%A9a+B&mail2=a%2Bb@c.fr&x=a+b@c d'),
    [
      ['mail', 'lea+quiz@exemple.fr'],
      ['nom', 'Léa B'],
      ['mail2', 'a+b@c.fr'],
      ['x', 'a b@c d'],
    ],
  )
})

test('letters that an older tool has escaped in Latin-1 are read, and half a letter in UTF-8 stays', () => {
  assert.deepEqual(readQuery('nom=No%EBl&ville=%C9vian+les+Bains&lot=100%&coupe=%E2%82'), [
    ['nom', 'Noël'],
    ['ville', 'Évian les Bains'],
    ['lot', '100%'],
    ['coupe', '%E2%82'],
  ])
})
