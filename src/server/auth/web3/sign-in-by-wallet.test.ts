import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeJwt } from 'jose'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'
import { createEthereumWallet, createSolanaWallet } from '#server/testing/people/wallets.ts'

const app = await createTestApp({
  AUTH_WEB3: 'on',
  AUTH_REDIRECT_URLS: 'https://app.example/entrer',
})
after(() => app.close())
const { openTab } = createAuthClients(await app.app.listen({ port: 0, host: '127.0.0.1' }))
const url = `${app.config.public_url}/login`
const { host } = new URL(url)

const post = (body: object) =>
  app.raw({ method: 'POST', url: '/auth/v1/token?grant_type=web3', body })

test('a wallet of either chain always signs in to the same account', async () => {
  const ethereum = createEthereumWallet()
  const solana = createSolanaWallet()
  const ways = [
    [
      `web3:ethereum:${ethereum.address}`,
      (statement?: string) =>
        openTab().signInWithWeb3({
          chain: 'ethereum',
          wallet: ethereum.provider as never,
          ...(statement && { statement }),
          options: { url },
        }),
    ],
    [
      `web3:solana:${solana.address}`,
      (statement?: string) =>
        openTab().signInWithWeb3({
          chain: 'solana',
          wallet: solana.provider as never,
          ...(statement && { statement }),
          options: { url, signInWithSolana: { resources: ['https://app.example/a'] } },
        }),
    ],
  ] as const
  for (const [subject, signIn] of ways) {
    const { data, error } = await signIn()
    assert.equal(error, null)
    const { user, session } = data
    assert.deepEqual([user?.email, user?.app_metadata.provider], ['', 'web3'])
    const [identity] = user?.identities ?? []
    assert.equal(identity?.id, subject)
    assert.equal(identity?.identity_data?.custom_claims.domain, host)
    const { amr, aal } = decodeJwt<{ amr: { method: string }[]; aal: string }>(
      session?.access_token ?? '',
    )
    assert.deepEqual([aal, amr.map(({ method }) => method)], ['aal1', ['web3']])
    const again = await signIn('Entrer chez Quizaine')
    assert.equal(again.data.user?.id, user?.id)
    const claims = again.data.user?.identities?.[0]?.identity_data?.custom_claims
    assert.equal(claims?.statement, 'Entrer chez Quizaine')
  }
})

test('both spellings of an Ethereum address belong to one account', async () => {
  const { address, sign } = createEthereumWallet()
  const ids = []
  for (const shown of [address, `0x${address.slice(2).toUpperCase()}`]) {
    const message = messageOf({ address: shown })
    const reply = await post({ chain: 'ethereum', message, signature: sign(message) })
    assert.equal(reply.statusCode, 200, reply.body)
    ids.push(reply.json<{ user: { id: string } }>().user.id)
  }
  assert.equal(ids[0], ids[1])
})

const soon = (ms: number): string => new Date(Date.now() + ms).toISOString()
const MINUTE = 60_000

type Parts = {
  address: string
  header?: string
  domain?: string
  uri?: string
  version?: string
  chain?: string
  issued?: string
  more?: string[]
}

