import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'

// Runs in test:all, because it fills a disk or a quota.

const app = await createTestApp({ VERSION_QUOTA_MB: '1' })
after(() => app.close())

/** Text blocks that do not compress: the quota holds two such versions but not three. */
const writeBlocks = ({ client }: SignedUp, id: string) =>
  client.questions.saveDraft({
    id,
    body: {
      questions: [{ text: 'Et vous ?', type: 'text' }],
      text_blocks: Array.from({ length: 80 }, () => ({
        id: randomUUID(),
        content: randomBytes(3_700).toString('base64').replaceAll(/[+/=]/g, ''),
        page_number: 1,
      })),
    },
  })
const newSondage = async ({ client }: SignedUp): Promise<string> =>
  (await client.quizzes.create({ body: { name: 'Un sondage', type: 'sondage' } })).quiz.id

const publishChanged = async (me: SignedUp, id: string) => {
  await writeBlocks(me, id)
  return me.client.quizzes.publish({ id })
}
const isRefused = (error: unknown): true => {
  assert.ok(error instanceof RefusedCall)
  assert.equal(error.status, 422)
  assert.equal(
    error.message,
    'Les versions publiées de vos questionnaires prendraient plus que les 1\u00a0Mo prévus. Supprimez un questionnaire qui ne sert plus et videz la corbeille, puis publiez à nouveau',
  )
  return true
}

test('a publication above the quota is refused, and the current version stays', async () => {
  const me = await app.signUp()
  const id = await newSondage(me)
  await publishChanged(me, id)
  await publishChanged(me, id)
  await assert.rejects(publishChanged(me, id), isRefused)
  const { versions } = await me.client.versions.list({ id })
  assert.deepEqual(
    versions.map(({ version, is_current }) => ({ version, is_current })),
    [
      { version: 2, is_current: true },
      { version: 1, is_current: false },
    ],
  )
  await assert.rejects(
    me.client.quizzes
      .update({ id, body: { status: 'Brouillon' } })
      .then(() => me.client.quizzes.update({ id, body: { status: 'Publié' } })),
    isRefused,
  )
})

test('saves create no versions, and a quiz frees its part of the quota when it leaves the trash', async () => {
  const me = await app.signUp()
  const [first, second] = [await newSondage(me), await newSondage(me)]
  await publishChanged(me, first)
  await publishChanged(me, first)
  for (let count = 0; count < 3; count++) await writeBlocks(me, second)
  await assert.rejects(me.client.quizzes.publish({ id: second }), isRefused)
  await me.client.quizzes.remove({ id: first })
  await assert.rejects(me.client.quizzes.publish({ id: second }), isRefused)
  await me.client.quizzes.remove({ id: first, permanently: '1' })
  assert.equal((await me.client.quizzes.publish({ id: second })).quiz.status, 'Publié')
})

test('each creator has a separate quota for versions', async () => {
  const other = await app.signUp()
  const id = await newSondage(other)
  assert.equal((await publishChanged(other, id)).quiz.status, 'Publié')
})
