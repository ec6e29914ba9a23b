import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PROGRAM = `
const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, 'log.ts'))})
const log = createLog({ log_level: 'info' })
for (let line = 0; line < 20_000; line++) log.info({ line }, 'so that a backlog fills up')
await new Promise((resolve) => setImmediate(resolve))
process.exit(7)
`

test('a log that cannot be written does not end the process', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  )
  closeSync(full)
  assert.deepEqual([status, stderr], [7, ''])
})
