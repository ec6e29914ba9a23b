import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { clientOf } from '../scripts/http-client.ts'

/** The server as `npm start` runs it, on a folder and a port of its own. */

const PORT = '4189'
const origin = `http://localhost:${PORT}`

type Running = { child: ChildProcess; said: () => string; exit: Promise<unknown[]> }

const run = (env: Record<string, string>): Running => {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: { ...process.env, LOG_LEVEL: 'silent', PORT, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text
    })
  return { child, said: () => said, exit: once(child, 'exit') }
}
const isReady = ({ said }: Running) =>
  expect.poll(said, { timeout: 30_000 }).toContain(`Quizaine is ready on ${origin}`)

test('starts, keeps what it was given through a stop and a kill, refuses a second', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'quizaine-process-'))
  const first = run({ DATA_DIR })
  try {
    await isReady(first)
    expect(first.said()).toContain('npm run seed')
    const signedUp = await fetch(`${origin}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'camille@exemple.fr', password: 'un mot de passe' }),
    })
    const { access_token } = (await signedUp.json()) as { access_token: string }
    const client = clientOf(origin, access_token)
    await client.quizzes.create({ body: { name: 'Gardé', type: 'quiz' } })

    const second = run({ DATA_DIR, PORT: '4190' })
    expect(await second.exit).toEqual([1, null])
    expect(second.said()).toMatch(/^Another Quizaine is running on [^\n]+\n$/)

    first.child.kill('SIGTERM')
    expect(await first.exit).toEqual([0, null])

    const again = run({ DATA_DIR })
    await isReady(again)
    await client.quizzes.create({ body: { name: 'Gardé aussi', type: 'quiz' } })
    again.child.kill('SIGKILL')
    await again.exit

    const last = run({ DATA_DIR })
    await isReady(last)
    const names = (await client.quizzes.list()).quizzes.map(({ name }) => name)
    expect(names).toEqual(['Gardé aussi', 'Gardé'])
    last.child.kill('SIGTERM')
    expect(await last.exit).toEqual([0, null])
  } finally {
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
})

test('says in one line each what is wrong with its configuration', async () => {
  const { exit, said } = run({ PORT: 'http', LOG_LEVEL: 'loud' })
  expect(await exit).toEqual([1, null])
  expect(said().trim().split('\n')).toEqual([
    expect.stringMatching(/^PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ])
})
