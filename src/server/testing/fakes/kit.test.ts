import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { startKit } from './kit.ts'

const REDIRECT = 'https://quiz.example/retour'
const VERIFIER = 'v'.repeat(50)
const challenge = createHash('sha256').update(VERIFIER).digest('base64url')

const kit = await startKit()
after(() => kit.close())
kit.switches.redirect_uris = [REDIRECT]
const usual = { ...kit.switches }
beforeEach(() => Object.assign(kit.switches, usual))

const visit = async (changes: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'cid_demo',
    redirect_uri: REDIRECT,
    state: 'a state+',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  })
  const reply = await fetch(`${kit.env.KIT_AUTHORIZE_URL}?${query}`, { redirect: 'manual' })
  return { status: reply.status, back: new URL(reply.headers.get('location') ?? 'none:') }
}
const tokens = async (fields: Record<string, string>) => {
  const body = new URLSearchParams({
    client_id: 'cid_demo',
    client_secret: 'cs_demo',
    redirect_uri: REDIRECT,
    ...fields,
  })
  const reply = await fetch(kit.env.KIT_TOKEN_URL ?? '', { method: 'POST', body })
  const answer = (await reply.json()) as Record<string, string | number>
  return { status: reply.status, ...answer } as Record<string, string | number>
}
const exchange = (code: string, fields: Record<string, string> = {}) =>
  tokens({ grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...fields })
const refresh = (token: unknown) =>
  tokens({ grant_type: 'refresh_token', refresh_token: String(token) })
const granted = async () => exchange((await visit()).back.searchParams.get('code') ?? '')

