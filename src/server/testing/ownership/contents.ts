import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { listSwitches, loadFieldNeeds } from '#server/integrations/switches.store.ts'
import {
  findQuestionType,
  listContent,
  listPublishedDrafts,
  listQuestions,
  listResults,
} from '#server/quizzes/draft.store.ts'
import {
  deleteAssociations,
  deleteRows,
  listExistingIds,
  refuseExistingIds,
  upsertAssociations,
  upsertRows,
} from '#server/quizzes/draft-rows.store.ts'
import {
  clearProvisionedFields,
  loadQuiz,
  loadQuizOfQuestion,
  updateQuiz,
} from '#server/quizzes/quizzes.store.ts'
import { deleteQuiz } from '#server/quizzes/trash.store.ts'
import {
  findCachedVersions,
  findVersion,
  insertVersion,
  listVersions,
} from '#server/quizzes/versions.store.ts'
import { readRetention, writeRetention } from '#server/statistics/participants/retention.store.ts'
import { findResponse, listResponses } from '#server/statistics/selection/responses.store.ts'
import { versionContentOf } from '#server/version-tasks/freeze-draft.ts'
import type { Owner } from './owner.ts'
import type { Proof } from './scene.ts'

const ABSENT = { status: 404 }
const TAKEN = { name: 'RefusedEdit', message: /désigne déjà autre chose/ }
const PLACE = { position: 0, global_position: 0, page_number: 1 }

const resultOf = ({ result_id: id, quiz_id }: Owner) => ({
  id,
  quiz_id,
  name: 'B',
  description: null,
  priority_order: 0,
  updated_at: '',
  min_score: null,
  max_score: null,
  ...ENDING_DEFAULTS,
})
const questionOf = ({ question_id: id, quiz_id }: Owner) => ({
  id,
  quiz_id,
  text: 'B',
  type: 'multiple_choice' as const,
  ...PLACE,
  ...QUESTION_DEFAULTS,
})
const answerOf = ({ answer_id: id, question_id }: Owner) => ({
  id,
  question_id,
  text: 'B',
  score: 2,
  position: 0,
  ...ANSWER_DEFAULTS,
})
const textBlockOf = ({ text_block_id: id, quiz_id }: Owner) => ({
  id,
  quiz_id,
  content: 'B',
  global_position: 1,
  page_number: 1,
})
const linkOf = ({ answer_id, result_id }: Owner) => ({
  answer_id,
  result_id,
  weight: 2,
  is_checked: true,
})

/** Read functions return data of one quiz only. They return nothing for an unknown quiz. */
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
  const ids = [quiz_id, other.quiz_id]
  for (const { quiz } of await listPublishedDrafts(db, { ids, creator_id }))
    assert.equal(quiz.id, quiz_id)
  const [question] = await listQuestions(db, quiz_id)
  assert.deepEqual(
    [question?.id, question?.answers.map(({ id }) => id)],
    [me.question_id, [me.answer_id]],
  )
  const [result, ...others] = await listResults(db, quiz_id)
  assert.deepEqual([result?.id, others], [me.result_id, []])
  assert.equal(await findQuestionType(db, quiz_id, me.question_id), question?.type)
  assert.equal(await findQuestionType(db, quiz_id, other.question_id), undefined)
  assert.equal(await findQuestionType(db, quiz_id, nowhere), undefined)
  assert.equal(await findVersion(db, nowhere, 1), undefined)
  assert.equal((await findCachedVersions(db, nowhere, [1])).size, 0)
  assert.equal((await findCachedVersions(db, quiz_id, [1])).size, 1)
  const page = { before: 9, limit: 9, max_bytes: 9 }
  assert.deepEqual(await listVersions(db, nowhere, page), [])
  assert.equal((await listVersions(db, quiz_id, page)).length, 1)
  const mine = [me.result_id, me.question_id, me.answer_id, me.text_block_id]
  assert.deepEqual(await listExistingIds(db, quiz_id, mine), [])
  const theirs = [other.result_id, other.question_id, other.answer_id, other.text_block_id]
  const taken = await listExistingIds(db, quiz_id, [...theirs, other.quiz_id])
  assert.deepEqual(taken.sort(), [...theirs, other.quiz_id].sort())
  assert.equal(await findResponse(db, quiz_id, other.participant_uuid), undefined)
  const listed = await listResponses(db, quiz_id, {
    condition: undefined,
    after: undefined,
    limit: 10,
  })
  assert.deepEqual(
    listed.map(({ participant_uuid }) => participant_uuid),
    [me.participant_uuid],
  )
  assert.equal((await readRetention(db, nowhere)).months, null)
  assert.deepEqual(await listSwitches(db, nowhere), [])
  assert.equal(await loadFieldNeeds(db, { quiz_id: nowhere, provider: 'brevo' }), undefined)
}

