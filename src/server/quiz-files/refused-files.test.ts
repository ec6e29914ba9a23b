import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { flat, noise, upload } from '#server/testing/quizzes/pictures.ts'
import { readFile, writeFile } from '#server/testing/quizzes/quiz-files.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp({ IMAGE_QUOTA_MB: '1' })
after(() => app.close())

let creator: SignedUp
let good: QuizFile
/** Returns a picture in the format of a file. */
let picture: QuizFile['pictures'][number]
before(async () => {
  creator = await app.signUp()
  const { id } = await readyScoreQuiz(creator.client)
  good = (await writeFile(app, creator, id)).json()
  const png = await flat(60, 40).png().toBuffer()
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
  const reply = await readFile(app, creator, payload)
  assert.equal(reply.statusCode, status, reply.body.slice(0, 300))
  assert.match(reply.json().error, reason)
  assert.deepEqual(await counts(), existing)
}
const refusedFile = (changed: object, reason: RegExp): Promise<void> =>
  refused(JSON.stringify({ ...good, ...changed }), { reason })

const NOT_OURS = 'Ce fichier n’est pas un questionnaire exporté de Quizaine'

describe('a foreign file is refused', () => {
  for (const [name, bytes, reason] of [
    ['nothing', '', /^Ce fichier est vide$/],
    ['a text', 'bonjour', /: ce n’est pas du JSON/],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0', /: ce n’est pas du/],
    ['JSON that is cut', '{\n"format": "quizaine-quiz",\n', /: ce n’est pas du JSON/],
    ['a mistake, by its line', '{\n"format":\n  "a" "b"}', /: ce n’est pas du JSON \(ligne 3\)$/],
    ['what cites a line', '[1,"(line 7 column 1)",x]', /: ce n’est pas du JSON$/],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x22]), /: ce n’est pas du texte/],
    ['depth', '['.repeat(50_000), /: il contient trop de niveaux$/],
    ['depth in objects', '{"quiz":'.repeat(20), /: il contient trop de niveaux$/],
    ['many values', `[${'0,'.repeat(150_001)}0]`, /: il contient trop de valeurs$/],
    ['a long key', `{"${'k'.repeat(101)}":1}`, /: il contient une clé trop longue$/],
    [
      'many keys in one object',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, rank) => [rank, 0]))),
      /: il contient trop de clés$/,
    ],
    [
      'much text beside its pictures',
      JSON.stringify(Array.from({ length: 300 }, () => 'a'.repeat(30_000))),
      /: il contient trop de texte$/,
    ],
    [
      'a text longer than any picture',
      JSON.stringify(['a'.repeat(16 * 1_048_576)]),
      /: il contient trop de texte$/,
    ],
    [
      'more long texts than it may have pictures',
      JSON.stringify(Array.from({ length: 101 }, () => 'a'.repeat(40_000))),
      /: il contient trop de texte$/,
    ],
  ] as const)
    test(name, () => refused(Buffer.from(bytes as string, 'latin1'), { status: 400, reason }))

  test('with a syntax error after the maximum number of lines, using little memory', async () => {
    const reader = JSON.stringify(new URL('read-quiz-file.ts', import.meta.url))
    const script = `
      import { readQuizFile } from ${reader}
      const bytes = Buffer.alloc(7 * 1_048_576, '\\n')
      bytes.write('{}')
      bytes.write('x', bytes.length - 1)
      try { await readQuizFile(bytes) } catch ({ message }) {
        console.log(JSON.stringify({ message, kib: process.resourceUsage().maxRSS }))
      }
    `
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { message, kib } = JSON.parse(stdout)
    assert.match(message, /ce n’est pas du JSON \(ligne 7340030\)$/)
    assert.ok(kib < 300 * 1_024, `${kib} KiB`)
  })

  for (const [name, text] of [
    ['another program’s', '{"format":"survey","questions":[]}'],
    ['a list', '[]'],
    ['a number', '12'],
    ['null', 'null'],
  ] as const)
    test(`${name} JSON`, () =>
      refused(text, { reason: new RegExp(`^Champ « format » : ${NOT_OURS}$`) }))

  test('with too many bytes', () =>
    refused(Buffer.alloc(33 * 1_048_576, 0x20), { status: 413, reason: /32 Mo au plus/ }))
})

