import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { clientOf } from '../scripts/http-client.ts'
import { publishedQuizOf } from '../src/server/testing/sized-quiz.ts'
import { startServer } from './server.ts'

const s = await startServer()
const r = await fetch(s.origin + '/auth/v1/signup', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: randomUUID() + '@e.fr', password: 'un mot de passe' }),
})
const c = clientOf(s.origin, ((await r.json()) as any).access_token)
for (const n of [10, 100])
  writeFileSync(
    `/tmp/p${n}.html`,
    await (await fetch(`${s.origin}/q/${await publishedQuizOf(c, n)}`)).text(),
  )
await s.stop()
