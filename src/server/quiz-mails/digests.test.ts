import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { saveTimeZone } from '#server/account/account.store.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { deleteOldDigests, queueDigests } from './digests.store.ts'

const catcher = await startMailCatcher()
const app = await createTestApp({
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
})
after(async () => {
  await app.close()
  await catcher.close()
})

/** Creates a quiz whose creator has wanted a daily mail for a long time. */
const dailyQuiz = async (
  creator: SignedUp,
  since = '2026-01-01T00:00:00Z',
): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(creator.client)
  await creator.client.quizMails.set({ id: quiz.id, body: { tells_creator: 'daily' } })
  await app.db
    .updateTable('quiz_mails')
    .set({ daily_since: since })
    .where('quiz_id', '=', quiz.id)
    .execute()
  return quiz
}
/** Inserts a participant who submitted at this time. */
const come = async (
  { id, question_id, open_id, answer_ids }: SampleQuiz,
  at: string,
  choice = 0,
) => {
  const participant_uuid = randomUUID()
  const answers = { [question_id]: answer_ids[choice] ?? '', [open_id]: 'lea@exemple.fr' }
  await app.client.publicQuiz.submit({ id, body: { participant_uuid, answers } })
  await app.db
    .updateTable('responses')
    .set({ created_at: at })
    .where('quiz_id', '=', id)
    .where('participant_uuid', '=', participant_uuid)
    .execute()
}
const jobsOf = async ({ user_id }: SignedUp) =>
  app.db
    .selectFrom('mail_jobs')
    .select('details')
    .where('user_id', '=', user_id)
    .where('kind', '=', 'daily_digest')
    .execute()
/** Delays queued mails by a year, so that the test reads them before the mailer sends them. */
await app.pool.query(`
  create function hold_digests() returns trigger language plpgsql as $$
  begin
    new.due_at := now() + interval '1 year';
    return new;
  end $$;
  create trigger hold_digests before insert on mail_jobs for each row
  when (new.kind = 'daily_digest') execute function hold_digests()`)
const at = (moment: string) => new Date(moment)

test('two processes queue one daily mail, with each participant once', async () => {
  const creator = await app.signUp()
  const quiz = await dailyQuiz(creator)
  await come(quiz, '2026-05-10T06:00:00Z')
  await come(quiz, '2026-05-11T05:59:59Z', 1)
  await come(quiz, '2026-05-11T06:00:01Z', 1)
  const morning = at('2026-05-11T06:06:00Z')
  const queued = await Promise.all([1, 2, 3, 4].map(() => queueDigests(app.db, morning)))
  assert.equal(
    queued.reduce((sum, count) => sum + count, 0),
    1,
  )
  const [job, ...more] = await jobsOf(creator)
  assert.deepEqual(more, [])
  assert.deepEqual(job?.details, {
    digest: [
      {
        quiz_id: quiz.id,
        name: 'Quel rythme ?',
        nb_participants: 2,
        results: [
          { name: 'Grand saut', nb_participants: 1 },
          { name: 'Pas à pas', nb_participants: 1 },
        ],
      },
    ],
  })
  await queueDigests(app.db, at('2026-05-12T06:06:00Z'))
  const [, next] = await jobsOf(creator)
  assert.equal(JSON.stringify(next).includes('"nb_participants":1'), true)
  assert.equal((await jobsOf(creator)).length, 2)
})

test('a day without participants has no mail, and missed days are reported together', async () => {
  const creator = await app.signUp()
  const quiz = await dailyQuiz(creator)
  for (const day of [1, 2]) await queueDigests(app.db, at(`2026-06-0${day}T06:10:00Z`))
  assert.deepEqual(await jobsOf(creator), [])
  await come(quiz, '2026-06-02T10:00:00Z')
  await come(quiz, '2026-06-04T10:00:00Z')
  await queueDigests(app.db, at('2026-06-07T21:00:00Z'))
  await queueDigests(app.db, at('2026-06-08T05:00:00Z'))
  assert.equal((await jobsOf(creator)).length, 1)
  assert.match(JSON.stringify(await jobsOf(creator)), /"nb_participants":2/)
})

