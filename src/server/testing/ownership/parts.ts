import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { LIMITS } from '#domain/vocabulary.ts'
import { forgetFields, listSwitches, loadFieldNeeds } from '#server/integrations/switches.store.ts'
import {
  deleteRows,
  findRows,
  rankAnswers,
  rankItems,
  rankResults,
  refuseExcess,
  refuseForeignLinks,
} from '#server/quizzes/changes.store.ts'
import { listContent } from '#server/quizzes/draft.store.ts'
import {
  loadQuizOfQuestion,
  upsertAnswers,
  upsertQuestions,
  upsertTextBlocks,
  writeAnswers,
  writeAssociations,
  writeQuestions,
  writeTextBlocks,
} from '#server/quizzes/questions.store.ts'
import { deleteQuiz, loadQuiz, updateQuiz } from '#server/quizzes/quizzes.store.ts'
import { eraseMode } from '#server/quizzes/reset-mode.ts'
import { deleteOtherResults, deleteResult, updateResult } from '#server/quizzes/results.store.ts'
import { findResponse, listResponses } from '#server/statistics/responses.store.ts'
import { readRetention, writeRetention } from '#server/statistics/retention.store.ts'
import { findVersion, insertVersion } from '#server/taking/versions.store.ts'
import type { Owner } from './owner.ts'
import type { Proof } from './scene.ts'

const ABSENT = { status: 404 }
const TAKEN = { status: 422 }
const place = { position: 0, global_position: 0, page_number: 1 }

const questionOf = ({ question_id: id }: Owner) => ({
  ...{ id, text: 'B', type: 'multiple_choice' as const, ...place },
})
const answerOf = ({ answer_id: id, question_id }: Owner) => ({
  ...{ id, question_id, text: 'B', score: 2, position: 0 },
})
const textBlockOf = ({ text_block_id: id }: Owner) => ({
  ...{ id, content: 'B', global_position: 1, page_number: 1 },
})
const linkOf = ({ answer_id, result_id }: Owner) => ({
  ...{ id: randomUUID(), answer_id, result_id, weight: 2, is_checked: true },
})

/** What is read of a quiz is of this quiz; of one that is not there, nothing. */
export const readsOneQuiz: Proof = async ({ db, me, other }) => {
  const { quiz_id, user_id: creator_id } = me
  const nowhere = randomUUID()
  await assert.rejects(loadQuiz(db, { quiz_id: nowhere, creator_id }), ABSENT)
  await assert.rejects(deleteQuiz(db, { quiz_id: nowhere, creator_id }), ABSENT)
  await assert.rejects(loadQuizOfQuestion(db, { question_id: nowhere, creator_id }), ABSENT)
  assert.equal((await loadQuiz(db, { quiz_id, creator_id })).quiz.id, quiz_id)
  for (const rows of Object.values(await listContent(db, quiz_id)))
    assert.deepEqual(
      rows.map((row) => row.quiz_id),
      [quiz_id],
    )
  const theirs = [other.result_id, other.question_id, other.answer_id, other.text_block_id]
  for (const kind of ['results', 'questions', 'answers', 'text_blocks'] as const)
    assert.equal((await findRows(db, kind, { quiz_id, ids: theirs })).size, 0)
  assert.equal(await findVersion(db, nowhere, 1), undefined)
  assert.equal(await findResponse(db, quiz_id, other.participant_uuid), undefined)
  const listed = await listResponses(db, quiz_id, {
    ...{ condition: undefined, after: undefined, limit: 10 },
  })
  assert.deepEqual(
    listed.map(({ participant_uuid }) => participant_uuid),
    [me.participant_uuid],
  )
  assert.equal((await readRetention(db, nowhere)).months, null)
  assert.deepEqual(await listSwitches(db, nowhere), [])
  assert.equal(await loadFieldNeeds(db, { quiz_id: nowhere, provider: 'brevo' }), undefined)
}

