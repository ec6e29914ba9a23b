import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { uploadPicture } from '#server/testing/quizzes/pictures.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it measures memory.

const app = await createTestApp()
after(() => app.close())

/** Blocks every creation of a quiz until the transaction ends. */
const LOCK = { text: 'lock table quizzes in share row exclusive mode', values: [] }

let creator: SignedUp
let file: string
before(async () => {
  creator = await app.signUp()
  const { id, question_id } = await readyScoreQuiz(creator.client)
  const { id: image_id } = await uploadPicture(app, creator)
  await creator.client.questions.update({ id: question_id, body: { image_id } })
  file = (await downloadQuizFile(app, creator, id)).body
})

const countQuizzes = async (): Promise<number> => {
  const { quizzes } = await creator.client.quizzes.list()
  return quizzes.length
}

test('a file whose sender has left is not stored', async () => {
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.app.server.address() as AddressInfo
  await using held = await openTransaction(app.pool, LOCK)
  const accepted: Promise<Socket[]> = once(app.app.server, 'connection')
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/quizzes/import-file',
    headers: {
      authorization: `Bearer ${creator.access_token}`,
      'content-type': 'application/json',
    },
  })
  sent.on('error', () => undefined).end(file)
  const [socket] = await accepted
  assert.ok(socket)
  await held.waitUntilBlocking()
  const closed = once(socket, 'close')
  sent.destroy()
  await closed
  // Waits for the import.
  const next = openTransaction(app.pool, LOCK)
  await held.commit()
  await using _over = await next
  assert.equal(await countQuizzes(), 1)
})

test('a retry of an import keeps the deadline of the first attempt', async (t) => {
  await sql`create sequence tries`.execute(app.db)
  await sql`
    create function collide_once() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then raise exception 'collision' using errcode = '40001'; end if;
      return new;
    end $$
  `.execute(app.db)
  await sql`create trigger collide before insert on results execute function collide_once()`.execute(
    app.db,
  )
  await using held = await openTransaction(app.pool, LOCK)
  const reading = importQuizFile(app, creator, file)
  await held.waitUntilBlocking()
  const now = Date.now.bind(Date)
  t.mock.method(Date, 'now', () => now() + 55_000)
  await held.commit()
  assert.equal((await reading).statusCode, 503)
  await sql`drop trigger collide on results`.execute(app.db)
  assert.equal(await countQuizzes(), 1)
})

test('a creator receives two quiz files at a time, and another one is refused with a time', async () => {
  const { quizzes } = await creator.client.quizzes.list()
  const download = () => downloadQuizFile(app, creator, quizzes[0]?.id ?? '')
  await using held = await openTransaction(app.pool, {
    text: 'lock table image_files in access exclusive mode',
    values: [],
  })
  const all = [download(), download(), download()]
  const { statusCode, headers } = await Promise.race(all)
  assert.equal(statusCode, 429)
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
  await held.commit()
  const statuses = (await Promise.all(all)).map((answer) => answer.statusCode)
  assert.deepEqual(statuses.sort(), [200, 200, 429])
})
