import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pino from 'pino'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { findProxyProblem } from './proxy-warning.ts'

const CLIENT = '203.0.113.9'

describe('calls that do not come as the proxy settings say', () => {
  const rows = [
    {
      is_behind_proxy: true,
      is_local: false,
      path: '/login',
      forwarded: undefined,
      found: /no X-Forwarded-For/,
    },
    { is_behind_proxy: true, is_local: false, path: '/login', forwarded: CLIENT, found: undefined },
    {
      is_behind_proxy: true,
      is_local: false,
      path: '/readyz',
      forwarded: undefined,
      found: undefined,
    },
    {
      is_behind_proxy: false,
      is_local: false,
      path: '/login',
      forwarded: CLIENT,
      found: /TRUST_PROXY is off/,
    },
    {
      is_behind_proxy: false,
      is_local: false,
      path: '/login',
      forwarded: undefined,
      found: undefined,
    },
    { is_behind_proxy: false, is_local: true, path: '/login', forwarded: CLIENT, found: undefined },
  ]
  for (const { path, forwarded, found, ...reach } of rows)
    test(`${JSON.stringify({ ...reach, path, forwarded })}: ${found ?? 'nothing'}`, () => {
      const problem = findProxyProblem(reach, { path, forwarded })
      if (found) assert.match(problem ?? '', found)
      else assert.equal(problem, undefined)
    })
})

test('a server logs one such warning in its life', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const app = await createTestApp(
    { PUBLIC_URL: 'https://quiz.example', TRUST_PROXY: 'true' },
    { log },
  )
  t.after(() => app.close())
  const countWarnings = (): number =>
    lines.filter((line) => line.includes('all visitors count as one address')).length
  const call = (headers: Record<string, string>) => app.raw({ url: '/auth/v1/health', headers })
  await call({ 'x-forwarded-for': CLIENT })
  assert.equal(countWarnings(), 0)
  await call({})
  await call({})
  assert.equal(countWarnings(), 1)
})
