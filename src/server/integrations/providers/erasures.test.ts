import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { ERASURE_KINDS, ERASURE_KINDS_OF, type ErasureKind } from '#domain/deliveries/erasures.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { applyVariant, FAKE_VARIANTS } from '#server/testing/fakes/fake-variants.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { createBrevo } from './brevo.ts'
import { createKit } from './kit.ts'
import { createSystemio } from './systemio.ts'

const [convertkit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
const fakes = { convertkit, systemio, brevo }
systemio.switches.calls = 10_000
Object.assign(brevo.switches, { contacts_per_second: 1_000, others_per_hour: 1_000 })
after(() => Promise.all(Object.values(fakes).map((fake) => fake.close())))
afterEach(() => {
  for (const fake of Object.values(fakes)) fake.heal()
})

const tools = {
  convertkit: createKit({ api_url: convertkit.env.KIT_API_URL ?? '' }),
  systemio: createSystemio({ api_url: systemio.env.SYSTEMEIO_API_URL ?? '' }),
  brevo: createBrevo({ api_url: brevo.env.BREVO_API_URL ?? '' }),
}
const connections = {
  convertkit: connectionWith('convertkit', await createConsentToken(convertkit, 'compte')),
  systemio: connectionWith('systemio', 'systemeio-demo'),
  brevo: connectionWith('brevo', 'xkeysib-demo'),
}

type Held = 'absent' | 'subscribed' | 'unsubscribed'
const heldAs = (isOut: boolean | undefined): Held => {
  if (isOut === undefined) return 'absent'
  return isOut ? 'unsubscribed' : 'subscribed'
}
/** Returns the state of an address at a tool: absent, or subscribed or not. */
const held = (provider: ProviderName, email: string): Held => {
  const people = {
    convertkit: [...convertkit.accountOf('compte').subscribers.values()].map((subscriber) => ({
      email: subscriber.email_address,
      isOut: subscriber.state === 'cancelled',
    })),
    systemio: [...systemio.accountOf('compte').contacts.values()]
      .filter((contact) => contact.deleted_at === null)
      .map((contact) => ({ email: contact.email, isOut: contact.unsubscribed })),
    brevo: [...brevo.accountOf('compte').contacts.values()].map((contact) => ({
      email: contact.email,
      isOut: contact.emailBlacklisted,
    })),
  }
  return heldAs(people[provider].find((person) => person.email === email)?.isOut)
}
/** Sends a person to a tool and returns the id at the tool. */
const bring = async (provider: ProviderName, email: string): Promise<string | null> => {
  const outcome = await tools[provider].deliver(
    connections[provider],
    contactOf(email, { result_name: null, field_key: null }),
    {},
  )
  assert.ok(outcome.kind === 'delivered', JSON.stringify(outcome))
  // Filtered lists of Kit show a new subscriber after a delay.
  convertkit.clock.advance(60_000)
  return outcome.vendor_contact_id
}
const erase = (
  provider: ProviderName,
  email: string,
  kind: ErasureKind,
  vendor_contact_id: string | null = null,
) => tools[provider].erase(connections[provider], { email, vendor_contact_id }, kind)

const DONE = {
  delete: ['deleted', 'absent'],
  unsubscribe: ['unsubscribed', 'unsubscribed'],
} as const

for (const position of FAKE_VARIANTS)
  describe(`erasures with ${position.name}`, () => {
    const offered = PROVIDERS.flatMap((provider) =>
      ERASURE_KINDS_OF[provider].map((kind) => ({ provider, kind })),
    )
    for (const { provider, kind } of offered)
      test(`an erasure at ${provider} is idempotent by id and by address: ${kind}`, async (t) => {
        t.after(applyVariant(fakes, position))
        Object.assign(systemio.switches, { calls: 10_000 })
        const [code, state] = DONE[kind]
        const email = `lea+${kind}-${FAKE_VARIANTS.indexOf(position)}@exemple.test`
        const stays = `ada-${kind}@exemple.test`
        await bring(provider, stays)
        const id = await bring(provider, email)
        assert.equal(held(provider, email), 'subscribed')
        const done = await erase(provider, email.toUpperCase(), kind, id)
        assert.ok(done.kind === 'erased' && done.code === code, JSON.stringify(done))
        assert.equal(held(provider, email), state)

        const again = await erase(provider, email, kind, id)
        const expected = state === 'absent' ? 'already_gone' : code
        assert.ok(again.kind === 'erased' && again.code === expected, JSON.stringify(again))

        if (state === 'absent') {
          await bring(provider, email)
          // The id belongs to a deleted contact, and the address to a new contact.
          const found = await erase(provider, email, kind, id)
          assert.ok(found.kind === 'erased' && found.code === code, JSON.stringify(found))
          assert.equal(held(provider, email), 'absent')
        }
        const never = await erase(provider, `jamais-${kind}@exemple.test`, kind)
        assert.ok(never.kind === 'erased' && never.code === 'already_gone')
        assert.equal(held(provider, stays), 'subscribed')
      })
  })

test('an erasure kind that a tool does not offer is not requested', async () => {
  for (const provider of PROVIDERS)
    for (const kind of ERASURE_KINDS) {
      if ((ERASURE_KINDS_OF[provider] as readonly ErasureKind[]).includes(kind)) continue
      const calls = fakes[provider].journal.length
      const outcome = await erase(provider, 'lea@exemple.test', kind)
      assert.deepEqual(outcome, { kind: 'permanent', code: 'not_offered' })
      assert.equal(fakes[provider].journal.length, calls)
    }
})

test('a lost reply, a limit and a refused account are distinguished, and none counts as erased', async () => {
  for (const provider of PROVIDERS) {
    const [kind] = ERASURE_KINDS_OF[provider]
    const email = `perdu-${provider}@exemple.test`
    const id = await bring(provider, email)
    fakes[provider].fail({ mode: 'after' })
    const lost = await erase(provider, email, kind, id)
    assert.ok(lost.kind === 'transient' && !lost.pauses_connection, JSON.stringify(lost))
    const again = await erase(provider, email, kind, id)
    assert.equal(again.kind, 'erased')
    fakes[provider].fail({ mode: 'before', status: 429 })
    const held_back = await erase(provider, email, kind, id)
    assert.ok(held_back.kind === 'transient' && held_back.pauses_connection)
    fakes[provider].fail({ mode: 'before', status: 401, body: {} })
    const refused = await erase(provider, email, kind, id)
    assert.equal(refused.kind, 'credential')
    fakes[provider].fail({ mode: 'before', status: 400, body: { detail: 'non', code: 'x' } })
    const wrong = await erase(provider, email, kind, id)
    assert.ok(['permanent', 'unknown'].includes(wrong.kind), JSON.stringify(wrong))
  }
})

test('an erasure that Systeme.io refuses as invalid fails at once and finally', async () => {
  const email = 'refus@exemple.test'
  const id = await bring('systemio', email)
  for (const status of [400, 422]) {
    systemio.fail({ mode: 'before', status, body: { detail: 'non' } })
    const outcome = await erase('systemio', email, 'delete', id)
    assert.deepEqual(outcome, { kind: 'permanent', code: 'refused' }, String(status))
  }
})

test('a fake tool accepts only the requests of the real tool', async () => {
  const kit = (path: string, body?: string) =>
    fetch(`${convertkit.env.KIT_API_URL}${path}`, {
      method: body === undefined ? 'DELETE' : 'POST',
      headers: { authorization: `Bearer ${connections.convertkit.secret}` },
      ...(body !== undefined && { body }),
    })
  const id = await bring('convertkit', 'strict@exemple.test')
  assert.equal((await kit(`/subscribers/${id}`)).status, 405)
  assert.equal((await kit(`/subscribers/${id}/unsubscribe`, 'none')).status, 400)
  assert.equal((await kit('/subscribers/1/unsubscribe', '{}')).status, 404)

  const at = (path: string, method: string, body?: object) =>
    fetch(`${brevo.env.BREVO_API_URL}/contacts/${path}`, {
      method,
      headers: { 'api-key': 'xkeysib-demo' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const known = await bring('brevo', 'strict@exemple.test')
  assert.equal((await at('strict@exemple.test?identifierType=nom', 'DELETE')).status, 400)
  assert.equal((await at('strict@exemple.test?identifierType=contact_id', 'DELETE')).status, 404)
  assert.equal((await at(`${known}?identifierType=email_id`, 'DELETE')).status, 404)
  assert.equal((await at('strict@exemple.test', 'PUT', {})).status, 400)
  assert.equal((await at(`${known}?identifierType=contact_id`, 'DELETE')).status, 204)
})
