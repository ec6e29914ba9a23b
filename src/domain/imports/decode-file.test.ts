import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '#domain/testing/linear-time.ts'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { convertBytes, ownFileEncoding } from './convert-file.ts'
import { decodeFile } from './decode-file.ts'

const CSV =
  'Horodateur;Votre prénom ?;« Où » êtes-vous né(e) ?\r\n1;Zoé;À l’hôpital\r\n2;Noël;Ça dépend… œuvre\r\n'

/** Bytes of a text in Mac Roman, for the characters of the example. */
const MAC_BYTES: Readonly<Record<string, number>> = {
  ...{ é: 0x8e, è: 0x8f, ê: 0x90, à: 0x88, ç: 0x8d, ô: 0x99, ù: 0x9d, ë: 0x91, œ: 0xcf, '’': 0xd5 },
  ...{ '«': 0xc7, '»': 0xc8, '…': 0xc9, À: 0xcb, Ç: 0x82, É: 0x83 },
}
const WINDOWS_BYTES: Readonly<Record<string, number>> = {
  '’': 0x92,
  '…': 0x85,
  œ: 0x9c,
  Œ: 0x8c,
  '€': 0x80,
}

const singleBytes = (text: string, bytes: Readonly<Record<string, number>>): Uint8Array =>
  Uint8Array.from(text, (sign) => bytes[sign] ?? sign.charCodeAt(0))
const utf16 = (text: string, isBigEndian: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}
const ENCODED: [name: string, encode: (text: string) => Uint8Array, encoding: string][] = [
  ['UTF-8', (text) => Buffer.from(text), 'UTF-8'],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`), 'UTF-8'],
  ['UTF-16 LE', (text) => utf16(text, false), 'UTF-16'],
  ['UTF-16 BE', (text) => utf16(text, true), 'UTF-16'],
  ['UTF-16 LE with a mark', (text) => utf16(`\ufeff${text}`, false), 'UTF-16'],
  ['UTF-16 BE with a mark', (text) => utf16(`\ufeff${text}`, true), 'UTF-16'],
  ['Windows-1252', (text) => singleBytes(text, WINDOWS_BYTES), 'Windows-1252'],
  ['Mac Roman', (text) => singleBytes(text, MAC_BYTES), 'Mac Roman'],
]

describe('files of spreadsheets are decoded', () => {
  for (const [name, encode, encoding] of ENCODED)
    test(`the text of a file in ${name} is read with its accents`, () => {
      assert.deepEqual(decodeFile(encode(CSV)), { text: CSV, encoding })
      for (const first of ['', 'sep=;\r\n']) {
        const converted = convertBytes(encode(first + CSV), 'a.csv')
        assert.ok(converted.kind === 'text')
        assert.match(converted.text, /^### Votre prénom \?$/m)
        assert.match(converted.text, /^### « Où » êtes-vous né\(e\) \?$/m)
      }
    })

  const words = [
    ...['prénom', 'Élève', 'à', 'Être', 'Île', 'Ça va', 'où', 'naïf', 'l’été', '« mot »', 'Zoé'],
    ...['déjà', 'créée', 'cœur', 'sûr', 'Œuvre', 'ça… oui', 'Évaluation'],
  ]
  for (const word of words)
    test(`one word is enough to tell Windows-1252: ${word}`, () => {
      const bytes = singleBytes(`Horodateur,${word}\n`, WINDOWS_BYTES)
      assert.deepEqual(decodeFile(bytes), {
        text: `Horodateur,${word}\n`,
        encoding: 'Windows-1252',
      })
    })
  for (const word of ['prénom', 'Élève', 'à', 'où', 'l’été', '«mot»', 'Zoé', 'déjà', 'ça… oui'])
    test(`one word is enough to tell Mac Roman: ${word}`, () => {
      const bytes = singleBytes(`Horodateur,${word}\n`, MAC_BYTES)
      assert.deepEqual(decodeFile(bytes), { text: `Horodateur,${word}\n`, encoding: 'Mac Roman' })
    })

  test('UTF-8 is decoded as the standard does, and every other sequence is no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        if (bytes.includes(0)) return
        const standard = (() => {
          try {
            return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
          } catch {
            return undefined
          }
        })()
        const decoded = decodeFile(bytes)
        const own = 'text' in decoded && decoded.encoding === 'UTF-8' ? decoded.text : undefined
        if (bytes[0] !== 0xff && bytes[0] !== 0xfe) assert.equal(own, standard)
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const written = `a${text.replaceAll('\0', '')}`
        assert.deepEqual(decodeFile(Buffer.from(written)), { text: written, encoding: 'UTF-8' })
      }),
    )
  })
})

describe('other files are refused in words', () => {
  const refusalOf = (bytes: Uint8Array): string => {
    const converted = convertBytes(bytes, 'a.csv')
    return converted.kind === 'refused' ? converted.message : converted.kind
  }
  const cyrillic = Uint8Array.from(
    'Horodateur,\xc8\xec\xff\n1,\xcf\xf0\xe8\xe2\xe5\xf2\n',
    (sign) => sign.charCodeAt(0),
  )
  test('a file in an encoding that is not read names the encodings that are', () => {
    assert.match(refusalOf(cyrillic), /^L’encodage de ce fichier n’est pas reconnu\..*UTF-8/)
    const utf32 = Buffer.from([0xff, 0xfe, 0, 0, 0x48, 0, 0, 0])
    assert.match(refusalOf(utf32), /^Ce fichier est encodé en UTF-32\..*UTF-8/)
  })
  test('a picture and a workbook are named as unknown files, not as texts', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000001f4000001f408060000', 'hex')
    const zip = Buffer.from('504b0304140006000800000021007c6c98166c010000a0050000130008', 'hex')
    for (const bytes of [png, zip]) assert.match(refusalOf(bytes), /^Ce fichier n’est pas reconnu/)
    assert.equal(refusalOf(new Uint8Array()), 'Ce fichier est vide.')
  })
})

test('our own quiz file is recognised in every encoding, also if its beginning ends inside a character', () => {
  const file = `{"format":"quizaine-quiz","name":"é😀`
  for (const [name, encode, encoding] of ENCODED.slice(0, 6)) {
    const bytes = encode(file)
    for (const cut of [0, 1, 2, 3])
      assert.equal(ownFileEncoding(bytes.subarray(0, bytes.length - cut)), encoding, name)
  }
  assert.equal(ownFileEncoding(Buffer.from('{"title":"a"}')), undefined)
})

test('decoding takes linear time for every shape of text', () => {
  for (const make of Object.values(STRANGER_TEXTS))
    for (const encoding of ['utf8', 'utf16le', 'latin1'] as const)
      assertLinear((text) => decodeFile(Buffer.from(text, encoding)), make, 60_000)
})
