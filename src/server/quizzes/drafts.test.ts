import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { toAssociation } from '#domain/editing/apply-changes.ts'
import { type Changes, changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { applyEdit, randomEdits } from '#domain/testing/draft-edits.ts'
import { IMAGE_IDS } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  publishedScoreQuiz,
  readyProfilsQuiz,
  readyScoreQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client, user_id } = await app.signUp()
await app.db
  .insertInto('images')
  .values(
    IMAGE_IDS.map((id) => ({
      id,
      creator_id: user_id,
      width: 1600,
      height: 1200,
      color: '#c85c3a',
      bytes: 0,
    })),
  )
  .execute()

/** Returns the draft in the form of an editor. */
const load = async (id: string): Promise<Draft & { revision: number }> => {
  const draft = await client.drafts.get({ id })
  const questions = draft.questions.map((question) => ({
    ...question,
    answers: question.answers.map((answer) => ({
      ...answer,
      associations: answer.associations.map(toAssociation),
    })),
  }))
  return { ...draft, questions }
}
const save = async (id: string, changes: Partial<Changes>) => {
  const { revision } = await client.drafts.get({ id })
  return client.drafts.save({ id, body: { based_on: revision, ...changes } })
}

describe('a saved draft', () => {
  test('a draft is loaded unchanged after any sequence of edits', async () => {
    const { id } = await readyProfilsQuiz(client)
    await fc.assert(
      fc.asyncProperty(fc.array(randomEdits, { minLength: 1, maxLength: 5 }), async (list) => {
        const before = await load(id)
        const edited = list.reduce<Draft>(
          (draft, gesture) => applyEdit(draft, gesture, randomUUID),
          before,
        )
        const changes = changesBetween(before, edited)
        const { revision } = await client.drafts.save({
          id,
          body: { based_on: before.revision, ...changes },
        })
        const stored = await load(id)
        assert.deepEqual(changesBetween(stored, edited), changesBetween(edited, edited))
        assert.ok(hasNoChanges(changesBetween(edited, stored)))
        assert.equal(stored.revision, revision)
        assert.equal(revision, before.revision + (hasNoChanges(changes) ? 0 : 1))
      }),
      { numRuns: countCases(120) },
    )
  })

  test('rows that a save does not name are loaded unchanged', async () => {
    const { id, answer_ids } = await readyProfilsQuiz(client)
    const rows = async () => {
      const { rows: found } = await sql<{ id: string; written: string }>`
        select id, xmin::text as written from answers where quiz_id = ${id}
        union all select id, xmin::text from questions where quiz_id = ${id}
        union all select id, xmin::text from results where quiz_id = ${id}
        union all select id, xmin::text from associations where quiz_id = ${id}
      `.execute(app.db)
      return new Map(found.map((row) => [row.id, row.written]))
    }
    const before = await rows()
    const draft = await load(id)
    const [question] = draft.questions
    const [answer_id = ''] = answer_ids
    assert.ok(question)
    await save(id, { answers: [{ id: answer_id, question_id: question.id, text: 'Débordant' }] })
    const written = [...(await rows())].filter(([row, xmin]) => before.get(row) !== xmin)
    assert.deepEqual(
      written.map(([row]) => row),
      [answer_id],
    )
    assert.equal((await load(id)).questions[0]?.answers[0]?.text, 'Débordant')
  })

  test('a draft is loaded without scores, associations and tiers after its mode is cleared', async () => {
    const { id } = await readyScoreQuiz(client)
    assert.equal((await save(id, { quiz_mode: null })).quiz_mode, null)
    const { questions, results, quiz_mode } = await load(id)
    assert.equal(quiz_mode, null)
    assert.deepEqual(
      questions.flatMap(({ answers }) => answers.map(({ score }) => score)),
      [null, null],
    )
    assert.deepEqual(
      results.map(({ min_score, max_score }) => [min_score, max_score]),
      [
        [null, null],
        [null, null],
      ],
    )
  })

  test('a draft is loaded with the mode that its first score set', async () => {
    const { id, question_id, answer_ids } = await readyScoreQuiz(client)
    await client.quizzes.resetMode({ id })
    const [answer_id = ''] = answer_ids
    const { quiz_mode } = await save(id, { answers: [{ id: answer_id, question_id, score: 2 }] })
    assert.equal(quiz_mode, 'score')
  })
})