test('with a newer schema', () =>
  refusedFile(
    { schema_version: 2 },
    /^Champ « schema_version » : Ce fichier vient d’une version plus récente de Quizaine \(schéma 2/,
  ))

describe('a file is refused', () => {
  test('with a duplicate key', async () => {
    const text = JSON.stringify(good).replace('"quiz":{', '"quiz":{"name":"Autre",')
    await refused(text, { reason: /^Champ « quiz\.name » : Cette clé est en double/ })
  })
  test('with a key that changes prototypes', async () => {
    const text = JSON.stringify(good).replace('"results":[{', '"results":[{"__proto__":{"a":1},')
    await refused(text, { reason: /^Champ « results\.0\.__proto__ » : / })
  })
  test('with an unknown key at any level', async () => {
    await refusedFile({ creator_id: creator.user_id }, /creator_id/)
    await refusedFile({ quiz: { ...good.quiz, status: 'Publié' } }, /^Champ « quiz » : .*status/)
    await refusedFile({ quiz: { ...good.quiz, slug: 'a-moi' } }, /^Champ « quiz » : .*slug/)
  })
  test('with a short message however many unknown keys it has', async () => {
    const keys = Array.from({ length: 900 }, (_, index) => [`inconnue${index}`, 0])
    await refusedFile(Object.fromEntries(keys), /^Clé inconnue : inconnue0$/)
    const key = JSON.stringify('k'.repeat(90))
    await refused(`{${key}:1,${key}:2}`, { reason: /^Champ « k{90} » : Cette clé est en double/ })
  })
})

describe('a file above a limit is refused', () => {
  const many = <T>(count: number, one: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => one(index))
  const asked = (index: number, more: object = {}) => ({
    ...{ id: `q${index}`, type: 'text', text: 'Et ?', page_number: 1, global_position: index },
    ...more,
  })
  test('for 10,000 pages', async () => {
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
  test('for questions, answers, results and pictures', async () => {
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
  test('for texts, numbers and addresses', async () => {
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

describe('a file is refused for pictures', () => {
  const shown = (more: Partial<QuizFile>) => ({
    quiz: { ...good.quiz, logo_image_id: 'p1' },
    ...more,
  })
  const sent = (bytes: Buffer | string, type = 'image/png') =>
    shown({
      pictures: [{ id: 'p1', type, data: Buffer.from(bytes as string).toString('base64') }],
    } as Partial<QuizFile>)

  test('that are not pictures', async () => {
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
  test('of a wrong or unknown type', async () => {
    const jpeg = await flat(60, 40).jpeg().toBuffer()
    await refusedFile(
      sent(jpeg),
      /^Champ « pictures\.0\.type » : Cette image n’est pas du type annoncé, mais image\/jpeg$/,
    )
    await refusedFile(
      sent(jpeg, 'image/svg+xml'),
      /^Champ « pictures\.0\.type » : Valeurs possibles/,
    )
  })
  test('that are not base64', () =>
    refusedFile(
      shown({ pictures: [{ ...picture, data: `${picture.data.slice(0, -4)}\n==` }] }),
      /^Champ « pictures\.0\.data » : Cette image n’est pas écrite en base64$/,
    ))
  test('that are missing', () =>
    refusedFile(
      shown({ pictures: [{ ...picture, id: 'p2' }] }),
      /^Champ « quiz\.logo_image_id » : Cette image n’est pas dans le fichier$/,
    ))
  test('that are named by the id of a stored picture', async () => {
    for (const owner of [creator, await app.signUp()]) {
      const { id } = await upload(app, owner)
      await refusedFile(
        { quiz: { ...good.quiz, logo_image_id: id } },
        /^Champ « quiz\.logo_image_id » : Cette image n’est pas dans le fichier$/,
      )
    }
  })
  test('above the quota of the account', async () => {
    const heavy = await noise(1_600, 1_200).jpeg({ quality: 60 }).toBuffer()
    const pictures = ['p1', 'p2', 'p3'].map((id) => ({
      ...{ id, type: 'image/jpeg' as const, data: heavy.toString('base64') },
    }))
    const results = good.results.map((result, index) => ({ ...result, image_id: `p${index + 2}` }))
    await refusedFile(
      shown({ pictures, results }),
      /^Vos images prendraient plus de place que les 1 Mo prévus/,
    )
  })
})
