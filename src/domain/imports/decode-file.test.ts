import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import { ENCODINGS, encodeSingleBytes, inCharactersOf } from '#domain/testing/encodings.ts'
import { assertLinear } from '#domain/testing/linear-time.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { convertBytes, ownFileEncoding } from './convert-file.ts'
import { decodeFile } from './decode-file.ts'

const CSV =
  'Horodateur;Votre prénom ?;« Où » êtes-vous né(e) ?\r\n1;Zoé;À l’hôpital\r\n2;Noël;Ça dépend… œuvre\r\n'

describe('files of spreadsheets are decoded', () => {
  for (const [name, { encode, encoding }] of Object.entries(ENCODINGS))
    test(`the text of a file in ${name} is read with its accents`, () => {
      const text = inCharactersOf(encoding, CSV)
      assert.deepEqual(decodeFile(encode(text)), { text, encoding })
      for (const first of ['', 'sep=;\r\n']) {
        const converted = convertBytes(encode(first + text), 'a.csv', Papa.parse)
        assert.ok(converted.kind === 'text')
        assert.match(converted.text, /^### Votre prénom \?$/m)
        assert.match(converted.text, /^### « Où » êtes-vous né\(e\) \?$/m)
      }
    })

  const words = [
    ...['prénom', 'Élève', 'à', 'Être', 'Île', 'Ça va', 'où', 'naïf', 'l’été', '« mot »', 'Zoé'],
    ...['déjà', 'créée', 'cœur', 'sûr', 'Œuvre', 'ça… oui', 'Évaluation', 'SANTÉ', 'É. Martin'],
    ...['Lætitia', 'ex æquo', 'Noël', 'Dubaï', 'Paris–Lyon', '•Lyon', 'étudiant·e·s', 'agent·e'],
    ...['1 · 2', 'n° 5', '20 °C', 'à 10 €', 'Sánchez', 'más', 'Müller', 'Straße', '“mot”'],
    ...['d’été', 'QUALITÉ\u00a0?', 'À VÉRIFIER'],
  ]
  /** Words that cannot be written in Mac Roman. */
  const windows_words = ['m²', '3 × 4', '½']
  for (const [encoding, list] of [
    ['Windows-1252', [...words, ...windows_words]],
    ['Mac Roman', words],
    ['CP850', ['prénom', 'déjà', 'Ça dépend', 'Où étudiez-vous à présent ?']],
    ['ISO-8859-15', ['cœur', 'à 10 €', 'Œuvre', 'sœur']],
  ] as const)
    for (const word of list)
      test(`one word is enough to tell ${encoding}: ${word}`, () => {
        const text = `Horodateur,${word}\n`
        assert.deepEqual(decodeFile(encodeSingleBytes(text, encoding)), { text, encoding })
      })

  for (const encoding of ['Windows-1252', 'Mac Roman'] as const)
    test(`a text that a spreadsheet has opened in ${encoding} and stored in UTF-8 is read as it was meant`, () => {
      const text = 'Horodateur,Bénévole de l’équipe,10 €,« Où ? »,王小明\n'
      const misread = new TextDecoder(encoding === 'Mac Roman' ? 'macintosh' : 'windows-1252')
      const stored = Buffer.from(misread.decode(Buffer.from(text)))
      assert.deepEqual(decodeFile(stored), { text, encoding: 'UTF-8' })
    })

  test('a text in UTF-8 that could be encoded twice by chance stays as it is', () => {
    for (const text of ['CITÉ…', 'FRANÇ»', 'Ã© ou é', 'São João', 'NÃO', '√2 et ≈ 3'])
      assert.deepEqual(decodeFile(Buffer.from(text)), { text, encoding: 'UTF-8' })
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
        // « ’é » of Mac Roman and « É » before a no-break space of Windows-1252 are valid UTF-8 by chance.
        if (/[A-Za-z][\u0540-\u057f]|[A-Z][\u01e0\u0220\u0260\u02a0]/.test(standard ?? '')) return
        const decoded = decodeFile(bytes)
        const own = 'text' in decoded && decoded.encoding === 'UTF-8' ? decoded.text : undefined
        if (bytes[0] !== 0xff && bytes[0] !== 0xfe) assert.equal(own, standard)
      }),
      { numRuns: countCases(2_000) },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const written = `1${text.replaceAll('\0', '')}`
        assert.deepEqual(decodeFile(Buffer.from(written)), { text: written, encoding: 'UTF-8' })
      }),
    )
  })
})

describe('other files are refused in words', () => {
  const refusalOf = (bytes: Uint8Array): string => {
    const converted = convertBytes(bytes, 'a.csv', Papa.parse)
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
  for (const [name, { encode, encoding }] of Object.entries(ENCODINGS)) {
    if (!encoding.startsWith('UTF')) continue
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
