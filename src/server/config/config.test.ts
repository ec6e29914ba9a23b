import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { ConfigError, readConfig } from './config.ts'

// The running server reports validation errors in French; errors of the configuration stay English.
z.config(z.locales.fr())

const linesOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
  return []
}

test('a DSN becomes the address of the calls that take reports', () => {
  const read = (text: string) => readConfig({ ERROR_REPORTS_DSN: text }).error_reports
  assert.deepEqual(read('https://abc@errors.example/12'), {
    url: 'https://errors.example/api/12/envelope/',
    key: 'abc',
  })
  assert.deepEqual(read('http://abc@127.0.0.1:8000/glitchtip/12'), {
    url: 'http://127.0.0.1:8000/glitchtip/api/12/envelope/',
    key: 'abc',
  })
})

test('every variable has a default that works on a laptop', () => {
  const { data_dir, ...config } = readConfig({})
  assert.equal(data_dir, join(process.cwd(), 'data'))
  assert.deepEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    public_url: 'http://localhost:3000',
    database_url: undefined,
    pooler_url: undefined,
    read_url: undefined,
    secret_key: undefined,
    trust_proxy: 0,
    trusted_proxies: [],
    http: {
      headers_ms: 10_000,
      request_ms: 30_000,
      requests_per_connection: 1_000,
      connections: 2_000,
      connections_per_address: 1_000,
      calls: 200,
      loop_delay_ms: 1_000,
    },
    rate_limits: true,
    submit_limits: { per_address: 120, per_quiz: 3_000 },
    image_quota: 524_288_000,
    version_quota: 524_288_000,
    metrics_token: undefined,
    error_reports: undefined,
    log_level: 'info',
    logs_requests: false,
    drain_seconds: 0,
    tracing: undefined,
    is_worker: true,
    smtp_url: undefined,
    smtp_tls: 'required',
    mail_from: undefined,
    result_mails_per_day: 1_000,
    result_mails_per_network: 500,
    admin_emails: [],
    hosted: undefined,
    auth: {
      sign_up_mode: 'open',
      has_passwords: true,
      is_autoconfirmed: true,
      has_phones: false,
      is_phone_autoconfirmed: false,
      factors: { totp: true, phone: false, webauthn: true },
      can_be_anonymous: false,
      web3_chains: [],
      redirect_urls: [],
      external: {},
      can_link: false,
      cors_origins: [],
      password_policy: 'spec',
      password_change: 'recent',
      mails_per_hour: 300,
      jwt_keys: undefined,
      jwt_secret: undefined,
    },
    integrations: {
      kit: {
        client: undefined,
        api_url: 'https://api.kit.com/v4',
        authorize_url: 'https://api.kit.com/v4/oauth/authorize',
        token_url: 'https://api.kit.com/v4/oauth/token',
        revoke_url: 'https://api.kit.com/v4/oauth/revoke',
      },
      systemio: { api_url: 'https://api.systeme.io' },
      brevo: { api_url: 'https://api.brevo.com/v3' },
    },
    webhooks: { allows_loopback: false },
    legal: {
      operator: undefined,
      address: undefined,
      registration: undefined,
      contact: undefined,
      publisher: undefined,
      host: undefined,
      dpo: undefined,
    },
  })
})

test('accounts must be confirmed if mails can be sent, unless configured otherwise', () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'Quizaine <bonjour@quiz.example>' }
  const confirmed = (env: Record<string, string>) => readConfig(env).auth.is_autoconfirmed
  assert.equal(confirmed({}), true)
  assert.equal(confirmed(mail), false)
  assert.equal(confirmed({ ...mail, AUTH_AUTOCONFIRM: 'true' }), true)
  assert.equal(confirmed({ AUTH_AUTOCONFIRM: 'false' }), false)
  assert.deepEqual(linesOf({ ...mail, SMTP_URL: 'mail.example' }), [
    'SMTP_URL: must be an address as smtp://user:password@host:587',
  ])
  assert.deepEqual(linesOf({ SMTP_URL: 'smtp://127.0.0.1:25' }), [
    'MAIL_FROM: required with SMTP_URL, as Quizaine <bonjour@quiz.example>',
  ])
})

