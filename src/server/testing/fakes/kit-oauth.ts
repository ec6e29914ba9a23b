import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import { type FakeReply, type FakeRequest, parseJsonBody, type Routes } from './fake-server.ts'
import type { KitSwitches } from './kit-account.ts'

const CODE_LIFE_MS = 600_000
const FIRST_LIFE_S = 172_800
const NEXT_LIFE_S = 7_200

/** Consent of an account. All its tokens become invalid if `is_over` is true. */
type Grant = { account: string; is_over: boolean; uninstalled: boolean }
type Code = { grant: Grant; redirect_uri: string; challenge: string; until: number; used: boolean }
type Access = { grant: Grant; until: number; is_over: boolean }
type Refresh = { grant: Grant; used: boolean; access: string }

const token = (prefix: string): string => `${prefix}_${randomBytes(18).toString('base64url')}`
const refused = (error: string, status = 400): FakeReply => ({
  status,
  body: { error, error_description: 'The grant is no longer valid.' },
})

/** Creates Kit's authorization server: consent page, codes, tokens and revocation. */
export const createKitOauth = (clock: Clock, switches: KitSwitches) => {
  const codes = new Map<string, Code>()
  const accesses = new Map<string, Access>()
  const refreshes = new Map<string, Refresh>()
  const grants: Grant[] = []

  const issue = (grant: Grant, expires_in: number): FakeReply => {
    const access_token = token('at')
    const refresh_token = token('rt')
    accesses.set(access_token, { grant, until: clock.now() + expires_in * 1000, is_over: false })
    refreshes.set(refresh_token, { grant, used: false, access: access_token })
    const created_at = Math.floor(clock.now() / 1000)
    return {
      status: 200,
      body: {
        access_token,
        token_type: 'Bearer',
        expires_in,
        refresh_token,
        scope: 'public',
        created_at,
      },
    }
  }

  const authorize = ({ query }: FakeRequest): FakeReply => {
    const redirect_uri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== switches.client_id)
      return { status: 400, body: 'Unknown application' }
    if (!switches.redirect_uris.includes(redirect_uri))
      return { status: 400, body: 'The redirect URI is not registered' }
    const back = new URL(redirect_uri)
    const state = query.get('state')
    if (state !== null) back.searchParams.set('state', state)
    const lead = (fields: Record<string, string>): FakeReply => {
      for (const [name, value] of Object.entries(fields)) back.searchParams.set(name, value)
      return { status: 302, headers: { location: back.href } }
    }
    const challenge = query.get('code_challenge') ?? ''
    const isComplete =
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(challenge)
    if (!isComplete) return lead({ error: 'invalid_request' })
    const decision = query.get('decision') ?? switches.consent
    if (decision === 'ask') return askPage(query)
    if (decision === 'deny') return lead({ error: 'access_denied' })
    const grant: Grant = { account: switches.account, is_over: false, uninstalled: false }
    grants.push(grant)
    const code = token('ac')
    const until = clock.now() + CODE_LIFE_MS
    codes.set(code, { grant, redirect_uri, challenge, until, used: false })
    return lead({ code })
  }

  const exchange = (body: URLSearchParams): FakeReply => {
    const code = codes.get(body.get('code') ?? '')
    if (!code || code.used || code.until < clock.now()) return refused('invalid_grant')
    code.used = true
    const verifier = body.get('code_verifier') ?? ''
    const isRight =
      createHash('sha256').update(verifier).digest('base64url') === code.challenge &&
      body.get('redirect_uri') === code.redirect_uri
    return isRight ? issue(code.grant, FIRST_LIFE_S) : refused('invalid_grant')
  }

  const refresh = (body: URLSearchParams): FakeReply => {
    const known = refreshes.get(body.get('refresh_token') ?? '')
    if (!known || known.grant.is_over) return refused('invalid_grant')
    if (known.used) {
      if (switches.reuse_ends_grant) known.grant.is_over = true
      return refused('invalid_grant')
    }
    known.used = true
    return issue(known.grant, NEXT_LIFE_S)
  }

  const tokens = (request: FakeRequest): FakeReply => {
    const body = fieldsOf(request)
    const isClient =
      body.get('client_id') === switches.client_id &&
      body.get('client_secret') === switches.client_secret
    if (!isClient) return refused('invalid_client', 401)
    if (body.get('grant_type') === 'authorization_code') return exchange(body)
    if (body.get('grant_type') === 'refresh_token') return refresh(body)
    return refused('unsupported_grant_type')
  }

  const revoke = (request: FakeRequest): FakeReply => {
    const given = fieldsOf(request).get('token') ?? ''
    const grant = accesses.get(given)?.grant ?? refreshes.get(given)?.grant
    if (grant) Object.assign(grant, { is_over: true, uninstalled: true })
    return { status: 200 }
  }

  const routes: Routes = {
    'GET /v4/oauth/authorize': authorize,
    'GET /oauth/authorize': authorize,
    'POST /v4/oauth/token': tokens,
    'POST /oauth/token': tokens,
    'POST /v4/oauth/revoke': revoke,
    'POST /oauth/revoke': revoke,
  }
  return {
    routes,
    /** Returns account and token of a call, or the text of the refusal. */
    callerOf: ({ headers }: FakeRequest): { account: string; token: string } | string => {
      const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
      if (!given) return 'The access token is required'
      const access = accesses.get(given)
      if (!access || access.is_over || access.grant.is_over) return 'The access token is invalid'
      if (access.until <= clock.now()) return 'The access token expired'
      return { account: access.grant.account, token: given }
    },
    /** Revokes every access token, as in an incident at the vendor. */
    endAccess: (): void => {
      for (const access of accesses.values()) access.is_over = true
    },
    /** Ends every consent, as when a creator uninstalls the application. */
    uninstall: (): void => {
      for (const grant of grants) grant.is_over = true
    },
    grants,
    tokens: (): string[] => [...accesses.keys(), ...refreshes.keys()],
  }
}

/** Returns the parameters of a form or JSON body. */
const fieldsOf = (request: FakeRequest): URLSearchParams => {
  const json = parseJsonBody(request)
  if (!json) return new URLSearchParams(request.text)
  return new URLSearchParams(Object.entries(json).map(([name, value]) => [name, String(value)]))
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const askPage = (query: URLSearchParams): FakeReply => {
  const link = (decision: string, label: string): string => {
    const chosen = new URLSearchParams(query)
    chosen.set('decision', decision)
    return `<p><a href="?${escaped(chosen.toString())}">${label}</a></p>`
  }
  const body = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Faux Kit</title><h1>Faux Kit</h1>${link('approve', 'Autoriser')}${link('deny', 'Refuser')}</html>`
  return { status: 200, body, headers: { 'content-type': 'text/html; charset=utf-8' } }
}