describe('revisions (docs/decisions/012)', () => {
  test('a save based on an older revision is refused after any other write', async () => {
    const { id } = await readyScoreQuiz(client)
    const { revision: based_on } = await client.drafts.get({ id })
    await client.drafts.save({ id, body: { based_on, quiz: { name: 'Premier' } } })
    for (const late of [
      () => client.drafts.save({ id, body: { based_on, quiz: { name: 'Second' } } }),
      () => client.quizzes.update({ id, body: { based_on, name: 'Second' } }),
      () => client.results.saveAll({ id, body: { based_on, results: [] } }),
      () => client.questions.saveDraft({ id, body: { based_on, questions: [] } }),
    ])
      await refuses(late(), 409, 'stale')
    const draft = await client.drafts.get({ id })
    assert.deepEqual(
      [draft.quiz.name, draft.results.length, draft.questions.length],
      ['Premier', 2, 2],
    )
  })

  test('each write increments the revision, while reads and empty saves do not', async () => {
    const { id, question_id, result_ids } = await publishedScoreQuiz(client)
    const [resultId = ''] = result_ids
    const revision = async () => (await client.quizzes.hasChanges({ id })).revision
    const writes = [
      () => client.quizzes.update({ id, body: { name: 'Autre' } }),
      () => client.results.update({ resultId, body: { name: 'Autre' } }),
      () => client.results.create({ id, body: { name: 'Neuf' } }),
      () => client.questions.update({ id: question_id, body: { text: 'Quand ?' } }),
      () => client.quizzes.resetMode({ id }),
      () => client.quizzes.update({ id, body: { status: 'Brouillon' } }),
      () => save(id, { quiz: { bg_color: '#000000' } }),
    ]
    for (const write of writes) {
      const before = await revision()
      await write()
      assert.ok((await revision()) > before, String(write))
    }
    const before = await revision()
    await save(id, {})
    await client.quizzes.get({ id })
    assert.equal(await revision(), before)
  })

  test('exactly one of several concurrent saves based on one revision succeeds', async () => {
    const { id } = await readyScoreQuiz(client)
    const { revision: based_on } = await client.drafts.get({ id })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        client.drafts.save({ id, body: { based_on, quiz: { name: `Nom ${index}` } } }),
      ),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await client.drafts.get({ id })).revision, based_on + 1)
  })
})

describe('refused saves of a draft', () => {
  const cases: {
    name: string
    changes: (
      quiz: Awaited<ReturnType<typeof readyScoreQuiz>>,
      other: Awaited<ReturnType<typeof readyScoreQuiz>>,
    ) => Partial<Changes>
    message: RegExp
  }[] = [
    {
      name: 'an answer for the question of another quiz',
      changes: (_, other) => ({ answers: [{ id: randomUUID(), question_id: other.question_id }] }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'the answer of another quiz',
      changes: (quiz, { answer_ids: [id = ''] }) => ({
        answers: [{ id, question_id: quiz.question_id, text: 'Pris' }],
      }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'a link to the result of another quiz',
      changes: ({ answer_ids: [answer_id = ''] }, { result_ids: [result_id = ''] }) => ({
        associations: [{ answer_id, result_id, weight: 1, is_checked: true }],
      }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'the question of another quiz',
      changes: (_, { question_id: id }) => ({ questions: [{ id, type: 'text', text: 'Prise' }] }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'the result of another quiz',
      changes: (_, { result_ids: [id = ''] }) => ({ results: [{ id, name: 'Pris' }] }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'a new question without a type',
      changes: () => ({ questions: [{ id: randomUUID(), text: 'Où ?' }] }),
      message: /type de la question est obligatoire/,
    },
    {
      name: 'another type for an existing question',
      changes: ({ question_id: id }) => ({ questions: [{ id, type: 'email' }] }),
      message: /désigne déjà autre chose/,
    },
    {
      name: 'an answer to an open question',
      changes: ({ open_id: question_id }) => ({ answers: [{ id: randomUUID(), question_id }] }),
      message: /Seule une question à choix a des réponses/,
    },
    {
      name: 'a text block without text',
      changes: () => ({ text_blocks: [{ id: randomUUID(), page_number: 1 }] }),
      message: /texte est obligatoire/,
    },
    {
      name: 'one result too many',
      changes: () => ({
        results: Array.from({ length: LIMITS.results }, () => ({ id: randomUUID(), name: 'x' })),
      }),
      message: /100 résultats au plus/,
    },
    {
      name: 'one answer too many',
      changes: ({ question_id }) => ({
        answers: Array.from({ length: LIMITS.answers_per_question }, () => ({
          id: randomUUID(),
          question_id,
        })),
      }),
      message: /100 réponses au plus/,
    },
    {
      name: 'one question too many',
      changes: () => ({
        questions: Array.from({ length: LIMITS.questions }, () => ({
          id: randomUUID(),
          type: 'text' as const,
        })),
      }),
      message: /500 questions au plus/,
    },
  ]
  for (const { name, changes, message } of cases)
    test(`a save is refused and writes nothing: ${name}`, async () => {
      const [quiz, other] = [await readyScoreQuiz(client), await readyScoreQuiz(client)]
      const before = await client.drafts.get({ id: quiz.id })
      const refusal = await refusalOf(
        save(quiz.id, { quiz: { name: 'Jamais' }, ...changes(quiz, other) }),
      )
      assert.equal(refusal.status, 422)
      assert.match(refusal.message, message)
      assert.deepEqual(await client.drafts.get({ id: quiz.id }), before)
    })

  test('a save removes only items of its own quiz and ignores unknown ids', async () => {
    const [quiz, other] = [await readyScoreQuiz(client), await readyScoreQuiz(client)]
    await save(quiz.id, { removed: [other.question_id, other.result_ids[0] ?? '', randomUUID()] })
    assert.equal((await client.drafts.get({ id: other.id })).questions.length, 2)
    assert.equal((await client.drafts.get({ id: other.id })).results.length, 2)
  })

  test('another creator cannot read or save a draft', async () => {
    const { id } = await readyScoreQuiz(client)
    const stranger = await app.signUp()
    await refuses(stranger.client.drafts.get({ id }), 404, 'not_found')
    await refuses(stranger.client.drafts.save({ id, body: { based_on: 2 } }), 404, 'not_found')
  })
})
