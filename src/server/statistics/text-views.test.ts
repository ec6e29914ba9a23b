import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Saves conditional texts; each is shown if its answer is chosen. */
const saveTexts = async (
  id: string,
  texts: (Pick<TextVariant, 'id' | 'text'> & Partial<TextVariant>)[],
): Promise<void> => {
  const { revision } = await client.drafts.get({ id })
  const text_variants = texts.map((text, position) => ({
    place: 'every_result' as const,
    result_id: null,
    joined_by: 'and' as const,
    conditions: [],
    button_text: null,
    button_url: null,
    position,
    ...text,
  }))
  await client.drafts.save({ id, body: { based_on: revision, text_variants } })
  await client.quizzes.publish({ id })
}

test('the participants who saw each text equal a recount in SQL, over two versions', async () => {
  const { id, question_id, open_id, answer_ids, result_ids } = await readyScoreQuiz(client)
  const [low = '', high = ''] = answer_ids
  const chosen = (answer_id: string): Condition => ({
    kind: 'answer_chosen',
    question_id,
    answer_id,
  })
  const first = { id: randomUUID(), text: 'Rempli', conditions: [chosen(low)] }
  await saveTexts(id, [first])
  const take = async (count: number): Promise<void> => {
    for (let rank = 0; rank < count; rank++) {
      const answers = {
        [question_id]: rank % 3 === 0 ? low : high,
        [open_id]: `p${rank}-${randomUUID()}@exemple.fr`,
      }
      await app.client.publicQuiz.submit({ id, body: { answers } })
    }
  }
  await take(7)
  const onHigh = {
    id: randomUUID(),
    text: '',
    button_text: 'Voir',
    button_url: 'https://exemple.fr',
    place: 'result' as const,
    result_id: result_ids[1] ?? '',
    conditions: [{ kind: 'total_between' as const, from: 1, to: null }],
  }
  const mail = {
    id: randomUUID(),
    text: 'Merci',
    place: 'mail' as const,
    conditions: [chosen(high)],
  }
  await saveTexts(id, [first, onHigh, mail])
  await take(5)

  const { rows } = await sql<{ version: number; is_low: boolean; nb: number }>`
    select version, choices[1] = 0 as is_low, count(*)::int as nb
    from responses where quiz_id = ${id} group by 1, 2
  `.execute(app.db)
  const count = (isCounted: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(isCounted).reduce((sum, { nb }) => sum + nb, 0)
  const newest = Math.max(...rows.map(({ version }) => version))
  const isNew = ({ version }: { version: number }): boolean => version === newest
  const { texts, is_newest } = await client.textViews.get({ id, counts: '1' })
  assert.equal(is_newest, false)
  assert.deepEqual(texts, [
    {
      id: first.id,
      place: 'every_result',
      result_name: null,
      text: 'Rempli',
      nb_participants: count(() => true),
      nb_shown: count(({ is_low }) => is_low),
    },
    {
      id: onHigh.id,
      place: 'result',
      result_name: 'Grand saut',
      text: 'Voir',
      nb_participants: count(isNew),
      nb_shown: count((row) => isNew(row) && !row.is_low),
    },
    {
      id: mail.id,
      place: 'mail',
      result_name: null,
      text: 'Merci',
      nb_participants: count(isNew),
      nb_shown: count((row) => isNew(row) && !row.is_low),
    },
  ])
  assert.deepEqual([texts[0]?.nb_participants, texts[0]?.nb_shown], [12, 5])

  const listed = await client.textViews.get({ id })
  assert.deepEqual(
    listed.texts.map(({ text, nb_shown }) => [text, nb_shown]),
    [
      ['Rempli', null],
      ['Voir', null],
      ['Merci', null],
    ],
  )
})

test('only the creator counts who saw the texts of a published quiz', async () => {
  const { id } = await readyScoreQuiz(client)
  const { client: stranger } = await app.signUp()
  assert.equal((await refusalOf(client.textViews.get({ id, counts: '1' }))).status, 404)
  await client.quizzes.publish({ id })
  assert.deepEqual((await client.textViews.get({ id, counts: '1' })).texts, [])
  assert.equal((await refusalOf(stranger.textViews.get({ id, counts: '1' }))).status, 404)
})
