import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { shuffled } from '#domain/run/shuffle.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'

/** Questions on pages rendered by the server, and the replies in their forms. */

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

type Asked = NonNullable<Parameters<Client['questions']['saveDraft']>[0]['body']['questions']>
const publishedSondage = async (questions: Asked): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Votre avis', type: 'sondage' } })
  const { id } = quiz
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}
const answersOf = (...texts: string[]) => texts.map((text) => ({ id: randomUUID(), text }))
const idOf = (): string => randomUUID()

/** Returns the markup without style and script. */
const mainOf = (body: string): string => /<main.*<\/main>/s.exec(body)?.[0] ?? ''
const open = async (id: string): Promise<string> =>
  mainOf((await app.raw({ url: `/q/${id}` })).body)
const post = async (url: string, fields: [string, string][]): Promise<string> => {
  const { statusCode, body } = await app.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  assert.equal(statusCode, 200)
  return mainOf(body)
}
/** Returns the tags of all fields with this name. */
const fieldsOf = (body: string, name: string): string[] =>
  body.match(new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>`, 'g')) ?? []
/** Returns the texts of the choices on a page in order. */
const choicesOf = (body: string): string[] =>
  Array.from(body.matchAll(/<span dir="auto">([^<]*)<\/span>/g), ([, text = '']) => text)

test('an optional question is marked as optional, and a help text describes its field', async () => {
  const [choice, text] = [idOf(), idOf()]
  const id = await publishedSondage([
    { id: choice, text: 'Un choix ?', type: 'multiple_choice', answers: answersOf('a', 'b') },
    { id: text, text: 'Un mot ?', type: 'text', is_required: false, help: 'En **trois** lettres' },
  ])
  const body = await open(id)
  for (const field of fieldsOf(body, choice)) assert.match(field, / required=""/)
  const [field = ''] = fieldsOf(body, text)
  assert.doesNotMatch(field, / required/)
  assert.match(field, new RegExp(` aria-describedby="q-${text}-help"`))
  assert.match(body, /<span class="q-optional"> \(facultatif\)<\/span>/)
  assert.match(body, new RegExp(`id="q-${text}-help"[^>]*><p>En <strong>trois</strong> lettres`))
  assert.equal(body.match(/facultatif/g)?.length, 1)
})

test('multiple answers are checkboxes, « Autre… » has a text field, a scale has numbers and a date has a date field', async () => {
  const [several, other, scale, date] = [idOf(), idOf(), idOf(), idOf()]
  const id = await publishedSondage([
    {
      id: several,
      text: 'Lesquels ?',
      type: 'multiple_choice',
      max_choices: 2,
      answers: answersOf('a', 'b', 'c'),
    },
    {
      id: other,
      text: 'Lequel ?',
      type: 'multiple_choice',
      has_other: true,
      answers: answersOf('d', 'e'),
    },
    {
      id: scale,
      text: 'Combien ?',
      type: 'scale',
      scale_min: 1,
      scale_max: 5,
      scale_min_label: 'Peu',
      scale_max_label: 'Beaucoup',
    },
    { id: date, text: 'Quand ?', type: 'date' },
  ])
  const body = await open(id)
  const boxes = fieldsOf(body, several)
  assert.equal(boxes.filter((field) => field.includes('type="checkbox"')).length, 3)
  assert.equal(boxes.filter((field) => field.includes('type="hidden"')).length, 1)
  assert.ok(!boxes.some((field) => field.includes('required')))
  assert.match(body, /Jusqu’à 2 réponses/)
  assert.match(fieldsOf(body, other).at(-1) ?? '', /type="radio"[^>]*value="other:"|value="other:"/)
  assert.match(fieldsOf(body, `${other}.other`)[0] ?? '', / maxlength="500"/i)
  assert.deepEqual(
    fieldsOf(body, scale).map((field) => / value="(\d+)"/.exec(field)?.[1]),
    ['1', '2', '3', '4', '5'],
  )
  assert.match(body, new RegExp(`<fieldset[^>]* aria-describedby="q-${scale}-hint"`))
  assert.match(body, new RegExp(`id="q-${scale}-hint"[^>]*>.*?1.*?Peu.*?5.*?Beaucoup`, 's'))
  assert.match(fieldsOf(body, date)[0] ?? '', / type="date"/)
})

test('a run without scripts keeps multiple answers, and shuffles them by participant id', async () => {
  const [first, second] = [idOf(), idOf()]
  const answers = [answersOf('a', 'b', 'c'), answersOf('d', 'e', 'f', 'g', 'h')] as const
  const id = await publishedSondage([
    {
      id: first,
      text: 'Lesquels ?',
      type: 'multiple_choice',
      max_choices: null,
      has_other: true,
      shuffles_answers: true,
      answers: answers[0],
    },
    {
      id: second,
      text: 'Lequel ?',
      type: 'multiple_choice',
      page_number: 2,
      shuffles_answers: true,
      answers: answers[1],
    },
  ])
  // The first page is the same for all visitors; a script shuffles its answers before they are visible.
  const opened = await open(id)
  assert.deepEqual(choicesOf(opened), ['a', 'b', 'c'])
  assert.match(opened, /class="q-undrawn"/)

  const participant_uuid = randomUUID()
  const [a, , c] = answers[0]
  const fields: [string, string][] = [
    ['participant_uuid', participant_uuid],
    [first, ''],
    [first, a?.id ?? ''],
    [first, c?.id ?? ''],
    [first, 'other:'],
    [`${first}.other`, 'Un kayak'],
  ]
  const turned = await post(`/q/${id}?version=1&page=1`, fields)
  assert.deepEqual(
    fieldsOf(turned, first).map((field) => / value="([^"]*)"/.exec(field)?.[1]),
    [a?.id, c?.id, 'other:Un kayak'],
  )
  const drawn = shuffled(answers[1], participant_uuid, second).map(({ text }) => text)
  assert.deepEqual(choicesOf(turned), drawn)
  assert.doesNotMatch(turned, /q-undrawn/)

  // The first page keeps its order and its selection when the visitor goes back.
  const back = await post(`/q/${id}?version=1&page=0`, fields)
  assert.deepEqual(choicesOf(back), ['a', 'b', 'c'])
  assert.deepEqual(
    fieldsOf(back, first)
      .filter((field) => field.includes('checked'))
      .map((field) => / value="([^"]*)"/.exec(field)?.[1]),
    [a?.id, c?.id, 'other:'],
  )
  assert.match(fieldsOf(back, `${first}.other`)[0] ?? '', / value="Un kayak"/)
})