test('a daily mail ends at the hour of its own creator, not at the hour of another time zone', async () => {
  const [creator, elsewhere] = [await app.signUp(), await app.signUp()]
  await saveTimeZone(app.db, elsewhere.user_id, 'Asia/Tokyo')
  const [quiz, far] = [await dailyQuiz(creator), await dailyQuiz(elsewhere)]
  // This is after the morning in Tokyo and before the morning in Paris.
  for (const one of [quiz, far]) await come(one, '2026-07-11T03:00:00Z')
  await queueDigests(app.db, at('2026-07-11T06:06:00Z'))
  assert.deepEqual([(await jobsOf(creator)).length, (await jobsOf(elsewhere)).length], [1, 0])
})

for (const [change, days] of [
  ['forward', ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['back', ['2026-10-24', '2026-10-25', '2026-10-26']],
] as const)
  test(`in a night in which clocks go ${change}, each hour is reported once`, async () => {
    const creator = await app.signUp()
    const quiz = await dailyQuiz(creator)
    const hours = Array.from({ length: 49 }, (_, hour) => hour * 3_600_000)
    const begin = Date.parse(`${days[0]}T07:30:00Z`)
    for (const hour of hours) await come(quiz, new Date(begin + hour).toISOString())
    // The check runs every half hour, more often than a mail can be due.
    for (let time = begin; time <= begin + 72 * 3_600_000; time += 1_800_000)
      await queueDigests(app.db, new Date(time))
    const told = (await jobsOf(creator)).map(({ details }) => {
      const [quiz] = (details as { digest: { nb_participants: number }[] }).digest
      return quiz?.nb_participants ?? 0
    })
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      49,
    )
    assert.deepEqual(told.slice(0, 2).toSorted(), change === 'forward' ? [23, 24] : [24, 24])
  })

test('a creator gets the daily mail at eight in their own time zone', async () => {
  const creator = await app.signUp()
  await creator.client.preferences.set({ body: { time_zone: 'Pacific/Noumea' } })
  const quiz = await dailyQuiz(creator, '2026-07-01T00:00:00Z')
  await come(quiz, '2026-07-01T20:59:00Z')
  await come(quiz, '2026-07-01T21:01:00Z')
  await queueDigests(app.db, at('2026-07-01T21:04:00Z'))
  assert.deepEqual(await jobsOf(creator), [])
  await queueDigests(app.db, at('2026-07-01T21:06:00Z'))
  assert.match(JSON.stringify(await jobsOf(creator)), /"nb_participants":1}/)
  await queueDigests(app.db, at('2026-07-02T20:00:00Z'))
  assert.equal((await jobsOf(creator)).length, 1)
})

test('the quizzes of a creator share one mail, without those of other creators', async () => {
  const [me, other] = [await app.signUp(), await app.signUp()]
  const [first, second] = [await dailyQuiz(me), await dailyQuiz(me)]
  const quiet = await publishedScoreQuiz(me.client)
  await dailyQuiz(other)
  for (const quiz of [first, second, second, quiet]) await come(quiz, '2026-08-01T12:00:00Z')
  await queueDigests(app.db, at('2026-08-02T07:00:00Z'))
  const [job, ...more] = await jobsOf(me)
  assert.deepEqual(more, [])
  const told = JSON.stringify(job?.details).matchAll(/"quiz_id":"([^"]+)"/g)
  assert.deepEqual(
    Array.from(told, ([, quiz_id]) => quiz_id),
    [second.id, first.id],
  )
  assert.deepEqual(await jobsOf(other), [])
})

test('the daily mail contains only numbers and is deleted with the account', async () => {
  const creator = await app.signUp()
  const quiz = await dailyQuiz(creator)
  await come(quiz, '2026-09-01T12:00:00Z')
  await queueDigests(app.db, at('2026-09-02T07:00:00Z'))
  await app.db
    .updateTable('mail_jobs')
    .set({ due_at: new Date(0) })
    .where('user_id', '=', creator.user_id)
    .execute()
  // The mailer searches for due mails when a new mail is queued.
  await app.raw({ method: 'POST', url: '/auth/v1/recover', body: { email: creator.email } })
  const mail = await catcher.next(creator.email)
  const digest = mail.subject.includes('participant') ? mail : await catcher.next(creator.email)
  assert.equal(digest.subject, '1 nouveau participant depuis hier')
  assert.ok(digest.html.includes(`/quiz/${quiz.id}/statistics`))
  assert.ok(!digest.text.includes('lea@exemple.fr'))
  await deleteOldDigests(app.db, at('2027-09-02T07:00:00Z'))
  const rows = () =>
    app.db.selectFrom('mail_digests').select('day').where('user_id', '=', creator.user_id).execute()
  assert.equal((await rows()).length, 1)
  await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  assert.deepEqual(await rows(), [])
})
