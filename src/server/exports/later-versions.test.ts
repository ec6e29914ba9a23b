import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exportTable } from '#domain/statistics/export-table.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import { listAnsweredVersions } from '#server/statistics/counters/counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { STANDARD, writeCsv } from './csv.ts'
import { exportPages } from './json-export.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const inTurn: TaskRunner = (task) => task()

test('an export omits a version whose first participant came after its columns were determined', async () => {
  const quiz = await publishedScoreQuiz(client)
  const submit = (text: string, more: Record<string, string> = {}) =>
    app.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: text, ...more },
      },
    })
  await submit('ada@exemple.fr')
  const { question } = await client.questions.create({
    id: quiz.id,
    body: { type: 'number', text: 'Combien ?', global_position: 9, page_number: 2 },
  })
  await client.quizzes.publish({ id: quiz.id })
  await submit('bob@exemple.fr', { [question.id]: '1,5' })
  await submit('eva@exemple.fr', { [question.id]: '2,5' })

  const answered = await listAnsweredVersions(app.db, quiz.id)
  const newest = Math.max(...answered.map(({ version }) => version))
  assert.equal(answered.length, 2)
  for (const [versions, emails] of [
    [answered, ['ada@exemple.fr', 'bob@exemple.fr', 'eva@exemple.fr']],
    [answered.filter(({ version }) => version < newest), ['ada@exemple.fr']],
  ] as const) {
    const view = { quiz_id: quiz.id, condition: undefined, answeredVersions: versions }
    const table = exportTable(versions)
    const pages = exportPages(app.heavyReads, view, { lineOf: table.lineOf, inTurn })
    let csv = ''
    for await (const part of writeCsv(table, pages, STANDARD)) csv += part
    assert.equal(csv.split('\r\n').length, 1 + emails.length + 1)
    assert.deepEqual([...new Set(csv.match(/[a-z]+@exemple\.fr/g))].sort(), emails)
  }
})
