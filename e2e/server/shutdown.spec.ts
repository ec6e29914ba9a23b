import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { findRunning } from '../../src/server/db/embedded/postgres-process.ts'
import { freePort } from '../../src/server/testing/network/proxies/free-port.ts'
import { createNoisePicture } from '../../src/server/testing/quizzes/pictures.ts'
import { createAccount } from '../support/accounts.ts'
import { expect, test, waitUntilReady } from '../support/server-process.ts'

/** A stopping server answers the requests it has begun, logs the reason, and stops its database. */

test('a server that receives SIGTERM answers the call in progress and stops its database, and Ctrl-C twice stops it cleanly', {
  tag: '@rare',
}, async ({ run, DATA_DIR }) => {
  const PORT = String(await freePort())
  const server = run({ PORT, LOG_LEVEL: 'info' })
  await waitUntilReady(server)
  const call = request(`http://localhost:${PORT}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  const response = once(call, 'response')
  call.flushHeaders()
  await once(call, 'continue')

  server.child.kill('SIGTERM')
  await expect.poll(server.readOutput).toContain('"msg":"stopping"')
  await expect
    .poll(() =>
      fetch(`http://localhost:${PORT}/healthz`).then(
        ({ status }) => status,
        () => 'closed',
      ),
    )
    .toBe('closed')
  call.end(JSON.stringify({ email: 'camille@exemple.fr', password: 'un mot de passe' }))
  const [answer] = await response
  expect(answer.statusCode).toBe(200)
  expect(JSON.parse(await text(answer))).toHaveProperty('access_token')

  expect(await server.exit).toEqual([0, null])
  expect(findRunning(DATA_DIR)).toBeUndefined()

  await test.step('Ctrl-C sends its signal twice', async () => {
    const again = run({ PORT })
    await waitUntilReady(again)
    again.child.kill('SIGINT')
    again.child.kill('SIGINT')
    expect(await again.exit).toEqual([0, null])
    expect(findRunning(DATA_DIR)).toBeUndefined()
  })
})

test('an upload in progress at SIGTERM is stored if it ends, and otherwise leaves nothing', {
  tag: '@rare',
}, async ({ run }) => {
  const PORT = String(await freePort())
  const origin = `http://localhost:${PORT}`
  const server = run({ PORT, LOG_LEVEL: 'info' })
  await waitUntilReady(server)
  const { session, client } = await createAccount(origin)
  const { access_token } = JSON.parse(session) as { access_token: string }
  const picture = await createNoisePicture(300, 200).png().toBuffer()
  /** Sends the headers, waits until the server asks for the body, and sends the first half of the picture. */
  const beginUpload = async () => {
    const upload = request(`${origin}/api/v1/images`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'image/png',
        'content-length': picture.length,
        expect: '100-continue',
      },
    })
    upload.on('error', () => undefined)
    upload.flushHeaders()
    await once(upload, 'continue')
    upload.write(picture.subarray(0, picture.length / 2))
    return upload
  }
  const ending = await beginUpload()
  await beginUpload()
  const answered = once(ending, 'response')
  server.child.kill('SIGTERM')
  await expect.poll(server.readOutput).toContain('"msg":"stopping"')
  ending.end(picture.subarray(picture.length / 2))
  const [answer] = await answered
  expect(answer.statusCode).toBe(201)
  expect(await server.exit).toEqual([0, null])

  await waitUntilReady(run({ PORT }))
  const other = (await createAccount(origin)).client
  await other.images.add({ body: Buffer.from(picture) })
  expect(await client.images.usage()).toEqual(await other.images.usage())
})

test('a server that is stopped while it starts leaves no process running', {
  tag: '@rare',
}, async ({ run, DATA_DIR }) => {
  const server = run({ PORT: String(await freePort()) })
  const hasCluster = () => existsSync(`${DATA_DIR}/postgres`)
  await expect.poll(hasCluster, { intervals: [5] }).toBe(true)
  server.child.kill('SIGTERM')
  expect(await server.exit).toEqual([0, null])
  expect(server.readOutput()).toBe('')
  expect(findRunning(DATA_DIR)).toBeUndefined()
})

test('an unreachable database is reported in one line', { tag: '@rare' }, async ({ run }) => {
  const server = run({
    PORT: String(await freePort()),
    DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/quiz',
    SECRET_KEY: 'x'.repeat(32),
  })
  expect(await server.exit).toEqual([1, null])
  expect(server.readOutput()).toBe(
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:9\n',
  )
})
