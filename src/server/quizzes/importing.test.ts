import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { RefusedCall } from '#contract/client/client.ts'
import { MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { contentInTextFormat } from '#domain/testing/text-drafts.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
after(() => app.close())

const page = readFileSync(new URL('../../../docs/text-format.md', import.meta.url), 'utf8')
const example = /```text\n(.*?)```/s.exec(page)?.[1] ?? ''

const importText = async ({ client }: SignedUp, text: string): Promise<string> =>
  (await client.quizzes.importText({ body: { text } })).quiz.id

/** Returns the messages of a refused text, and checks that nothing is stored. */
const refusalOf = async (me: SignedUp, text: string): Promise<string[]> => {
  const { quizzes } = await me.client.quizzes.list()
  const refusal = await importText(me, text).catch((error: unknown) => error)
  assert.ok(refusal instanceof RefusedCall)
  assert.deepEqual([refusal.status, refusal.code], [400, 'text_refused'])
  assert.deepEqual((await me.client.quizzes.list()).quizzes, quizzes)
  return refusal.validation_errors
}

test('an imported text becomes a draft whose exported text is equal', async () => {
  const me = await app.signUp()
  const { id: logo } = await uploadPicture(app, me)
  const text = example
    .replace('Type : quiz', 'Type : quiz\nAdresse du questionnaire : mon-rythme\nAccord : annoncé')
    .replace('Police : Lora', `Police : Lora\nLogo : ${logo}`)
  const parsed = parseText(text)
  assert.ok('draft' in parsed)

  const id = await importText(me, text)
  const draft = await me.client.drafts.get({ id })
  assert.deepEqual(contentInTextFormat(draft), contentInTextFormat(parsed.draft))
  assert.deepEqual(
    [draft.quiz.slug, draft.quiz.status, draft.quiz.consent_mode, draft.quiz.logo_image_id],
    ['mon-rythme', 'Brouillon', 'requested', logo],
  )
  assert.equal((await me.client.quizzes.publish({ id })).quiz.status, 'Publié')

  const exported = await me.client.quizzes.text({ id })
  const again = parseText(exported)
  assert.ok('draft' in again)
  assert.deepEqual(contentInTextFormat(again.draft), contentInTextFormat(draft))
  // The slug belongs to the first quiz; all other content is equal.
  const copy = await importText(me, exported.replace(/^Adresse .*\n/m, ''))
  assert.equal(await me.client.quizzes.text({ id: copy }), exported.replace(/^Adresse .*\n/m, ''))
})

test('the text of a quiz is a file with its name and is available only to its creator', async () => {
  const me = await app.signUp()
  const { id } = await publishedScoreQuiz(me.client)
  await me.client.quizzes.update({ id, body: { name: 'Été / hiver ?' } })
  const answer = await app.raw({
    url: `/api/v1/quizzes/${id}/text`,
    headers: { authorization: `Bearer ${me.access_token}` },
  })
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(
    String(answer.headers['content-disposition']),
    /^attachment; filename="Quizaine - Ete hiver - \d{4}-\d\d-\d\d\.txt"/,
  )
  assert.ok(answer.body.startsWith('# Été / hiver ?\nType : quiz\nMode : score\n'), answer.body)
  const other = await app.signUp()
  await assert.rejects(other.client.quizzes.text({ id }), { status: 404 })
})

test('a text with errors is refused with the number of each wrong line', async () => {
  const me = await app.signUp()
  assert.deepEqual(
    await refusalOf(me, '# A\n## Résultats\n### R\nPalier : zéro à cinq\n## Page\n### q\n- a -> S'),
    [
      'Ligne 4 : « Palier » attend deux nombres, par exemple « 0 à 5 ».',
      'Ligne 7 : « S » n’est le nom d’aucun résultat : « R ». Une virgule d’un nom s’écrit « \\, ».',
    ],
  )
  assert.deepEqual(await refusalOf(me, `# A\n${'## Page\n'.repeat(10_000)}`), [
    'Ligne 102 : Un questionnaire a 100 pages au plus.',
  ])
  const [, binary] = await refusalOf(me, '\u0001\u0002PNG')
  assert.match(binary ?? '', /^Ligne 1 : Cette ligne a un caractère de contrôle/)
  // Request bodies may not contain these characters.
  for (const text of ['# \u0000', '# \ud800'])
    await assert.rejects(importText(me, text), { status: 422 })
  assert.equal((await me.client.quizzes.list()).quizzes.length, 0)
})

test('a text that is too long is refused with its line, and an endless body is not read', async () => {
  const me = await app.signUp()
  const [refusal] = await refusalOf(me, `# A\n${'é\n'.repeat(500_000)}`)
  assert.match(refusal ?? '', /^Ligne 150000 : Le texte est trop long : 300.000 caractères/)
  await assert.rejects(importText(me, 'a'.repeat(2 * MAX_CALL_BODY_BYTES)), { status: 413 })
  assert.equal((await me.client.quizzes.list()).quizzes.length, 0)
})

testInAll('a taken slug and foreign pictures are refused with their lines', async () => {
  const [me, other] = [await app.signUp(), await app.signUp()]
  await importText(other, '# A\nAdresse du questionnaire : deja-pris')
  const { id: theirs } = await uploadPicture(app, other)
  const { id: own } = await uploadPicture(app, me)
  const text = [
    '# A',
    'Adresse du questionnaire : deja-pris',
    '## Accueil',
    `![](${own})`,
    '## Page',
    '### q',
    '- a',
    `![Une tasse](${theirs.toUpperCase()})`,
  ]
  assert.deepEqual(await refusalOf(me, text.join('\n')), [
    'Ligne 2 : L’adresse « deja-pris » est déjà prise.',
    'Ligne 8 : Cette image n’est pas l’une des vôtres : enlevez-la, ou envoyez-la depuis l’éditeur.',
  ])
  const id = await importText(me, [...text.slice(0, 1), ...text.slice(2, 7)].join('\n'))
  const { quiz } = await me.client.drafts.get({ id })
  assert.deepEqual([quiz.welcome_image_id, quiz.welcome_image_alt], [own, ''])
})

testInAll('many foreign pictures in a long text are refused with their lines', async () => {
  const me = await app.signUp()
  const pages = Array.from({ length: 9 }, () => [
    ...['## Page', '### q'],
    ...Array.from({ length: 100 }, () => ['- a', `![](${randomUUID()})`]).flat(),
  ])
  const text = ['# A', ...Array.from({ length: 18_000 }, () => ''), ...pages.flat()]
  const refusals = await refusalOf(me, text.join('\n'))
  const [pictured, first] = [/^!/, /^Ligne (\d+) : Cette image n’est pas l’une des vôtres/]
  const expected = text.flatMap((line, index) => (pictured.test(line) ? index + 1 : []))
  assert.deepEqual(
    refusals.map((refusal) => Number(first.exec(refusal)?.[1])),
    expected,
  )
})

test('a failed import stores nothing', async () => {
  const me = await app.signUp()
  await sql`alter table associations add constraint none_more check (id is null) not valid`.execute(
    app.db,
  )
  await assert.rejects(importText(me, example))
  await sql`alter table associations drop constraint none_more`.execute(app.db)
  assert.equal((await me.client.quizzes.list()).quizzes.length, 0)
})