test('a published example secret is accepted only on this machine', () => {
  const AUTH_JWT_SECRET = 'your-super-secret-jwt-token-with-at-least-32-characters-long'
  assert.equal(readConfig({ AUTH_JWT_SECRET }).auth.jwt_secret, AUTH_JWT_SECRET)
  assert.deepEqual(linesOf({ AUTH_JWT_SECRET, PUBLIC_URL: 'https://quiz.fr' }), [
    'AUTH_JWT_SECRET: is the sample of the documentation, which everybody knows',
  ])
  assert.deepEqual(linesOf({ AUTH_JWT_SECRET, PUBLIC_URL: 'quiz.fr' }), [
    'PUBLIC_URL: must be an http or https address, as https://quiz.example',
  ])
})

test('addresses that links may lead to are a comma-separated list', () => {
  const AUTH_REDIRECT_URLS = 'https://app.example/retour, http://localhost:5173/'
  assert.deepEqual(readConfig({ AUTH_REDIRECT_URLS }).auth.redirect_urls, [
    'https://app.example/retour',
    'http://localhost:5173/',
  ])
})

test('the public address defaults to the port and loses its path', () => {
  assert.equal(readConfig({ PORT: '8080' }).public_url, 'http://localhost:8080')
  assert.equal(readConfig({ PUBLIC_URL: 'https://quiz.fr/x' }).public_url, 'https://quiz.fr')
})

describe('the address that the server listens on', () => {
  const cases: [env: Record<string, string>, host: string][] = [
    [{}, '127.0.0.1'],
    [{ PORT: '' }, '127.0.0.1'],
    [{ PORT: '8080' }, '0.0.0.0'],
    [{ PORT: '3000' }, '0.0.0.0'],
    [{ PORT: '8080', HOST: '' }, '0.0.0.0'],
    [{ PORT: '8080', HOST: '127.0.0.1' }, '127.0.0.1'],
    [{ HOST: '10.0.0.7' }, '10.0.0.7'],
    [{ PORT: '8080', HOST: '::' }, '::'],
  ]
  for (const [env, host] of cases)
    test(`${JSON.stringify(env)} listens on ${host}`, () =>
      assert.equal(readConfig(env).host, host))
})

test('the addresses of administrators are stored as those of accounts', () => {
  const read = (text: string) => readConfig({ ADMIN_EMAILS: text }).admin_emails
  assert.deepEqual(read(' Camille@Exemple.FR ,zoe@büro.example,camille@exemple.fr'), [
    'camille@exemple.fr',
    'zoe@xn--bro-hoa.example',
  ])
  const twenty = Array.from({ length: 20 }, (_, index) => `a${index}@exemple.fr`)
  assert.deepEqual(read(twenty.join(',')), twenty)
  assert.throws(() => read([...twenty, 'one@more.fr'].join(',')), /at most 20 email addresses/)
})

test('an empty variable counts as unset', () => {
  assert.equal(readConfig({ PORT: '', SECRET_KEY: '' }).port, 3000)
})

