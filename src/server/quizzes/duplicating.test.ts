import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import { publishedScoreQuiz, readyProfilsQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const creator = await app.signUp()
const { client } = creator

/** Returns a draft without its ids and times. */
const contentOf = async (of: SignedUp['client'], id: string) => {
  const { quiz, quiz_mode, results, questions, text_blocks } = await of.drafts.get({ id })
  const names = new Map(results.map((result) => [result.id, result.name]))
  return {
    look: [quiz.type, quiz.bg_color, quiz.accent_color, quiz.consent_mode, quiz.consent_text],
    quiz_mode,
    results: results.map(({ name, description, priority_order, min_score, max_score }) => [
      ...[name, description, priority_order, min_score, max_score],
    ]),
    questions: questions.map(({ text, type, position, global_position, page_number, answers }) => [
      ...[text, type, position, global_position, page_number],
      answers.map((answer) => [
        ...[answer.text, answer.score, answer.position],
        answer.associations
          .map((link) => [names.get(link.result_id), link.weight, link.is_checked].join())
          .sort(),
      ]),
    ]),
    text_blocks: text_blocks.map((block) => [
      ...[block.content, block.global_position, block.page_number],
    ]),
  }
}

test('a copy of a quiz has all content, but new ids and no responses or tools', async () => {
  const { id } = await readyProfilsQuiz(client, 'Quelle boutique ?')
  const { questions } = await client.questions.unified({ id })
  const text_blocks = [{ content: 'Bonjour', global_position: 1, page_number: 1 }]
  await client.questions.saveDraft({ id, body: { questions, text_blocks } })
  await client.quizzes.update({ id, body: { bg_color: '#fff8e7', kit_custom_field: 'champ' } })
  const original = await contentOf(client, id)
  const { quiz } = await client.quizzes.duplicate({ id })
  assert.equal(quiz.name, 'Quelle boutique ? (copie)')
  assert.equal(quiz.kit_custom_field, null)
  assert.deepEqual(await contentOf(client, quiz.id), original)
  assert.deepEqual(await contentOf(client, id), original)
  const { quizzes } = await client.quizzes.list()
  assert.equal(quizzes[0]?.id, quiz.id)
})

test('the copy of a published quiz is an unpublished draft', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { quiz } = await client.quizzes.duplicate({ id })
  assert.deepEqual([quiz.status, quiz.nb_responses], ['Brouillon', 0])
  assert.deepEqual(await contentOf(client, quiz.id), await contentOf(client, id))
})

test('a copy, a file and a text of a quiz keep the page of the participant', async () => {
  const { id } = await readyProfilsQuiz(client)
  await client.quizzes.update({ id, body: { keeps_page: true, page_erases_contacts: true } })
  const { quiz: copy } = await client.quizzes.duplicate({ id })
  assert.deepEqual([copy.keeps_page, copy.page_erases_contacts], [true, true])
  const file = await downloadQuizFile(app, creator, id)
  const imported = await importQuizFile(app, creator, file.body)
  assert.equal(imported.json().quiz.keeps_page, true)
  const text =
    '# Bilan\nPage du participant : oui\n\n## Page 1\n\n### Un mot ?\nRéponse : texte court\n'
  const { quiz: pasted } = await client.quizzes.importText({ body: { text } })
  assert.equal(pasted.keeps_page, true)
})

test('a failed copy of a quiz stores nothing', async () => {
  const creator = await app.signUp()
  const { id } = await readyProfilsQuiz(creator.client)
  await sql`alter table associations add constraint none_more check (id is null) not valid`.execute(
    app.db,
  )
  await assert.rejects(creator.client.quizzes.duplicate({ id }))
  await sql`alter table associations drop constraint none_more`.execute(app.db)
  assert.equal((await creator.client.quizzes.list()).quizzes.length, 1)
})
