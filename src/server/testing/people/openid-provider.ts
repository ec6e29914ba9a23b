import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Asked = { nonce: string; code_challenge: string; redirect_uri: string }
type Claims = Record<string, unknown>

/** A small OpenID Connect provider on this machine; `person` says who signs in. */
export type OpenidProvider = {
  issuer: string
  client_id: string
  secret: string
  /** Person of the next sign-in, set by tests. */
  person: Claims
  /** True to answer with a form post instead of a redirect. */
  answers_by_form: boolean
  /** Additional invalid claims of the next tokens. */
  lies: Claims
  /** Follows /authorize as a browser does and returns the callback address. */
  visit: (address: string) => Promise<URL>
  /** A token of that person for a client that has its own way in. */
  idToken: (claims?: Claims) => Promise<string>
  close: () => Promise<void>
}

const readBody = async (stream: AsyncIterable<Buffer>): Promise<URLSearchParams> => {
  let text = ''
  for await (const part of stream) text += String(part)
  return new URLSearchParams(text)
}

/** Starts a provider that checks client secret, PKCE challenge and single use of codes. */
export const startOpenidProvider = async (): Promise<OpenidProvider> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'provider', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Asked>()
  const client = { client_id: 'quizaine', secret: 'the client of tests' }
  let issuer = ''

  const sign = (claims: Claims): Promise<string> =>
    new SignJWT({
      iss: issuer,
      aud: client.client_id,
      ...provider.person,
      ...claims,
      ...provider.lies,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'provider' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const exchange = async (body: URLSearchParams): Promise<object | undefined> => {
    const asked = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const verifier = createHash('sha256').update(body.get('code_verifier') ?? '')
    const isClient = body.get('client_secret') === client.secret
    if (!asked || !isClient || body.get('redirect_uri') !== asked.redirect_uri) return undefined
    if (verifier.digest('base64url') !== asked.code_challenge) return undefined
    const id_token = await sign({ nonce: asked.nonce })
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
    // Browsers ask for an icon besides.
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
  // The idle timeout is long, because a slow client may use a connection that was just closed.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: OpenidProvider = {
    issuer,
    ...client,
    person: {},
    answers_by_form: false,
    lies: {},
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