describe('the error line of each mistake', () => {
  const whole = 'must be a whole number from 0 to 65535'
  const address = 'must be an http or https address, as https://quiz.example'
  const dsn = 'must be an address as https://KEY@errors.example/12'
  const administrators =
    'must be at most 20 email addresses separated by commas, as camille@exemple.fr'
  const wrong: [name: string, value: string, line: string][] = [
    ['PORT', 'http', whole],
    ['PORT', '70000', whole],
    ['PORT', '80.5', whole],
    ['PUBLIC_URL', 'quiz.fr', address],
    ['PUBLIC_URL', 'ftp://quiz.fr', address],
    ['SECRET_KEY', 'court', 'must have 32 characters or more'],
    ['AUTH_JWT_SECRET', 'court', 'must have 32 characters or more'],
    ['TRUST_PROXY', 'oui', 'must be one of false, true, 2, 3'],
    ['DRAIN_SECONDS', '16', 'must be a whole number from 0 to 15'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', 'must be headers separated by commas, as name=value'],
    ['RATE_LIMITS', 'none', 'must be one of on, off'],
    ['METRICS_TOKEN', 'x', 'must have 16 characters or more'],
    ['SMTP_TLS', 'no', 'must be one of required, optional'],
    ['MAIL_FROM', 'Quizaine', 'must be an address as Quizaine <bonjour@quiz.example>'],
    ['AUTH_SIGNUP', 'yes', 'must be one of on, off'],
    ['ADMIN_EMAILS', 'camille', administrators],
    ['ADMIN_EMAILS', 'camille@exemple.fr,', administrators],
    ['ADMIN_EMAILS', 'camille@exemple.fr;zoe@exemple.fr', administrators],
    ['ADMIN_EMAILS', 'Camille <camille@exemple.fr>', administrators],
    ['AUTH_AUTOCONFIRM', 'on', 'must be one of true, false'],
    ['AUTH_ANONYMOUS', 'yes', 'must be one of on, off'],
    [
      'AUTH_REDIRECT_URLS',
      '/retour',
      'must be whole addresses separated by commas, as https://app.example/retour',
    ],
    ['AUTH_PASSWORD_POLICY', 'nist', 'must be one of spec, cnil'],
    ['AUTH_PASSWORD_CHANGE', 'never', 'must be one of session, recent, current'],
    ['IMAGE_QUOTA_MB', '0', 'must be a whole number from 1 to 1000000'],
    ['AUTH_MAILS_PER_HOUR', '0', 'must be a whole number from 1 to 1000000'],
    ['ERROR_REPORTS_DSN', 'https://errors.example/12', dsn],
    ['ERROR_REPORTS_DSN', 'https://key@errors.example/project', dsn],
    [
      'ERROR_REPORTS_DSN',
      'http://key@errors.example/12',
      'must be an https address (plain http is for this machine alone)',
    ],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ]
  for (const [name, value, line] of wrong)
    test(`the wrong value ${name}=${value} has one error line that names the variable`, () =>
      assert.deepEqual(linesOf({ [name]: value }), [`${name}: ${line}`]))

  test('all mistakes are reported together, without the values', () => {
    const lines = linesOf({
      PORT: 'x',
      DATABASE_URL: 'mysql://user:hidden@localhost/quiz',
      METRICS_TOKEN: 'hidden',
    })
    assert.deepEqual(lines, [
      `PORT: ${whole}`,
      'DATABASE_URL: must be an address as postgres://user:password@host/database',
      'METRICS_TOKEN: must have 16 characters or more',
      'SECRET_KEY: required with DATABASE_URL, 32 characters or more',
    ])
  })
})

test('a pooler requires the address of the server behind it', () => {
  const SECRET_KEY = 'x'.repeat(32)
  const [direct, pooled] = ['postgres://u@db.fr/quiz', 'postgres://u@pool.fr:6432/quiz']
  const { database_url, pooler_url } = readConfig({
    SECRET_KEY,
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: direct,
  })
  assert.deepEqual([database_url, pooler_url], [direct, pooled])
  assert.deepEqual(linesOf({ SECRET_KEY, DATABASE_DIRECT_URL: direct }), [
    'DATABASE_DIRECT_URL: goes with a DATABASE_URL that is the address of a pooler',
  ])
})

test('a replica requires the address of its primary, and its address is validated', () => {
  const external = { SECRET_KEY: 'x'.repeat(32), DATABASE_URL: 'postgres://u@db.fr/quiz' }
  const DATABASE_READ_URL = 'postgres://u@replica.fr/quiz'
  assert.equal(readConfig({ ...external, DATABASE_READ_URL }).read_url, DATABASE_READ_URL)
  assert.deepEqual(linesOf({ ...external, DATABASE_READ_URL: 'replica.fr:hidden' }), [
    'DATABASE_READ_URL: must be an address as postgres://user:password@host/database',
  ])
  assert.deepEqual(linesOf({ DATABASE_READ_URL }), [
    'DATABASE_READ_URL: goes with the DATABASE_URL of its primary',
  ])
})

test('an external database requires a configured SECRET_KEY', () => {
  const SECRET_KEY = 'x'.repeat(32)
  for (const DATABASE_URL of ['postgres://u:p@db.fr/quiz', 'postgresql:///quiz?host=/run/socket']) {
    assert.equal(readConfig({ DATABASE_URL, SECRET_KEY }).database_url, DATABASE_URL)
    assert.deepEqual(linesOf({ DATABASE_URL }), [
      'SECRET_KEY: required with DATABASE_URL, 32 characters or more',
    ])
  }
})

test('.env.example names exactly the variables that are read, with their defaults', () => {
  const example = parseEnv(readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8'))
  const source = readFileSync(join(import.meta.dirname, 'environment.ts'), 'utf8')
  const read = [...source.matchAll(/^ {2}([A-Z_\d]+):/gm)].map(([, name]) => name)
  assert.deepEqual(Object.keys(example).sort(), read.sort())
  assert.deepEqual(readConfig(example), readConfig({}))
})
