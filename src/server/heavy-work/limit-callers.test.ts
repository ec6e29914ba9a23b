import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { JOB_LIMITS } from './job-limits.ts'
import { GROUPS, RESOURCES } from './resources.ts'

const SERVER = join(import.meta.dirname, '..')

test('only the scheduler, the pages and the admission of calls and passwords limit what runs at once', () => {
  const callers = globSync('**/*.ts', { cwd: SERVER }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      readFileSync(join(SERVER, file), 'utf8').includes('createConcurrencyLimit('),
  )
  assert.deepEqual(callers.sort(), [
    'auth/password/password-limits.ts',
    'heavy-work/slots.ts',
    'http/edge/mount.ts',
    'public-quiz/player-build.ts',
  ])
})

const number = (value: number): string => value.toLocaleString('en-US')
const duration = (ms: number): string => {
  if (ms >= 3_600_000) return `${ms / 3_600_000} h`
  return ms >= 120_000 ? `${ms / 60_000} min` : `${ms / 1_000} s`
}

test('docs/limits.md has the limits of the code', () => {
  const text = readFileSync(join(SERVER, '../../docs/limits.md'), 'utf8')
  const rows = new Set(
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.replaceAll(/\s+/g, ' ')),
  )
  const missing = Object.entries(JOB_LIMITS)
    .map(([kind, { resource, max_ms, max_size, unit }]) => {
      const { group, max_concurrent, max_concurrent_per_owner } = RESOURCES[resource]
      const size = Number.isFinite(max_size) ? `${number(max_size)} ${unit}` : '–'
      const slots =
        resource === 'thread'
          ? 'a core each, never all'
          : `${max_concurrent}, ${max_concurrent_per_owner}`
      return `| ${kind} | ${group} | ${slots} | ${duration(max_ms)} | ${size} |`
    })
    .filter((row) => !rows.has(row))
  assert.deepEqual(missing, [])
  const groups = Object.entries(GROUPS).map(
    ([name, limits]) =>
      `| ${name} | ${limits.max_concurrent_per_owner}, ${limits.max_concurrent_per_network} | ${limits.max_queued}, ${limits.max_queued_per_owner}, ${limits.max_queued_per_network} |`,
  )
  assert.deepEqual(
    groups.filter((row) => !rows.has(row)),
    [],
  )
})
