import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { changesToSave } from '#domain/editing/changes.ts'
import { restoreVersion } from '#domain/publishing/restore-version.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import {
  publishedScoreQuiz,
  readyProfilsQuiz,
  readyScoreQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
after(() => app.close())
const { client, access_token } = await app.signUp()
const { client: stranger } = await app.signUp()

const NONE = { added: 0, removed: 0, changed: 0 }

/** A published quiz whose second version has other questions; one visitor took the first version. */
const twoVersions = async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id, question_id, answer_ids, open_id, result_ids } = quiz
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'a@exemple.fr' }
  await app.client.publicQuiz.submit({ id, body: { answers } })
  await client.questions.update({ id: question_id, body: { text: 'Votre semaine ?' } })
  await client.results.update({ resultId: result_ids[1] ?? '', body: { max_score: 12 } })
  await client.questions.remove({ id: open_id })
  await client.quizzes.publish({ id })
  return quiz
}

/** Returns the parts of a quiz that a creator edits. */
const contentOf = async (id: string) => {
  const { revision: _, quiz, ...draft } = await client.drafts.get({ id })
  const { updated_at: __, ...fields } = quiz
  return JSON.parse(
    JSON.stringify({ ...draft, quiz: fields }, (key, value) =>
      key === 'updated_at' ? undefined : value,
    ),
  )
}

/** Saves a version as the draft, as the editor does. Returns a function that undoes it. */
const restore = async (id: string, version: number) => {
  const { snapshot, ...lost } = await client.versions.get({ id, version: `${version}` })
  const { revision, ...before } = await client.drafts.get({ id })
  const target = restoreVersion(before, snapshot, { ...lost, createId: randomUUID })
  const body = { based_on: revision, ...changesToSave(before, target) }
  const saved = await client.drafts.save({ id, body })
  return () =>
    client.drafts.save({
      id,
      body: { based_on: saved.revision, ...changesToSave(target, before) },
    })
}

describe('the list of versions', () => {
  test('the list of versions has the date, the number of participants and the changes of each version', async () => {
    const { id } = await twoVersions()
    const { versions, next_before } = await client.versions.list({ id })
    assert.equal(next_before, null)
    assert.deepEqual(
      versions.map(({ published_at: _, ...version }) => version),
      [
        {
          version: 2,
          nb_responses: 0,
          is_current: true,
          changes: {
            questions: { added: 0, removed: 1, changed: 1 },
            answers: NONE,
            text_blocks: NONE,
            results: NONE,
            tiers: ['Grand saut'],
            contact_roles: [],
            parts: [],
            dimensions: NONE,
            dimension_tiers: [],
            text_variants: NONE,
          },
        },
        { version: 1, nb_responses: 1, is_current: false, changes: null },
      ],
    )
    const [newer, older] = versions.map(({ published_at }) => Date.parse(published_at))
    assert.ok(Number(newer) > Number(older))
  })

  test('the list of versions has pages in which each version is compared with its predecessor', async () => {
    const { id } = await publishedScoreQuiz(client)
    await sql`
      insert into quiz_versions (quiz_id, version, snapshot)
      select quiz_id, number, jsonb_set(snapshot, '{quiz,name}', to_jsonb('Nom ' || number))
      from quiz_versions, generate_series(2, 45) as number where quiz_id = ${id}
    `.execute(app.db)
    const found: number[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const page = await client.versions.list({ id, before })
      for (const { version, changes } of page.versions) {
        assert.deepEqual(changes?.parts ?? null, version === 1 ? null : ['name'])
        found.push(version)
      }
      before = page.next_before
    }
    assert.deepEqual(
      found,
      Array.from({ length: 45 }, (_, rank) => 45 - rank),
    )
  })

  testInAll('the list of versions has shorter pages for large versions, without gaps', async () => {
    const { id } = await publishedScoreQuiz(client)
    // Random letters do not compress, so each version takes more than half of a page.
    await sql`
      insert into quiz_versions (quiz_id, version, snapshot)
      select quiz_id, number, jsonb_set(snapshot, '{quiz,end_text}', to_jsonb(letters || number))
      from quiz_versions, generate_series(2, 4) as number,
        (select string_agg(gen_random_uuid()::text, '') as letters from generate_series(1, 50000)) as heavy
      where quiz_id = ${id}
    `.execute(app.db)
    const first = await client.versions.list({ id })
    assert.ok(first.versions.length < 4)
    const found: number[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const page = await client.versions.list({ id, before })
      found.push(...page.versions.map(({ version }) => version))
      before = page.next_before
    }
    assert.deepEqual(found, [4, 3, 2, 1])
  })

  test('the list of versions is available after a withdrawal', async () => {
    const { id } = await twoVersions()
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    assert.equal((await client.versions.list({ id })).versions.length, 2)
  })
})

