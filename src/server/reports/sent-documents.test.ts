import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { createOpenResponse } from '#server/testing/heavy-work/open-jobs.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { createReports } from './create-reports.ts'

// Runs in test:all, because it repeats its rule for each tool and event.

const app = await createTestApp()
after(() => app.close())
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const reports = createReports({
  db: app.db,
  compiled,
  secretKey: 'x',
  public_url: 'https://q.example',
  heavyWork,
})

/** Publishes a quiz with one participant. The result sends the participant's report to a response. */
const prepareReport = async () => {
  const { client } = await app.signUp()
  const quiz = await publishReportQuiz(client)
  const { participant_uuid } = await submitToReportQuiz(app.client, quiz)
  return (network: string, response: ServerResponse) =>
    reports.write('report', { quiz_id: quiz.id, participant_uuid }, { network, response })
}

describe('documents that are sent', () => {
  test('the place of a report is held until its last byte is sent, and slow readers delay no other creator', async () => {
    const [send, sendOther] = [await prepareReport(), await prepareReport()]
    const slow = [createOpenResponse(), createOpenResponse()]
    const others = [createOpenResponse(), createOpenResponse()]
    for (const [rank, response] of slow.entries()) assert.ok(await send(`slow ${rank}`, response))
    const third = createOpenResponse()
    const late = send('third', third).then(() => 'written')
    for (const [rank, response] of others.entries())
      assert.ok(await sendOther(`other ${rank}`, response))
    assert.equal(await Promise.race([late, setTimeout(300, 'waiting')]), 'waiting')
    slow[0]?.emit('close')
    assert.equal(await late, 'written')
    for (const response of [...slow, ...others, third]) response.emit('close')
  })

  test('a network receives one report at a time', async () => {
    const send = await prepareReport()
    const [first, second] = [createOpenResponse(), createOpenResponse()]
    assert.ok(await send('::1', first))
    const late = send('::1', second).then(() => 'written')
    assert.equal(await Promise.race([late, setTimeout(300, 'waiting')]), 'waiting')
    first.emit('close')
    assert.equal(await late, 'written')
    second.emit('close')
  })
})
