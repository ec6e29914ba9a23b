import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const linesOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
  return []
}

test('every variable has a default that works on a laptop', () => {
  const { data_dir, ...config } = readConfig({})
  assert.equal(data_dir, join(process.cwd(), 'data'))
  assert.deepEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    public_url: 'http://localhost:3000',
    database_url: undefined,
    secret_key: undefined,
    trust_proxy: false,
    rate_limits: true,
    metrics_token: undefined,
    log_level: 'info',
  })
})

test('the public address follows the port, and loses its path', () => {
  assert.equal(readConfig({ PORT: '8080' }).public_url, 'http://localhost:8080')
  assert.equal(readConfig({ PUBLIC_URL: 'https://quiz.fr/x' }).public_url, 'https://quiz.fr')
})

test('an empty variable is an unset one', () => {
  assert.equal(readConfig({ PORT: '', SECRET_KEY: '' }).port, 3000)
})

describe('what is wrong has one line that names it', () => {
  const wrong: [name: string, value: string][] = [
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'quiz.fr'],
    ['PUBLIC_URL', 'ftp://quiz.fr'],
    ['DATABASE_URL', 'mysql://localhost/quiz'],
    ['SECRET_KEY', 'court'],
    ['TRUST_PROXY', 'oui'],
    ['RATE_LIMITS', 'none'],
    ['METRICS_TOKEN', 'x'],
    ['LOG_LEVEL', 'loud'],
  ]
  for (const [name, value] of wrong)
    test(`${name}=${value}`, () => {
      const lines = linesOf({ [name]: value })
      assert.equal(lines.length, 1)
      assert.ok(lines[0]?.startsWith(`${name}: `), lines[0])
    })

  test('all of them at once', () => {
    assert.equal(linesOf({ PORT: 'x', LOG_LEVEL: 'x', TRUST_PROXY: 'x' }).length, 3)
  })

  test('DATABASE_URL without SECRET_KEY', () => {
    const lines = linesOf({ DATABASE_URL: 'postgres://localhost/quiz' })
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      ['SECRET_KEY'],
    )
  })
})

test('.env.example names every variable that is read, and no other', () => {
  const root = join(import.meta.dirname, '../..')
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  const source = readFileSync(join(import.meta.dirname, 'config.ts'), 'utf8')
  const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  const read = [...source.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)
  assert.deepEqual(named.sort(), [...new Set(read)].sort())
})