const messageOf = ({
  address,
  domain = host,
  header = `${domain} wants you to sign in with your Ethereum account:`,
  uri = url,
  version = '1',
  chain = '1',
  issued = soon(0),
  more = [],
}: Parts): string =>
  [
    header,
    address,
    '',
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chain}`,
    `Issued At: ${issued}`,
    ...more,
  ].join('\n')

test('invalid messages are refused even if the wallet signed them', async () => {
  const { address, sign } = createEthereumWallet()
  const header = `${host} wants you to sign in with your`
  const laidOutWrong: Record<string, Partial<Parts>> = {
    'no header': { header: 'hello' },
    'the header of the other chain': { header: `${header} Solana account:` },
    'a header with more behind it': { header: `${header} Ethereum account: now` },
    'a domain with a path': { domain: 'app.example/entrer' },
    'a domain with a name before it': { domain: 'me@app.example' },
    'an address that is too short': { address: '0x12' },
    'no address to come from': { uri: 'login' },
    'another version': { version: '2' },
    'a network that is no number': { chain: 'main' },
    'network zero': { chain: '0' },
    'a short nonce': { more: ['Nonce: 1234567'] },
    'no time of issue': { issued: 'today' },
    'a time of issue without a zone': { issued: '2026-11-21T10:00:00' },
    'two times of issue': { more: [`Issued At: ${soon(0)}`] },
    'two addresses to come from': { more: ['URI: https://app.example/entrer'] },
    'an end before the beginning': { more: [`Expiration Time: ${soon(-MINUTE)}`] },
    'a line that is no field': { more: ['and much more'] },
    'a field behind the resources': {
      more: ['Resources:', '- https://a.example', 'Nonce: abcdefgh'],
    },
  }
  const notForNow: Record<string, Partial<Parts>> = {
    'for another site': { domain: 'evil.example', uri: 'https://evil.example/login' },
    'another site shows our address': { domain: 'evil.example' },
    'our domain shows another address': { uri: 'https://evil.example/login' },
    'a listed site by another path': { domain: 'app.example', uri: 'https://app.example/autre' },
    'a listed site without encryption': { domain: 'app.example', uri: 'http://app.example/entrer' },
    'another port': { domain: 'localhost:9', uri: url },
    'issued eleven minutes ago': { issued: soon(-11 * MINUTE) },
    'issued in eleven minutes': { issued: soon(11 * MINUTE) },
    expired: { issued: soon(-2 * MINUTE), more: [`Expiration Time: ${soon(-MINUTE)}`] },
    'not yet valid': { more: [`Not Before: ${soon(MINUTE)}`] },
  }
  const answerOf = async (parts: Partial<Parts>) => {
    const message = messageOf({ address, ...parts })
    const reply = await post({ chain: 'ethereum', message, signature: sign(message) })
    const { error, error_code } = reply.json<{ error?: string; error_code?: string }>()
    return [reply.statusCode, error ?? error_code]
  }
  for (const [name, parts] of Object.entries(laidOutWrong))
    assert.deepEqual(await answerOf(parts), [400, 'validation_failed'], name)
  for (const [name, parts] of Object.entries(notForNow))
    assert.deepEqual(await answerOf(parts), [400, 'invalid_grant'], name)
  assert.deepEqual(await answerOf({ more: [`Expiration Time: ${soon(MINUTE)}`] }), [200, undefined])
  const listed = { domain: 'app.example', uri: 'https://app.example/entrer' }
  assert.deepEqual(await answerOf(listed), [200, undefined])
})

test('signatures of another address or another message are refused', async () => {
  const wallet = createEthereumWallet()
  const stranger = createEthereumWallet()
  const message = messageOf({ address: wallet.address })
  const genuine = wallet.sign(message)
  const flipped = genuine.replace(/.{2}$/, genuine.endsWith('1b') ? '1c' : '1b')
  const half = genuine.slice(0, 66)
  const answers = async (chain: string, forged: Record<string, string>, expected: unknown[]) => {
    for (const [name, signature] of Object.entries(forged)) {
      const reply = await post({ chain, message, signature })
      const { error, error_code } = reply.json<{ error?: string; error_code?: string }>()
      assert.deepEqual([reply.statusCode, error ?? error_code], expected, name)
      assert.equal(reply.headers['x-sb-error-code'], error_code, name)
    }
  }
  const refused = [400, 'invalid_grant']
  await answers(
    'ethereum',
    {
      "a stranger's": stranger.sign(message),
      'of another message': wallet.sign(`${message} `),
      'the other recovery': flipped,
      'an impossible recovery': genuine.replace(/.{2}$/, 'ff'),
      zeros: `0x${'0'.repeat(130)}`,
      ones: `0x${'f'.repeat(130)}`,
      'half a curve point': `${half}${'0'.repeat(66)}`,
    },
    refused,
  )
  const malformed = [400, 'validation_failed']
  await answers(
    'ethereum',
    { none: '', short: genuine.slice(0, -2), 'not hexadecimal': `0x${'z'.repeat(130)}` },
    malformed,
  )
  await answers('solana', { short: 'A'.repeat(85), odd: `${'A'.repeat(85)}!` }, malformed)
  await answers('bitcoin', { any: genuine }, [400, 'web3_unsupported_chain'])
  const short = await post({ chain: 'ethereum', message: 'x', signature: genuine })
  assert.equal(short.statusCode, 400)
  const long = messageOf({ address: wallet.address, more: [`Nonce: ${'x'.repeat(21_000)}`] })
  const refusedLong = await post({ chain: 'ethereum', message: long, signature: genuine })
  assert.equal(refusedLong.json<{ error_code: string }>().error_code, 'validation_failed')
  assert.equal((await post({ chain: 'ethereum', message, signature: genuine })).statusCode, 200)
})

test('a message signs in only once, even concurrently or with another encoding of its signature', async () => {
  const { address, sign } = createEthereumWallet()
  const message = messageOf({ address })
  const signature = sign(message)
  const call = (written: string) => post({ chain: 'ethereum', message, signature: written })
  const together = await Promise.all([call(signature), call(signature), call(signature)])
  assert.deepEqual(together.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const twin = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
  const spelled = `0x${signature.slice(2).toUpperCase()}`
  const low = signature.replace(/.{2}$/, signature.endsWith('1b') ? '00' : '01')
  for (const written of [signature, spelled, low, twin]) {
    const reply = await call(written)
    assert.deepEqual(
      [reply.statusCode, reply.json<{ error: string }>().error],
      [400, 'invalid_grant'],
    )
  }
})

test('Solana signatures of the plain message and of a Ledger envelope are accepted', async () => {
  const wallet = createSolanaWallet()
  const header = `${host} wants you to sign in with your Solana account:`
  const text = (nonce: string) =>
    messageOf({ address: wallet.address, header, chain: 'solana:main', more: [`Nonce: ${nonce}`] })
  const send = (message: string, signature: Uint8Array) =>
    post({ chain: 'solana', message, signature: Buffer.from(signature).toString('base64') })
  const bare = text('bare-1234')
  assert.equal((await send(bare, wallet.sign(Buffer.from(bare)))).statusCode, 200)
  const stranger = createSolanaWallet()
  const foreign = text('foreign-1')
  assert.equal((await send(foreign, stranger.sign(Buffer.from(foreign)))).statusCode, 400)

  const wrapped = text('ledger-12')
  const bytes = Buffer.from(wrapped)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(bytes.length)
  const envelope = Buffer.concat([
    Buffer.from('\xffsolana offchain\0', 'latin1'),
    Buffer.alloc(32),
    Buffer.from([0, 1]),
    wallet.key,
    length,
    bytes,
  ])
  const reply = await send(wrapped, wallet.sign(envelope))
  assert.equal(reply.statusCode, 200, reply.body)
})

test('a banned wallet is refused, and a new wallet is refused if sign-ups are disabled', async () => {
  const { address, sign } = createEthereumWallet()
  const enter = () => {
    const message = messageOf({ address })
    return post({ chain: 'ethereum', message, signature: sign(message) })
  }
  const { user } = (await enter()).json<{ user: { id: string } }>()
  await app.pool.query(`update users set banned_until = now() + interval '1 day' where id = $1`, [
    user.id,
  ])
  const banned = await enter()
  assert.deepEqual(
    [banned.statusCode, banned.json<{ error_code: string }>().error_code],
    [400, 'user_banned'],
  )
  const closed = await createTestApp({ AUTH_WEB3: 'ethereum', AUTH_SIGNUP: 'off' })
  const tabs = createAuthClients(await closed.app.listen({ port: 0, host: '127.0.0.1' }))
  const options = { url }
  const wallet = createEthereumWallet().provider as never
  const solana = createSolanaWallet().provider as never
  assert.deepEqual(
    await getAuthError(tabs.openTab().signInWithWeb3({ chain: 'ethereum', wallet, options })),
    [422, 'signup_disabled'],
  )
  assert.deepEqual(
    await getAuthError(tabs.openTab().signInWithWeb3({ chain: 'solana', wallet: solana, options })),
    [422, 'web3_provider_disabled'],
  )
  await closed.close()
})

test('while wallet sign-in is disabled, the call is refused before its body is checked', async () => {
  const off = await createTestApp()
  const reply = await off.raw({ method: 'POST', url: '/auth/v1/token?grant_type=web3', body: {} })
  assert.equal(reply.statusCode, 422)
  assert.deepEqual(reply.json(), {
    code: 422,
    error_code: 'web3_provider_disabled',
    msg: 'Web3 provider is disabled',
  })
  await off.close()
})
