import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { chooseAccount, launchAs } from './postgres-account.ts'

const folder = mkdtempSync(join(tmpdir(), 'quizaine-account-'))
after(() => rmSync(folder, { recursive: true }))

test('a program in a folder closed to others runs and finds its neighbouring files', () => {
  const program = join(folder, 'sh')
  copyFileSync('/bin/sh', program)
  chmodSync(program, 0o755)
  chmodSync(folder, 0o700)
  const account = chooseAccount(join(folder, 'none yet'))
  const script = `test -x '${program}' && echo "found by $(id -u)"`
  const launch = launchAs(account, { program, args: ['-c', script], paths: [] })
  const { command, args, ...identity } = launch
  const { stdout, stderr } = spawnSync(command, args, { ...identity, encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.equal(stdout.trim(), `found by ${account?.uid ?? process.getuid?.()}`)
  assert.notEqual(account?.uid, 0)
})
