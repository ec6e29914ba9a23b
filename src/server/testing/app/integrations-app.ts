import assert from 'node:assert/strict'
import { pino } from 'pino'
import { type FakeBrevo, startBrevo } from '#server/testing/fakes/brevo.ts'
import { type FakeKit, startKit } from '#server/testing/fakes/kit.ts'
import { type FakeSystemio, startSystemio } from '#server/testing/fakes/systemio.ts'
import { createTestApp, type SignedUp, type TestApp } from './test-app.ts'

const PUBLIC_URL = 'http://localhost:3000'

export type IntegrationsApp = TestApp & {
  kit: FakeKit
  systemio: FakeSystemio
  brevo: FakeBrevo
  /** Returns all log lines as one text. */
  logged: () => string
  /** Returns all log lines and answers as one text. */
  loggedAndAnswered: () => string
  /** Sends a request to the API with the creator's token and an optional cookie. */
  requestAs: (
    creator: SignedUp,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    cookie?: string,
  ) => ReturnType<TestApp['raw']>
  /** Starts the OAuth consent. Returns the address of Kit's consent page and the state cookie. */
  startConsent: (creator: SignedUp, query?: string) => Promise<{ auth_url: string; cookie: string }>
  /** Opens Kit's consent page, and returns the callback address to which it redirects. */
  visitConsentPage: (auth_url: string) => Promise<string>
  /** Opens our callback address, and returns the address to which it redirects. */
  followCallback: (address: string, cookie: string) => Promise<string | undefined>
  /** Connects the creator to an account at Kit: consent, consent page and callback. */
  connectKit: (creator: SignedUp, account?: string) => Promise<void>
}

/** Starts the app with the three fake tools. Their rate limits are out of reach. */
export const createIntegrationsApp = async (
  env: Record<string, string> = {},
): Promise<IntegrationsApp> => {
  const [kit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
  kit.switches.redirect_uris.push(`${PUBLIC_URL}/api/v1/integrations/convertkit/callback`)
  systemio.switches.calls = 100_000
  Object.assign(brevo.switches, { contacts_per_second: 100_000, others_per_hour: 100_000 })
  const lines: string[] = []
  const answers: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const t = await createTestApp(
    { PUBLIC_URL, ...kit.env, ...systemio.env, ...brevo.env, ...env },
    { log, onAnswer: (body) => void answers.push(body) },
  )
  const requestAs: IntegrationsApp['requestAs'] = ({ access_token }, method, path, body, cookie) =>
    t.raw({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${access_token}`, ...(cookie && { cookie }) },
      ...(body && { body }),
    })
  const startConsent: IntegrationsApp['startConsent'] = async (creator, query = '') => {
    const reply = await requestAs(creator, 'POST', `/integrations/convertkit/connect${query}`)
    assert.equal(reply.statusCode, 200, reply.body)
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
    return { auth_url: reply.json<{ auth_url: string }>().auth_url, cookie }
  }
  const visitConsentPage = async (auth_url: string): Promise<string> => {
    const reply = await fetch(auth_url, { redirect: 'manual' })
    return reply.headers.get('location') ?? ''
  }
  const followCallback: IntegrationsApp['followCallback'] = async (address, cookie) => {
    const { pathname, search } = new URL(address)
    const reply = await t.raw({ url: pathname + search, headers: { cookie } })
    assert.equal(reply.statusCode, 303)
    return reply.headers.location
  }
  return {
    ...t,
    kit,
    systemio,
    brevo,
    logged: () => lines.join(''),
    loggedAndAnswered: () => [...lines, ...answers].join('\n'),
    requestAs,
    startConsent,
    visitConsentPage,
    followCallback,
    connectKit: async (creator, account = 'compte') => {
      kit.switches.account = account
      const { auth_url, cookie } = await startConsent(creator)
      const landed = await followCallback(await visitConsentPage(auth_url), cookie)
      assert.equal(landed, '/settings?convertkit=ok')
    },
    close: async () => {
      await t.close()
      await Promise.all([kit.close(), systemio.close(), brevo.close()])
    },
  }
}