describe('the restoration of a version', () => {
  test('a version is restored by one save, and the restoration is undone by one save', async () => {
    const { id, open_id, question_id } = await twoVersions()
    await client.quizzes.update({
      id,
      body: { name: 'Tout autre', slug: `autre-${id.slice(0, 8)}` },
    })
    const before = await contentOf(id)
    const undo = await restore(id, 1)
    const { snapshot } = await client.versions.get({ id, version: '1' })
    const restored = await client.drafts.get({ id })
    assert.deepEqual(takeSnapshot(restored), snapshot)
    assert.deepEqual(
      restored.questions.map((question) => question.id),
      [question_id, open_id],
      'what was deleted has its id again',
    )
    assert.equal(restored.quiz.slug, `autre-${id.slice(0, 8)}`)
    assert.equal(restored.quiz.status, 'Publié')
    assert.equal((await app.client.publicQuiz.snapshot({ id })).snapshot.version, 2)
    await undo()
    assert.deepEqual(await contentOf(id), before)
  })

  test('a version of another mode and type is restored with its scores, and the restoration can be undone', async () => {
    const { id, question_id, answer_ids } = await readyProfilsQuiz(client)
    await client.quizzes.publish({ id })
    await client.quizzes.resetMode({ id })
    const { revision, results } = await client.drafts.get({ id })
    await client.drafts.save({
      id,
      body: {
        based_on: revision,
        quiz: { type: 'sondage' },
        quiz_mode: 'score',
        results: results.map((result, rank) => ({
          id: result.id,
          min_score: rank * 2,
          max_score: rank * 2 + 1,
        })),
        answers: answer_ids.map((answer_id, rank) => ({
          id: answer_id,
          question_id,
          score: rank + 1,
        })),
      },
    })
    const before = await contentOf(id)
    const undo = await restore(id, 1)
    const { snapshot } = await client.versions.get({ id, version: '1' })
    assert.deepEqual(takeSnapshot(await client.drafts.get({ id })), snapshot)
    await undo()
    assert.deepEqual(takeSnapshot(await client.drafts.get({ id })), takeSnapshot(before))
  })

  test('a version lists ids that now belong to another quiz, and these get new ids', async () => {
    const { id, open_id } = await twoVersions()
    const other = await readyScoreQuiz(stranger)
    const { revision } = await stranger.drafts.get({ id: other.id })
    await stranger.drafts.save({
      id: other.id,
      body: { based_on: revision, questions: [{ id: open_id, type: 'text', text: 'Prise' }] },
    })
    const { taken_ids } = await client.versions.get({ id, version: '1' })
    assert.deepEqual(taken_ids, [open_id])
    await restore(id, 1)
    const { questions } = await client.drafts.get({ id })
    assert.equal(questions.length, 2)
    assert.ok(questions.every((question) => question.id !== open_id))
  })

  testInAll('a version lists its deleted pictures and is restored without them', async () => {
    const { id, question_id } = await readyScoreQuiz(client)
    const image = await uploadPicture(app, { access_token })
    const body = { image_id: image.id, image_alt: 'Un agenda' }
    await client.questions.update({ id: question_id, body })
    await client.quizzes.publish({ id })
    assert.deepEqual((await client.versions.get({ id, version: '1' })).missing_image_ids, [])
    await client.questions.update({ id: question_id, body: { image_id: null, image_alt: null } })
    await app.db.deleteFrom('images').where('id', '=', image.id).execute()
    const { missing_image_ids } = await client.versions.get({ id, version: '1' })
    assert.deepEqual(missing_image_ids, [image.id])
    await restore(id, 1)
    assert.equal((await client.drafts.get({ id })).questions[0]?.image_id, null)
  })
})

describe('bad input to the calls on versions', () => {
  test('a foreign quiz, an unpublished quiz and an unknown version are refused in French', async () => {
    const { id } = await publishedScoreQuiz(client)
    const fresh = await readyScoreQuiz(client)
    const refused: [() => Promise<unknown>, RegExp][] = [
      [() => stranger.versions.list({ id }), /^Quiz introuvable$/],
      [() => stranger.versions.get({ id, version: '1' }), /^Quiz introuvable$/],
      [() => client.versions.list({ id: fresh.id }), /n’a jamais été publié/],
      [() => client.versions.get({ id: fresh.id, version: '1' }), /n’a jamais été publié/],
      [() => client.versions.get({ id, version: '2' }), /^Version introuvable$/],
      [() => client.versions.get({ id, version: '999999999' }), /^Version introuvable$/],
    ]
    for (const [call, message] of refused) {
      const refusal = await refusalOf(call())
      assert.equal(refusal.status, 404)
      assert.match(refusal.message, message)
    }
  })

  test('an invalid page is refused in French, and an invalid version number is a 404', async () => {
    const { id } = await publishedScoreQuiz(client)
    const get = (path: string) =>
      app.raw({
        method: 'GET',
        url: `/api/v1/quizzes/${id}/${path}`,
        headers: { authorization: `Bearer ${access_token}` },
      })
    for (const version of ['abc', '0', '-1', '1.5', '01', '9999999999', '%F0', randomUUID()]) {
      const { statusCode, body } = await get(`versions/${version}`)
      assert.ok([400, 404].includes(statusCode), `${version}: ${statusCode}`)
      assert.match(body, /introuvable|illisible|adresse/i, version)
    }
    for (const before of ['abc', '0', '-3', '1.5', '99999999999']) {
      const { statusCode, body } = await get(`versions?before=${before}`)
      assert.equal(statusCode, 422, before)
      assert.match(body, /Champ « before » :/)
    }
  })
})
