import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Block,
  type Inline,
  isTextLink,
  plainText,
  type RichText,
} from '#domain/run/rich-text.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { parseRichText } from './parse-rich-text.ts'

const cases: [text: string, expected: RichText][] = [
  ['un **mot** fort', [['un ', { strong: ['mot'] }, ' fort']]],
  ['un *mot*\net _un autre_', [['un ', { em: ['mot'] }, '\net ', { em: ['un autre'] }]]],
  ['***les deux***', [[{ em: [{ strong: ['les deux'] }] }]]],
  ['**a**\n\nb', [[{ strong: ['a'] }], ['b']]],
  ['fin de ligne  \n**a**', [['fin de ligne\n', { strong: ['a'] }]]],
  ['- a\n- **b**\n\n- c', [{ list: [[['a']], [[{ strong: ['b'] }]], [['c']]] }]],
  [
    'Avant :\n- a\n  - b\n\nAprès',
    [['Avant :'], { list: [[['a'], { list: [[['b']]] }]] }, ['Après']],
  ],
  ['[ici](https://a.fr/?b=c)', [[{ a: ['ici'], href: 'https://a.fr/?b=c' }]]],
  ['[**ici**](MAILTO:a@b.fr)', [[{ a: [{ strong: ['ici'] }], href: 'MAILTO:a@b.fr' }]]],
  ['[ici](tel:+33612345678)', [[{ a: ['ici'], href: 'tel:+33612345678' }]]],
  [
    '[ici](https://a.fr/?v={{nom court}})',
    [[{ a: ['ici'], href: 'https://a.fr/?v={{nom court}}' }]],
  ],
  ['**{{mon_nom}}** de {{ton_nom}}', [[{ strong: ['{{mon_nom}}'] }, ' de {{ton_nom}}']]],
  ['mot**{{score}}**mot', [['mot', { strong: ['{{score}}'] }, 'mot']]],
  // Unsupported syntax stays as typed, and supported marks inside it are parsed.
  ['# Titre **a**', [['# Titre ', { strong: ['a'] }]]],
  ['**a**\n===\nb\n---', [[{ strong: ['a'] }, '\n===\nb\n---']]],
  ['> **a**', [['> ', { strong: ['a'] }]]],
  ['1. **a**\n2. b', [['1. ', { strong: ['a'] }, '\n2. b']]],
  ['```\n**a**\n```', [['```\n', { strong: ['a'] }, '\n```']]],
  ['`**a**`', [['`', { strong: ['a'] }, '`']]],
  ['    **a**', [[{ strong: ['a'] }]]],
  ['<b onclick="x">**a**</b>', [['<b onclick="x">', { strong: ['a'] }, '</b>']]],
  ['<https://a.fr> **a**', [['<https://a.fr> ', { strong: ['a'] }]]],
  ['![x](https://a.fr) **a**', [['![x](https://a.fr) ', { strong: ['a'] }]]],
  ['[a][b] **a**\n\n[b]: https://a.fr', [['[a][b] ', { strong: ['a'] }], ['[b]: https://a.fr']]],
  ['\\**a** &amp; **b**', [['\\', { strong: ['a'] }, ' &amp; ', { strong: ['b'] }]]],
  ['[x](javascript:alert(1)) **a**', [['[x](javascript:alert(1)) ', { strong: ['a'] }]]],
]

const literal = [
  'Rien à marquer\n\n\nici',
  '3 * 4 * 5',
  'snake_case_name',
  '* a\n* b',
  '+ a',
  '1. a',
  '**a\n\nb**',
  '{{mon_nom_court}} {{a*b*c}}',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '[x](//a.fr)',
  '[x](/page)',
  '[x](https://{{nom}}.fr)',
  '[x](https://moi:secret@a.fr)',
  '<img src=x onerror=alert(1)>',
]

describe('parseRichText', () => {
  for (const [text, expected] of cases)
    test(`parseRichText parses the marks of ${JSON.stringify(text)}`, () =>
      assert.deepEqual(parseRichText(text), expected))
  for (const text of literal)
    test(`the text ${JSON.stringify(text)} stays as typed`, () =>
      assert.equal(parseRichText(text), text))

  const piece = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom('*', '**', '_', '[', ']', '](', ')', '- ', '  - ', '\n', '\n\n', ' ', '{{a}}'),
    fc.constantFrom(
      '<b>',
      '`',
      '# ',
      '> ',
      '![',
      '1. ',
      '\\',
      '&lt;',
      'https://a.fr',
      'javascript:x',
    ),
  )
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  test('no tree exceeds the maximum depth, and all its links are allowed', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = parseRichText(text)
        if (typeof read === 'string') return assert.equal(read, text)
        const { depth, links } = survey(read)
        assert.ok(depth <= 7, `${depth} deep`)
        for (const href of links) assert.ok(isTextLink(href), href)
      }),
      { numRuns: countCases(1_000) },
    )
  })
  test('the plain text of a parsed text has only words that were typed', () => {
    const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
    fc.assert(
      fc.property(texts, (text) => {
        const typed = new Set(words(text))
        const plain = words(plainText(parseRichText(text)))
        // Removing an emphasis inside a word joins its parts.
        assert.ok(plain.every((word) => [...typed].some((part) => word.includes(part))))
      }),
    )
  })

  const hostile: [name: string, text: string][] = [
    ['10,000 nested emphases', `${'*'.repeat(10_000)}a${'*'.repeat(10_000)}`],
    ['10,000 opened and closed', `${'**a '.repeat(10_000)}${'b** '.repeat(10_000)}`],
    ['nested brackets', '['.repeat(10_000)],
    ['nested links', '[a](b '.repeat(5_000)],
    ['nested lists', `${'- '.repeat(10_000)}*a*`],
    [
      'indented lists',
      Array.from({ length: 200 }, (_, i) => `${' '.repeat(2 * i)}- *a*`).join('\n'),
    ],
    ['lines', `*a*${'\n'.repeat(10_000)}b`],
    ['the most that is read', `${'**a '.repeat(120)}${'b** '.repeat(120)}`],
  ]
  for (const [name, text] of hostile)
    test(`${name} are parsed in time`, () => {
      const before = process.cpuUsage()
      const read = parseRichText(text)
      const { user } = process.cpuUsage(before)
      assert.ok(user < 1_000_000, `${user} µs`)
      if (typeof read !== 'string') assert.ok(survey(read).depth <= 7)
    })
})

test('marks of nested lists count towards the 500 marks of a text', () => {
  const lines = (count: number): string => '- - - - - a\n'.repeat(count)
  assert.notEqual(typeof parseRichText(lines(100)), 'string')
  assert.equal(typeof parseRichText(lines(101)), 'string')
})

/** Returns the depth of a tree and the addresses of its links. */
const survey = (blocks: readonly Block[]): { depth: number; links: string[] } => {
  const links: string[] = []
  const ofInline = (inline: Inline): number => {
    if (typeof inline === 'string') return 0
    if ('a' in inline) links.push(inline.href)
    const [parts] = Object.values(inline).filter(Array.isArray) as Inline[][]
    return 1 + Math.max(0, ...(parts ?? []).map(ofInline))
  }
  const ofBlock = (block: Block): number =>
    'list' in block
      ? 1 + Math.max(0, ...block.list.flat().map(ofBlock))
      : Math.max(0, ...block.map(ofInline))
  return { depth: Math.max(0, ...blocks.map(ofBlock)), links }
}