/** Write functions change one quiz only and refuse ids of other quizzes. */
export const writesOneQuiz: Proof = async ({ db, me, other, expectUntouched }) => {
  const { quiz_id } = me
  const theirs = [other.result_id, other.question_id, other.answer_id, other.text_block_id]
  const refused: [string, () => Promise<unknown>][] = [
    ['results', () => upsertRows(db, { kind: 'results', quiz_id }, [resultOf(other)])],
    ['questions', () => upsertRows(db, { kind: 'questions', quiz_id }, [questionOf(other)])],
    ['answers', () => upsertRows(db, { kind: 'answers', quiz_id }, [answerOf(other)])],
    ['text_blocks', () => upsertRows(db, { kind: 'text_blocks', quiz_id }, [textBlockOf(other)])],
    ['new ids', () => refuseExistingIds(db, [randomUUID(), other.answer_id])],
  ]
  for (const [what, write] of refused) {
    await assert.rejects(write, TAKEN, what)
    await expectUntouched(`${what} with ids of the other creator`)
  }
  const [{ associations: [link] = [] } = {}] = (await listQuestions(db, other.quiz_id)).flatMap(
    ({ answers }) => answers,
  )
  assert.ok(link)
  const writes: [string, () => Promise<unknown>][] = [
    ['deleteRows with ids of the other creator', () => deleteRows(db, quiz_id, theirs)],
    [
      'deleteAssociations with ids of the other creator',
      () => deleteAssociations(db, quiz_id, [link]),
    ],
    ['updateQuiz', () => updateQuiz(db, quiz_id, { name: 'B' })],
    ['results', () => upsertRows(db, { kind: 'results', quiz_id }, [resultOf(me)])],
    ['questions', () => upsertRows(db, { kind: 'questions', quiz_id }, [questionOf(me)])],
    ['answers', () => upsertRows(db, { kind: 'answers', quiz_id }, [answerOf(me)])],
    ['text_blocks', () => upsertRows(db, { kind: 'text_blocks', quiz_id }, [textBlockOf(me)])],
    ['upsertAssociations', () => upsertAssociations(db, quiz_id, [linkOf(me)])],
    ['clearProvisionedFields', () => clearProvisionedFields(db, quiz_id, ['brevo'])],
    ['writeRetention', () => writeRetention(db, quiz_id, null)],
  ]
  for (const [what, write] of writes) {
    await write()
    await expectUntouched(what)
  }
}

/** The number of a new version depends on the versions of its own quiz only. */
export const numbersVersionsOfOneQuiz: Proof = async ({ db, me, other }) => {
  const { quiz_id } = me
  await db
    .updateTable('quiz_versions')
    .set({ version: 7 })
    .where('quiz_id', '=', other.quiz_id)
    .execute()
  const { quiz } = await loadQuiz(db, { quiz_id, creator_id: me.user_id })
  const snapshot = { quiz, questions: [], text_blocks: [], results: [], quiz_mode: null }
  assert.equal(
    await insertVersion(db, { quiz_id, creator_id: me.user_id }, versionContentOf(snapshot)),
    2,
  )
}
