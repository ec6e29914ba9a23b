import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type AuthorizationRequest = { nonce: string; code_challenge: string; redirect_uri: string }
type Claims = Record<string, unknown>

/** Small OpenID Connect provider on this machine. */
export type OpenidProvider = {
  issuer: string
  client_id: string
  secret: string
  /** Claims of the person who signs in next. Tests set them. */
  person: Claims
  /** True to answer with a form post instead of a redirect. */
  answers_by_form: boolean
  /** Claims that override the valid claims of the next tokens. */
  invalid_claims: Claims
  /** Follows /authorize as a browser does and returns the callback address. */
  visit: (address: string) => Promise<URL>
  /** Returns an ID token of the person, for clients that sign in with a token. */
  idToken: (claims?: Claims) => Promise<string>
  close: () => Promise<void>
}

const readBody = async (stream: AsyncIterable<Buffer>): Promise<URLSearchParams> => {
  let text = ''
  for await (const part of stream) text += String(part)
  return new URLSearchParams(text)
}

/** Starts a provider that checks the client secret and the PKCE challenge, and accepts each code once. */
export const startOpenidProvider = async (): Promise<OpenidProvider> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'provider', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, AuthorizationRequest>()
  const client = { client_id: 'quizaine', secret: 'the client of tests' }
  let issuer = ''

  const sign = (claims: Claims): Promise<string> =>
    new SignJWT({
      iss: issuer,
      aud: client.client_id,
      ...provider.person,
      ...claims,
      ...provider.invalid_claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'provider' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const exchange = async (body: URLSearchParams): Promise<object | undefined> => {
    const authorization = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const verifier = createHash('sha256').update(body.get('code_verifier') ?? '')
    const isClient = body.get('client_secret') === client.secret
    if (!authorization || !isClient || body.get('redirect_uri') !== authorization.redirect_uri)
      return undefined
    if (verifier.digest('base64url') !== authorization.code_challenge) return undefined
    const id_token = await sign({ nonce: authorization.nonce })
    const tokens = {
      access_token: `access-${randomUUID()}`,
      refresh_token: `refresh-${randomUUID()}`,
    }
    return { ...tokens, token_type: 'bearer', expires_in: 300, id_token }
  }
  const server = createServer(async (request, reply) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', issuer)
    const json = (status: number, body: object) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (pathname === '/jwks') return json(200, { keys: [jwk] })
    if (pathname === '/token') {
      const answer = await exchange(await readBody(request))
      return answer ? json(200, answer) : json(400, { error: 'invalid_grant' })
    }
    // Browsers also request an icon, which does not exist.
    if (pathname !== '/authorize') return json(404, { error: 'not_found' })
    const redirect_uri = query.get('redirect_uri') ?? ''
    const code = randomUUID()
    const nonce = query.get('nonce') ?? ''
    codes.set(code, { nonce, code_challenge: query.get('code_challenge') ?? '', redirect_uri })
    const back = new URL(redirect_uri)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('code', code)
    if (!provider.answers_by_form) return reply.writeHead(302, { location: back.href }).end()
    const fields = [...back.searchParams].map(
      ([name, value]) => `<input name="${name}" value="${value}">`,
    )
    return reply
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<body onload="document.forms[0].submit()"><form method="post" action="${redirect_uri}">${fields.join('')}</form>`,
      )
  })
  // Idle connections are never closed, because a slow client could reuse a connection at that moment.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: OpenidProvider = {
    issuer,
    ...client,
    person: {},
    answers_by_form: false,
    invalid_claims: {},
    visit: async (address) => {
      const reply = await fetch(address, { redirect: 'manual' })
      return new URL(reply.headers.get('location') ?? '')
    },
    idToken: (claims = {}) => sign(claims),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
