import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import {
  createFlatPicture,
  createNoisePicture,
  uploadPicture,
} from '#server/testing/quizzes/pictures.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Runs in test:all, because its requests are hostile and many.

const app = await createTestApp({ IMAGE_QUOTA_MB: '1' })
after(() => app.close())

let creator: SignedUp
let good: QuizFile
/** Returns a picture in the format of a file. */
let picture: QuizFile['pictures'][number]
before(async () => {
  creator = await app.signUp()
  const { id } = await readyScoreQuiz(creator.client)
  good = (await downloadQuizFile(app, creator, id)).json()
  const png = await createFlatPicture(60, 40).png().toBuffer()
  picture = { id: 'p1', type: 'image/png', data: png.toString('base64') }
})

/** Counts the rows of all tables that an import writes, for all creators. */
const counts = async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from quizzes) as quizzes, (select count(*) from results) as results,
      (select count(*) from questions) as questions, (select count(*) from images) as images
  `.execute(app.db)
  return rows[0]
}

const refused = async (
  payload: string | Buffer,
  { status = 422, reason }: { status?: number; reason: RegExp },
): Promise<void> => {
  const existing = await counts()
  const reply = await importQuizFile(app, creator, payload)
  assert.equal(reply.statusCode, status, reply.body.slice(0, 300))
  assert.match(reply.json().error, reason)
  assert.deepEqual(await counts(), existing)
}
const refusedFile = (changed: object, reason: RegExp): Promise<void> =>
  refused(JSON.stringify({ ...good, ...changed }), { reason })

const NOT_OURS = 'Ce fichier n’est pas un questionnaire exporté de Quizaine'

describe('a file that is not a quiz file', () => {
  for (const [name, bytes, reason] of [
    ['nothing', '', /^Ce fichier est vide$/],
    ['a text', 'bonjour', /: ce n’est pas du JSON/],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0', /: ce n’est pas du/],
    ['truncated JSON', '{\n"format": "quizaine-quiz",\n', /: ce n’est pas du JSON/],
    [
      'a syntax error (with its line number)',
      '{\n"format":\n  "a" "b"}',
      /: ce n’est pas du JSON \(ligne 3\)$/,
    ],
    [
      'a text that looks like a line number',
      '[1,"(line 7 column 1)",x]',
      /: ce n’est pas du JSON$/,
    ],
    ['bytes that are not text', Buffer.from([0x7b, 0x22, 0xff, 0x22]), /: ce n’est pas du texte/],
    ['a text in UTF-16', Buffer.from('{"a":1}', 'utf16le'), /: ce n’est pas du texte en UTF-8$/],
    ['deep nesting', '['.repeat(50_000), /: il contient trop de niveaux$/],
    ['deep nesting of objects', '{"quiz":'.repeat(20), /: il contient trop de niveaux$/],
    ['many values', `[${'0,'.repeat(150_001)}0]`, /: il contient trop de valeurs$/],
    ['a long key', `{"${'k'.repeat(101)}":1}`, /: il contient une clé trop longue$/],
    [
      'many keys in one object',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, rank) => [rank, 0]))),
      /: il contient trop de clés$/,
    ],
    [
      'too much text besides its pictures',
      JSON.stringify(Array.from({ length: 300 }, () => 'a'.repeat(30_000))),
      /: il contient trop de texte$/,
    ],
    [
      'a text longer than any picture',
      JSON.stringify(['a'.repeat(16 * 1_048_576)]),
      /: il contient trop de texte$/,
    ],
    [
      'more long texts than pictures are allowed',
      JSON.stringify(Array.from({ length: 101 }, () => 'a'.repeat(40_000))),
      /: il contient trop de texte$/,
    ],
  ] as const)
    test(`a file that contains ${name} is refused`, () =>
      refused(Buffer.from(bytes as string, 'latin1'), { status: 400, reason }))

  testInAll(
    'a file with a syntax error after the maximum number of lines is refused, using little memory',
    async () => {
      const reader = JSON.stringify(new URL('parsing/read-quiz-file.ts', import.meta.url))
      // Linux counts the memory of the parent in `maxRSS` of a process, so that the peak is read from the process itself.
      const script = `
      import { existsSync, readFileSync } from 'node:fs'
      import { readQuizFile } from ${reader}
      const status = '/proc/self/status'
      const readPeak = () => existsSync(status)
        ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1])
        : process.resourceUsage().maxRSS
      const bytes = Buffer.alloc(7 * 1_048_576, '\\n')
      bytes.write('{}')
      bytes.write('x', bytes.length - 1)
      try { await readQuizFile(bytes) } catch ({ message }) {
        console.log(JSON.stringify({ message, kib: readPeak() }))
      }
    `
      const args = ['--input-type=module', '--eval', script]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      const { message, kib } = JSON.parse(stdout)
      assert.match(message, /ce n’est pas du JSON \(ligne 7340030\)$/)
      assert.ok(kib < 300 * 1_024, `${kib} KiB`)
    },
  )

  for (const [name, text] of [
    ['the format of another program', '{"format":"survey","questions":[]}'],
    ['a list', '[]'],
    ['a number', '12'],
    ['null', 'null'],
  ] as const)
    test(`a JSON file that contains ${name} is refused`, () =>
      refused(text, { reason: new RegExp(`^Champ « format » : ${NOT_OURS}$`) }))

  test('a file with too many bytes is refused', () =>
    refused(Buffer.alloc(33 * 1_048_576, 0x20), { status: 413, reason: /32 Mo au plus/ }))
})

test('a file with a newer schema is refused', () =>
  refusedFile(
    { schema_version: 5 },
    /^Champ « schema_version » : Ce fichier vient d’une version plus récente de Quizaine \(schéma 5/,
  ))

describe('a file with wrong keys', () => {
  test('a file with a duplicate key is refused', async () => {
    const text = JSON.stringify(good).replace('"quiz":{', '"quiz":{"name":"Autre",')
    await refused(text, { reason: /^Champ « quiz\.name » : Cette clé est en double/ })
  })
  test('a file with a key that changes prototypes is refused', async () => {
    const text = JSON.stringify(good).replace('"results":[{', '"results":[{"__proto__":{"a":1},')
    await refused(text, { reason: /^Champ « results\.0\.__proto__ » : / })
  })
  test('a file with an unknown key at any level is refused', async () => {
    await refusedFile({ creator_id: creator.user_id }, /creator_id/)
    await refusedFile({ quiz: { ...good.quiz, status: 'Publié' } }, /^Champ « quiz » : .*status/)
    await refusedFile({ quiz: { ...good.quiz, slug: 'a-moi' } }, /^Champ « quiz » : .*slug/)
  })
  test('a file is refused with a short message however many unknown keys it has', async () => {
    const keys = Array.from({ length: 900 }, (_, index) => [`inconnue${index}`, 0])
    await refusedFile(Object.fromEntries(keys), /^Clé inconnue : inconnue0$/)
    const key = JSON.stringify('k'.repeat(90))
    await refused(`{${key}:1,${key}:2}`, { reason: /^Champ « k{90} » : Cette clé est en double/ })
  })
})

describe('a file above a limit', () => {
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const asked = (index: number, more: object = {}) => ({
    id: `q${index}`,
    type: 'text',
    text: 'Et ?',
    page_number: 1,
    global_position: index,
    ...more,
  })
  test('a file with 10,000 pages is refused', async () => {
    await refusedFile(
      { questions: [asked(0), asked(1, { page_number: 10_000 })] },
      /^Champ « questions\.1\.page_number » : 100 au plus$/,
    )
    const block = (index: number) => ({
      content: 'x',
      page_number: index + 1,
      global_position: index,
    })
    await refusedFile({ text_blocks: many(10_000, block) }, /^Champ « text_blocks/)
  })
  test('a file with too many questions, answers, results or pictures is refused', async () => {
    await refusedFile({ questions: many(501, asked) }, /^Champ « questions » : 500 éléments/)
    const answers = many(101, () => ({ text: 'Oui' }))
    await refusedFile(
      { questions: [asked(0, { type: 'multiple_choice', answers })] },
      /^Champ « questions\.0\.answers » : 100 éléments au plus$/,
    )
    await refusedFile(
      { results: many(101, (index) => ({ id: `r${index}`, name: 'Un' })) },
      /^Champ « results » : 100 éléments au plus$/,
    )
    await refusedFile(
      { pictures: many(101, (index) => ({ ...picture, id: `p${index}` })) },
      /^Champ « pictures » : 100 éléments au plus$/,
    )
  })
  test('a file with a text, number or address outside its limits is refused', async () => {
    await refusedFile({ quiz: { ...good.quiz, name: ' ' } }, /^Champ « quiz\.name » : /)
    await refusedFile(
      { questions: [asked(0, { text: 'x'.repeat(1_001) })] },
      /^Champ « questions\.0\.text » : 1000 caractères au plus$/,
    )
    await refusedFile(
      { questions: [asked(0, { type: 'scale', scale_max: 6 })] },
      /^Champ « questions\.0\.scale_max » : /,
    )
    await refusedFile(
      { results: [{ id: 'r1', name: 'Un', button_text: 'Voir', button_url: 'javascript:1' }] },
      /^Champ « results\.0\.button_url » : L’adresse doit commencer par https/,
    )
    await refusedFile(
      { questions: [asked(0, { text: 'a\0b' })] },
      /^Champ « questions\.0\.text » : Le texte contient un caractère interdit$/,
    )
  })
})

describe('a file with wrong pictures', () => {
  const shown = (more: Partial<QuizFile>) => ({
    quiz: { ...good.quiz, logo_image_id: 'p1' },
    ...more,
  })
  const sent = (bytes: Buffer | string, type = 'image/png') =>
    shown({
      pictures: [{ id: 'p1', type, data: Buffer.from(bytes as string).toString('base64') }],
    } as Partial<QuizFile>)

  test('a file is refused if its pictures are not pictures', async () => {
    for (const bytes of ['bonjour', '<svg xmlns="http://www.w3.org/2000/svg"/>', ''])
      await refusedFile(
        sent(bytes),
        /^Champ « pictures\.0\.data » : Ce fichier n’est pas une image/,
      )
    await refusedFile(
      sent(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
      /^Champ « pictures\.0\.data » : L’image est incomplète/,
    )
  })
  test('a file is refused if a picture has a wrong or unknown type', async () => {
    const jpeg = await createFlatPicture(60, 40).jpeg().toBuffer()
    await refusedFile(
      sent(jpeg),
      /^Champ « pictures\.0\.type » : Cette image n’est pas du type annoncé, mais image\/jpeg$/,
    )
    await refusedFile(
      sent(jpeg, 'image/svg+xml'),
      /^Champ « pictures\.0\.type » : Valeurs possibles/,
    )
  })
  test('a file is refused if a picture is not base64', () =>
    refusedFile(
      shown({ pictures: [{ ...picture, data: `${picture.data.slice(0, -4)}\n==` }] }),
      /^Champ « pictures\.0\.data » : Cette image n’est pas écrite en base64$/,
    ))
  test('a file is refused if a picture is missing', () =>
    refusedFile(
      shown({ pictures: [{ ...picture, id: 'p2' }] }),
      /^Champ « quiz\.logo_image_id » : Cette image n’est pas dans le fichier$/,
    ))
  testInAll('a file is refused if it names a picture by the id of a stored picture', async () => {
    for (const owner of [creator, await app.signUp()]) {
      const { id } = await uploadPicture(app, owner)
      await refusedFile(
        { quiz: { ...good.quiz, logo_image_id: id } },
        /^Champ « quiz\.logo_image_id » : Cette image n’est pas dans le fichier$/,
      )
    }
  })
  testInAll('a file is refused if its pictures are above the quota of the account', async () => {
    const heavy = await createNoisePicture(1_600, 1_200).jpeg({ quality: 60 }).toBuffer()
    const pictures = ['p1', 'p2', 'p3'].map((id) => ({
      id,
      type: 'image/jpeg' as const,
      data: heavy.toString('base64'),
    }))
    const results = good.results.map((result, index) => ({ ...result, image_id: `p${index + 2}` }))
    await refusedFile(
      shown({ pictures, results }),
      /^Vos images prendraient plus de place que les 1 Mo prévus/,
    )
  })
})
