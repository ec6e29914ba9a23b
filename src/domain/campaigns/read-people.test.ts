import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import { CAMPAIGN_LIMITS } from './campaign.ts'
import { describeProblem } from './people.ts'
import { readPeople } from './read-people.ts'
import { rowsOfCsvFile, rowsOfText } from './read-people-file.ts'

const parseCsv = Papa.parse as Parameters<typeof rowsOfText>[1]
const readText = (text: string) => readPeople(rowsOfText(text, parseCsv))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const LEA = { email: 'lea@exemple.fr', first_name: 'Léa', last_name: 'Martin', group_name: 'Nord' }

describe('the people of a list', () => {
  for (const [name, text] of [
    ['titles in French', 'Email;Prénom;Nom;Groupe\nlea@exemple.fr;Léa;Martin;Nord'],
    ['titles in English', 'First name,Last name,E-mail,Team\nLéa,Martin,lea@exemple.fr,Nord'],
    ['columns without titles', 'lea@exemple.fr;Léa;Martin;Nord'],
    ['cells of a spreadsheet', 'Groupe\tNom\tPrénom\tCourriel\nNord\tMartin\tLéa\tlea@exemple.fr'],
    [
      'the separator of Excel',
      'sep=;\r\n"Email";"Prénom";"Nom";"Groupe"\r\nlea@exemple.fr;Léa;Martin;Nord\r\n',
    ],
    [
      'cells that are formulas of texts',
      'Email;Prénom;Nom;Groupe\n"=""LEA@exemple.fr""";"=""Léa""";Martin;Nord',
    ],
    [
      'another title for the address',
      'Contact pro;Prénom;Nom;Groupe\nlea@exemple.fr;Léa;Martin;Nord',
    ],
  ] as const)
    test(`${name} are understood`, () => {
      const { people, refused } = readText(text)
      assert.deepEqual(
        people.map(({ line: _, ...person }) => person),
        [LEA],
      )
      assert.deepEqual(refused, [])
    })

  test('addresses in one line, with names in the form of mail programs, are people of their own', () => {
    const { people } = readText('"Léa Martin" <lea@exemple.fr>; marc@exemple.fr, zoe@exemple.fr')
    assert.ok(people.some(({ email }) => email === 'marc@exemple.fr'))
    const one = readText('Léa Martin <lea@exemple.fr>\nmailto:marc@exemple.fr')
    assert.deepEqual(
      one.people.map(({ email, last_name }) => [email, last_name]),
      [
        ['lea@exemple.fr', 'Léa Martin'],
        ['marc@exemple.fr', null],
      ],
    )
  })

  test('wrong lines are left out with their numbers and reasons, and blank lines are skipped', () => {
    const { people, refused } = readText(
      [
        'Email;Prénom',
        'lea@exemple.fr;Léa',
        '',
        'lea@exemple;Marc',
        ';Zoé',
        'LEA@exemple.fr;',
        'lea+quiz@exemple.fr;Paul',
        '=HYPERLINK("mailto:x@exemple.fr");Ada',
      ].join('\n'),
    )
    assert.deepEqual(
      people.map(({ email, line }) => [email, line]),
      [['lea@exemple.fr', 2]],
    )
    assert.deepEqual(
      refused.map(({ line, problem }) => [line, describeProblem(problem)]),
      [
        [4, 'L’adresse email n’est pas valable'],
        [5, 'Il manque l’adresse email'],
        [6, 'La même adresse est à la ligne 2'],
        [7, 'Léa a la même adresse, à la ligne 2 : une boîte ne reçoit qu’une invitation'],
        [8, 'L’adresse email n’est pas valable'],
      ],
    )
  })

  test('the meanings of the columns that the creator chose replace those that were found', () => {
    const rows = rowsOfText('a;b\nlea@exemple.fr;Nord', parseCsv)
    const { people } = readPeople(rows, ['email', 'group_name'])
    assert.deepEqual(people[0]?.group_name, 'Nord')
  })

  test('a list without addresses has no people', () => {
    for (const text of ['', '\n\n', 'Nom;Prénom\nMartin;Léa', 'a;b;c'])
      assert.deepEqual(readText(text).people, [])
  })

  test('a list of 50,000 lines is read within a second or two, and says how many are too many', () => {
    const lines = Array.from({ length: 50_000 }, (_, rank) => `p${rank}@exemple.fr;Prénom${rank}`)
    const { people, nb_left_out } = readText(['Email;Prénom', ...lines].join('\n'))
    assert.equal(people.length, CAMPAIGN_LIMITS.people)
    assert.equal(nb_left_out, 45_000)
  })

  test('each mailbox is read once, whatever the list', () => {
    const cell = fc.constantFrom(
      'lea@exemple.fr',
      'Lea@Exemple.fr',
      'zoe@exemple.fr',
      '',
      'Léa',
      '=1+1',
      '<',
      '"',
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 12 }), (rows) => {
        const { people, refused } = readPeople(rows)
        assert.equal(new Set(people.map(({ email }) => email)).size, people.length)
        for (const { line } of [...people, ...refused]) assert.ok(line >= 1 && line <= rows.length)
      }),
    )
  })
})

describe('the file of a list', () => {
  const text = 'Email;Prénom\nlea@exemple.fr;Léa\n'
  for (const [name, bytes] of [
    ['UTF-8', bytesOf(text)],
    ['UTF-8 with a mark', bytesOf(`\ufeff${text}`)],
    ['UTF-16', new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['Windows-1252', new Uint8Array(Buffer.from(text, 'latin1'))],
    ['Mac Roman', new Uint8Array(Buffer.from(text.replaceAll('é', '\u008e'), 'latin1'))],
  ] as const)
    test(`${name} is decoded`, () => {
      const found = rowsOfCsvFile(bytes, parseCsv)
      assert.ok('rows' in found)
      assert.equal(readPeople(found.rows).people[0]?.first_name, 'Léa')
    })

  test('a file that is no text is refused in words', () => {
    const found = rowsOfCsvFile(
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0, 0, 13]),
      parseCsv,
    )
    assert.match(found.refusal ?? '', /CSV ou un classeur Excel/)
  })
})