const call = async (token: unknown, method: string, path: string, body?: unknown) => {
  const reply = await fetch(`${kit.origin}/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, never>) : text
  return { status: reply.status, answer, text }
}

describe('the consent of the fake Kit', () => {
  test('the consent of the fake Kit returns the state unchanged, or the refusal', async () => {
    const { back } = await visit()
    assert.equal(back.searchParams.get('state'), 'a state+')
    kit.switches.consent = 'deny'
    assert.equal((await visit()).back.searchParams.get('error'), 'access_denied')
  })
  test('the consent of the fake Kit needs a registered address, the known application and an S256 challenge', async () => {
    assert.equal((await visit({ redirect_uri: `${REDIRECT}/x` })).status, 400)
    assert.equal((await visit({ client_id: 'another' })).status, 400)
    const plain = await visit({ code_challenge_method: 'plain' })
    assert.equal(plain.back.searchParams.get('error'), 'invalid_request')
  })
  test('the fake Kit exchanges a code once within ten minutes, for the right verifier and secret', async () => {
    const code = (await visit()).back.searchParams.get('code') ?? ''
    assert.equal((await exchange(code, { client_secret: 'no' })).error, 'invalid_client')
    assert.equal((await exchange(code)).expires_in, 172_800)
    assert.equal((await exchange(code)).error, 'invalid_grant')
    const second = (await visit()).back.searchParams.get('code') ?? ''
    assert.equal((await exchange(second, { code_verifier: 'x'.repeat(50) })).error, 'invalid_grant')
    const late = (await visit()).back.searchParams.get('code') ?? ''
    kit.clock.advance(600_001)
    assert.equal((await exchange(late)).error, 'invalid_grant')
  })
})

describe('tokens of the fake Kit', () => {
  test('tokens of the fake Kit expire by its clock, and the first token lives longer than the next', async () => {
    const first = await granted()
    assert.equal((await call(first.access_token, 'GET', '/account')).status, 200)
    kit.clock.advance(172_800_000)
    assert.match((await call(first.access_token, 'GET', '/account')).text, /access token expired/)
    assert.match((await call('at_no', 'GET', '/account')).text, /access token is invalid/)
    assert.equal((await refresh(first.refresh_token)).expires_in, 7200)
  })
  test('a token of the fake Kit is refreshed once, also for two concurrent calls or a lost answer', async () => {
    const first = await granted()
    const both = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
    const other = await granted()
    kit.fail({ path: '/v4/oauth/token', mode: 'after' })
    await assert.rejects(refresh(other.refresh_token))
    assert.equal((await refresh(other.refresh_token)).error, 'invalid_grant')
  })
  test('the fake Kit can end all tokens of a grant when a refresh token is used again', async () => {
    kit.switches.reuse_ends_grant = true
    const first = await granted()
    const second = await refresh(first.refresh_token)
    await refresh(first.refresh_token)
    assert.equal((await call(second.access_token, 'GET', '/account')).status, 401)
  })
  test('the fake Kit revokes all tokens of a grant together and uninstalls the application', async () => {
    const { access_token, refresh_token } = await granted()
    const revoke = (token: string) =>
      fetch(kit.env.KIT_REVOKE_URL ?? '', { method: 'POST', body: new URLSearchParams({ token }) })
    assert.equal((await revoke('unknown')).status, 200)
    const reply = await revoke(String(refresh_token))
    assert.deepEqual([reply.status, await reply.text()], [200, ''])
    assert.equal((await call(access_token, 'GET', '/account')).status, 401)
    assert.equal(kit.grants.at(-1)?.uninstalled, true)
  })
})

describe('subscribers of the fake Kit', () => {
  const upsert = (token: unknown, email: string, fields: object = {}, more: object = {}) =>
    call(token, 'POST', '/subscribers', { email_address: email, fields, ...more })

  test('the fake Kit creates a subscriber once, whatever the case, and sets the state only once', async () => {
    const { access_token: token } = await granted()
    assert.equal((await upsert(token, 'Lea@exemple.test', {}, { state: 'cancelled' })).status, 201)
    const again = await upsert(token, 'lea@EXEMPLE.test', {}, { state: 'active' })
    assert.equal(again.status, 200)
    assert.match(again.text, /"state":"cancelled"/)
    assert.equal((await upsert(token, 'no address')).status, 422)
    assert.equal((await call(token, 'POST', '/subscribers', 'text')).status, 400)
  })
  test('the fake Kit handles values of unknown fields in one of three ways', async () => {
    const { access_token: token } = await granted()
    const ways = ['ignore', 'warn', 'reject'] as const
    const seen = []
    for (const way of ways) {
      kit.switches.unknown_field = way
      const { status, text } = await upsert(token, 'b@exemple.test', { absent: 'x' })
      seen.push([status, text.includes('absent')])
    }
    assert.deepEqual(seen, [
      [201, false],
      [200, true],
      [422, true],
    ])
  })
  test('the fake Kit stores more than ten fields later, and refuses more than 140', async () => {
    const { access_token: token } = await granted()
    const values: Record<string, string> = {}
    for (let at = 0; at < 11; at += 1) {
      await call(token, 'POST', '/custom_fields', { label: `Champ ${at}` })
      values[`champ_${at}`] = 'x'
    }
    const reply = await upsert(token, 'c@exemple.test', values)
    assert.equal(reply.status, 202)
    assert.match(reply.text, /"fields":\{\}/)
    kit.clock.advance(5000)
    assert.match((await upsert(token, 'c@exemple.test')).text, /champ_10/)
    const many = Object.fromEntries(Array.from({ length: 141 }, (_, at) => [`f${at}`, 'x']))
    assert.equal((await upsert(token, 'c@exemple.test', many)).status, 422)
  })
  test('the fake Kit lists subscribers late and by status, and refuses a raw + in an address', async () => {
    const { access_token: token } = await granted()
    await upsert(token, 'd+1@exemple.test')
    const find = (email: string) => call(token, 'GET', `/subscribers?email_address=${email}`)
    assert.match((await find('d%2B1@exemple.test')).text, /"subscribers":\[\]/)
    kit.clock.advance(30_000)
    assert.match((await find('d%2B1@exemple.test')).text, /d\+1@exemple/)
    assert.equal((await find('d+1@exemple.test')).status, 422)
    kit.clock.advance(30_000)
    assert.match((await find('lea@exemple.test')).text, /"subscribers":\[\]/)
    assert.match((await find('lea@exemple.test&status=all')).text, /Lea@exemple/)
  })
  test('the fake Kit tags a subscriber once, if both exist', async () => {
    const { access_token: token } = await granted()
    const made = await call(token, 'POST', '/tags', { name: 'Quiz' })
    const again = await call(token, 'POST', '/tags', { name: 'quiz' })
    assert.deepEqual([made.status, again.status], [201, 200])
    const id = /"id":(\d+)/.exec(made.text)?.[1]
    const person = /"id":(\d+)/.exec((await upsert(token, 'e@exemple.test')).text)?.[1]
    const tag = () => call(token, 'POST', `/tags/${id}/subscribers/${person}`)
    assert.deepEqual([(await tag()).status, (await tag()).status], [201, 200])
    assert.equal((await call(token, 'POST', `/tags/1/subscribers/${person}`)).status, 404)
    assert.equal((await call(token, 'POST', '/tags', { name: ' ' })).status, 422)
  })
})

test('a field of the fake Kit has a key from its label, and another label changes the key', async () => {
  const { access_token: token } = await granted()
  const made = await call(token, 'POST', '/custom_fields', { label: 'Résultat quiz' })
  assert.deepEqual([made.status, /"key":"(\w+)"/.exec(made.text)?.[1]], [201, 'resultat_quiz'])
  const same = () => call(token, 'POST', '/custom_fields', { label: 'Résultat quiz' })
  assert.equal((await same()).status, 200)
  kit.switches.repeated_label = 'refuse'
  assert.equal((await same()).status, 422)
  const id = /"id":(\d+)/.exec(made.text)?.[1]
  const renamed = await call(token, 'PUT', `/custom_fields/${id}`, { label: 'Autre' })
  assert.match(renamed.text, /"key":"autre"/)
  assert.equal((await call(token, 'DELETE', `/custom_fields/${id}`)).status, 204)
  assert.ok(!(await call(token, 'GET', '/custom_fields')).text.includes('autre'))
})

test('the fake Kit limits the calls of each token per minute and refuses in plain text', async () => {
  const { access_token: token } = await granted()
  kit.switches.calls_per_minute = 2
  await call(token, 'GET', '/account')
  await call(token, 'GET', '/account')
  const held = await call(token, 'GET', '/account')
  assert.deepEqual([held.status, held.text], [429, 'Retry later'])
  kit.clock.advance(60_000)
  assert.equal((await call(token, 'GET', '/account')).status, 200)
})
