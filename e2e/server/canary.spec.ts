import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TOTP } from 'otpauth'
import { startBrevo } from '../../src/server/testing/fakes/brevo.ts'
import { startKit } from '../../src/server/testing/fakes/kit.ts'
import { startMailCatcher } from '../../src/server/testing/network/mail/mail-catcher.ts'
import { freePort } from '../../src/server/testing/network/proxies/free-port.ts'
import { uniqueEmail } from '../support/fixtures.ts'
import { expect, test, waitUntilReady } from '../support/server-process.ts'

const createSecret = (): string => randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')

/** The encodings in which a secret may appear. */
const listEncodings = (secret: string): Buffer[] =>
  [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret)
      .toString('base64')
      .replace(/.{0,3}=*$/, ''),
  ].map((text) => Buffer.from(text))

const listFiles = (folder: string): string[] =>
  globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** The files that contain a secret. */
const findFilesWithSecrets = (files: string[], secrets: Record<string, string>): string[] => {
  const found: string[] = []
  for (const file of files) {
    const bytes = readFileSync(file)
    for (const [name, secret] of Object.entries(secrets))
      if (listEncodings(secret).some((spelling) => bytes.includes(spelling)))
        found.push(`${name} in ${file}`)
  }
  return found
}

test('no file, backup, log, answer or script contains a secret', { tag: '@rare' }, async ({
  run,
  DATA_DIR,
}) => {
  const [kit, brevo, catcher] = await Promise.all([startKit(), startBrevo(), startMailCatcher()])
  const port = await freePort()
  const origin = `http://localhost:${port}`
  kit.switches.redirect_uris.push(`${origin}/api/v1/integrations/convertkit/callback`)
  kit.switches.account = createSecret()
  const brevo_key = `xkeysib-${createSecret()}`
  brevo.keys.add(brevo_key)
  const SECRET_KEY = `clef-${createSecret()}${createSecret()}`
  const env = {
    SECRET_KEY,
    DATA_DIR,
    PORT: String(port),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'trace',
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
    ...kit.env,
    ...brevo.env,
  }
  const running = run(env)
  await waitUntilReady(running)

  const answers: string[] = []
  let token = ''
  /** Cookie of the sign-up, which its confirmation link needs. */
  let signUpCookie = ''
  const call = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(signUpCookie && { cookie: signUpCookie }),
      },
      body: body && JSON.stringify(body),
    })
  /** Calls the API and records the response, which must not contain a secret. */
  const ask = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await call(method, path, body)
    const text = JSON.stringify([...response.headers]) + (await response.text())
    answers.push(text)
    return text
  }
  type Session = { access_token: string; refresh_token: string }
  const signIn = async (path: string, body: object): Promise<Session> => {
    const session = (await (await call('POST', path, body)).json()) as Session
    token = session.access_token
    return session
  }

  const [email, password] = [uniqueEmail(), `mot-${createSecret()}`]
  const signedUp = await call('POST', '/auth/v1/signup', { email, password })
  signUpCookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  answers.push(await signedUp.text())
  const confirmation = await catcher.next(email)
  await call('GET', new URL(confirmation.link).pathname + new URL(confirmation.link).search)
  const path = '/auth/v1/token?grant_type=password'
  await ask('POST', path, { email, password: `faux-${password}` })
  const session = await signIn(path, { email, password })
  const refreshed = await signIn('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: session.refresh_token,
  })
  await ask('POST', '/auth/v1/recover', { email })
  const recovery = await catcher.next(email)
  const enrolled = (await (
    await call('POST', '/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Téléphone' })
  ).json()) as { id: string; totp: { secret: string } }
  const factor = `/auth/v1/factors/${enrolled.id}`
  const challenge = JSON.parse(
    (await (await call('POST', `${factor}/challenge`)).text()) || '{}',
  ) as { id: string }
  const code = new TOTP({ secret: enrolled.totp.secret }).generate()
  await signIn(`${factor}/verify`, { challenge_id: challenge.id, code })
  expect(await ask('PUT', '/api/v1/integrations/brevo', { api_key: brevo_key })).toContain(
    '"configured":true',
  )
  const begun = await call('POST', '/api/v1/integrations/convertkit/connect')
  const { auth_url } = (await begun.json()) as { auth_url: string }
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const consent = await fetch(auth_url, { redirect: 'manual' })
  const back = await fetch(consent.headers.get('location') ?? '', {
    redirect: 'manual',
    headers: { cookie },
  })
  expect(back.headers.get('location')).toBe('/settings?convertkit=ok')
  for (const read of [
    '/auth/v1/user',
    '/api/v1/account/sessions',
    '/api/v1/account/export',
    '/api/v1/integrations/brevo/status',
    '/api/v1/integrations/convertkit/status',
    '/api/v1/quizzes',
    '/nowhere',
  ])
    await ask('GET', read)
  await ask('POST', '/api/v1/integrations/brevo/check')
  await ask('POST', '/api/v1/integrations/convertkit/check')

  const run2 = promisify(execFile)
  const backup = `${DATA_DIR}.backup`
  const script = (name: string, args: string[], more: object = {}) =>
    run2(process.execPath, [`scripts/${name}.ts`, ...args], {
      env: { ...process.env, ...env, LOG_LEVEL: 'silent', ...more },
    })
  await script('backup', [backup])
  running.child.kill('SIGTERM')
  await running.exit
  const { stdout } = await script('audit-log', ['--since', '1h'])
  for (const event of ['schema_migrated', 'server_started', 'backup_written', 'server_stopped'])
    expect(stdout).toContain(`"event":"${event}"`)

  const tokens = kit.tokens()
  expect(tokens.length).toBeGreaterThanOrEqual(2)
  const secrets = {
    password,
    SECRET_KEY,
    brevo_key,
    'refresh token': session.refresh_token,
    'next refresh token': refreshed.refresh_token,
    'TOTP secret': enrolled.totp.secret,
    'link of a mail': new URL(recovery.link).searchParams.get('token') ?? '',
    ...Object.fromEntries(tokens.map((text, index) => [`Kit token ${index}`, text])),
  }
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(15)
  expect(findFilesWithSecrets(listFiles(DATA_DIR), secrets)).toEqual([])
  expect(findFilesWithSecrets([backup], secrets)).toEqual([])
  expect(findFilesWithSecrets(listFiles('dist'), secrets)).toEqual([])
  // Codes are searched for with quotes, as in JSON, because six digits can occur in any number.
  const named = { ...secrets, code: `"${recovery.code}"`, 'TOTP code': `"${code}"` }
  for (const [name, secret] of Object.entries(named)) {
    expect(running.readOutput(), name).not.toContain(secret)
    for (const answer of answers) expect(answer, name).not.toContain(secret)
  }
  // Checks the search itself: it finds an email address that is stored.
  expect(findFilesWithSecrets(listFiles(DATA_DIR), { email })).not.toEqual([])
  expect(running.readOutput()).toContain('"sign_in"')

  const restored = `${DATA_DIR}-restored`
  await script('restore', [backup], { DATA_DIR: restored })
  const trail = await script('audit-log', [], { DATA_DIR: restored })
  expect(trail.stdout).toContain('"event":"backup_restored"')
  for (const path of [backup, restored]) rmSync(path, { recursive: true, force: true })
  await Promise.all([kit.close(), brevo.close(), catcher.close()])
})