/** What is written of a quiz is of this quiz, and ids of another one's parts are refused. */
export const writesOneQuiz: Proof = async ({ db, me, other, expectUntouched }) => {
  const { quiz_id } = me
  const theirs = [other.result_id, other.question_id, other.answer_id, other.text_block_id]
  const refused: [string, () => Promise<unknown>, object][] = [
    ['upsertQuestions', () => upsertQuestions(db, quiz_id, [questionOf(other)]), TAKEN],
    ['upsertAnswers', () => upsertAnswers(db, quiz_id, [answerOf(other)]), TAKEN],
    ['upsertTextBlocks', () => upsertTextBlocks(db, quiz_id, [textBlockOf(other)]), TAKEN],
    ['updateResult', () => updateResult(db, { ...other, quiz_id }, { name: 'B' }), ABSENT],
    ['deleteResult', () => deleteResult(db, { ...other, quiz_id }), ABSENT],
  ]
  for (const [what, write, why] of refused) {
    await assert.rejects(write, why, what)
    await expectUntouched(`${what} of another's`)
  }
  const writes: [string, () => Promise<unknown>][] = [
    ["deleteRows of another's", () => deleteRows(db, quiz_id, theirs)],
    ['updateQuiz', () => updateQuiz(db, quiz_id, { name: 'B' })],
    ['rankResults', () => rankResults(db, quiz_id)],
    ['rankItems', () => rankItems(db, quiz_id)],
    ['rankAnswers', () => rankAnswers(db, quiz_id)],
    ['writeQuestions', () => writeQuestions(db, quiz_id, [questionOf(me)])],
    ['writeAnswers', () => writeAnswers(db, quiz_id, [answerOf(me)])],
    ['writeAssociations', () => writeAssociations(db, quiz_id, [linkOf(me)])],
    ['writeTextBlocks', () => writeTextBlocks(db, quiz_id, [textBlockOf(me)])],
    ['eraseMode', () => eraseMode(db, quiz_id)],
    ['forgetFields', () => forgetFields(db, quiz_id, ['brevo'])],
    ['writeRetention', () => writeRetention(db, quiz_id, null)],
    ['deleteOtherResults', () => deleteOtherResults(db, quiz_id, [])],
  ]
  for (const [what, write] of writes) {
    await write()
    await expectUntouched(what)
  }
}

/** A link joins parts of one quiz, and versions are numbered in it. */
export const linksInOneQuiz: Proof = async ({ db, me, other }) => {
  const { quiz_id } = me
  const links = { answers: [], associations: [] }
  const answers = [answerOf({ ...me, question_id: other.question_id })]
  const associations = [linkOf({ ...me, result_id: other.result_id })]
  await refuseForeignLinks(db, quiz_id, { answers: [answerOf(me)], associations: [linkOf(me)] })
  await assert.rejects(refuseForeignLinks(db, quiz_id, { ...links, answers }), TAKEN)
  await assert.rejects(refuseForeignLinks(db, quiz_id, { ...links, associations }), TAKEN)
  await db
    .updateTable('quiz_versions')
    .set({ version: 7 })
    .where('quiz_id', '=', other.quiz_id)
    .execute()
  const { quiz } = await loadQuiz(db, { quiz_id, creator_id: me.user_id })
  const snapshot = { quiz, questions: [], text_blocks: [], results: [], quiz_mode: null }
  assert.equal(await insertVersion(db, quiz_id, snapshot), 2)
}

/** Another's quiz that is full leaves room in one's own. */
export const countsOneQuiz: Proof = async ({ db, me, other }) => {
  const { quiz_id, question_id } = other
  await sql`
    insert into results (id, quiz_id, name, priority_order)
    select gen_random_uuid(), ${quiz_id}, 'B', n from generate_series(1, ${LIMITS.results}) as n
  `.execute(db)
  await sql`
    insert into questions (id, quiz_id, text, type, position, global_position, page_number)
    select gen_random_uuid(), ${quiz_id}, 'B', 'text', n, n, 1
    from generate_series(1, ${LIMITS.questions}) as n
  `.execute(db)
  await sql`
    insert into text_blocks (id, quiz_id, content, global_position, page_number)
    select gen_random_uuid(), ${quiz_id}, 'B', n, 1
    from generate_series(1, ${LIMITS.text_blocks}) as n
  `.execute(db)
  await sql`
    insert into answers (id, quiz_id, question_id, text, position)
    select gen_random_uuid(), ${quiz_id}, ${question_id}, 'B', n
    from generate_series(1, ${LIMITS.answers_per_question}) as n
  `.execute(db)
  await refuseExcess(db, me.quiz_id)
  await sql`
    insert into answers (id, quiz_id, question_id, text, position)
    select gen_random_uuid(), ${quiz_id}, id, 'B', 0
    from questions where quiz_id = ${quiz_id} and type = 'text' limit 1
  `.execute(db)
  await refuseExcess(db, me.quiz_id)
}
