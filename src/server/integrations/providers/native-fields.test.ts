import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { createBrevo } from './brevo.ts'
import { createKit } from './kit.ts'
import type { Contact, DeliveryOutcome, OpenConnection, Provider } from './provider.ts'
import { recordDelivery } from './record-delivery.ts'
import { createSystemio } from './systemio.ts'

const [kit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
after(() => Promise.all([kit, systemio, brevo].map((fake) => fake.close())))
systemio.switches.calls = 100_000
Object.assign(brevo.switches, { contacts_per_second: 100_000 })
kit.switches.calls_per_minute = 100_000
const usual = {
  kit: { ...kit.switches },
  systemio: { ...systemio.switches },
  brevo: { ...brevo.switches },
}
beforeEach(() => {
  Object.assign(kit.switches, usual.kit)
  Object.assign(systemio.switches, usual.systemio)
  Object.assign(brevo.switches, usual.brevo)
  for (const fake of [kit, systemio, brevo]) fake.heal()
})
const kitAccount = kit.accountOf('compte')
const systemioAccount = systemio.accountOf('compte')
const brevoAccount = brevo.accountOf('compte')
for (const key of ['resultat', 'budget', 'ville', 'score']) {
  const id = 70_000 + kitAccount.fields.size
  kitAccount.fields.set(id, { id, name: '', key, label: key })
  systemioAccount.fields.set(key, key)
  const name = key.toUpperCase()
  brevoAccount.attributes.set(name, { name, category: 'normal', type: 'text' })
}

type Tool = {
  fake: { journal: { body: string }[] }
  client: Provider
  connection: OpenConnection
  /** Returns the key of a field. */
  key: (name: string) => string
  valuesOf: (email: string) => Record<string, unknown>
}
/** Returns the values of the only contact with an address. */
const onlyOne = <T>(all: readonly T[], values: (one: T) => Record<string, unknown>) => {
  assert.equal(all.length, 1)
  return all[0] ? values(all[0]) : {}
}
const tools: Record<'Kit' | 'Systeme.io' | 'Brevo', Tool> = {
  Kit: {
    fake: kit,
    client: createKit({ api_url: kit.env.KIT_API_URL ?? '' }),
    connection: connectionWith('convertkit', await createConsentToken(kit, 'compte')),
    key: (name) => name,
    valuesOf: (email) =>
      onlyOne(
        [...kitAccount.subscribers.values()].filter(
          (subscriber) => subscriber.email_address === email,
        ),
        ({ first_name, fields }) => ({ ...(first_name !== null && { first_name }), ...fields }),
      ),
  },
  'Systeme.io': {
    fake: systemio,
    client: createSystemio({ api_url: systemio.env.SYSTEMEIO_API_URL ?? '' }),
    connection: connectionWith('systemio', 'systemeio-demo'),
    key: (name) => name,
    valuesOf: (email) =>
      onlyOne(
        [...systemioAccount.contacts.values()].filter((contact) => contact.email === email),
        ({ fields }) => fields,
      ),
  },
  Brevo: {
    fake: brevo,
    client: createBrevo({ api_url: brevo.env.BREVO_API_URL ?? '' }),
    connection: connectionWith('brevo', 'xkeysib-demo'),
    key: (name) => name.toUpperCase(),
    valuesOf: (email) =>
      onlyOne(
        [...brevoAccount.contacts.values()].filter((contact) => contact.email === email),
        ({ attributes }) => attributes,
      ),
  },
}
const ALL = Object.entries(tools)
const camille = { first_name: 'Camille', last_name: 'Durand', phone: '06 12 34 56 78' }
const deliver = (
  { client, connection, key }: Tool,
  email: string,
  more: Parameters<typeof contactOf>[1] = {},
  done: Parameters<Provider['deliver']>[2] = {},
): Promise<DeliveryOutcome> =>
  client.deliver(connection, contactOf(email, { field_key: key('resultat'), ...more }), done)
const mappedOf = ({ key }: Tool, values: Record<string, string>): Contact['fields'] =>
  Object.entries(values).map(([name, value]) => ({ key: key(name), name, value }))
/** Asserts a delivery without these fields. */
const assertRefused = (outcome: DeliveryOutcome, ...names: string[]): void => {
  assert.equal(outcome.kind, 'delivered')
  assert.deepEqual(outcome.completed_calls.refused_fields ?? [], names)
  const warning = outcome.kind === 'delivered' ? outcome.warning : undefined
  assert.equal(warning, names.length > 0 ? 'field_refused' : undefined)
}
let last = 0
const newEmail = (): string => {
  last += 1
  return `p${last}@exemple.test`
}
/** Returns a French mobile number that no contact has yet. */
const newPhone = (): string => `06 00 00 ${String(last).padStart(4, '0').replace(/(..)/, '$1 ')}`

describe('contact data', () => {
  test('contact data goes into the own fields of each tool, and a blank part erases nothing', async () => {
    const expected = {
      Kit: { first_name: 'Camille' },
      'Systeme.io': { first_name: 'Camille', surname: 'Durand', phone_number: '+33612345678' },
      Brevo: { PRENOM: 'Camille', NOM: 'Durand', SMS: '33612345678' },
    }
    for (const [name, tool] of ALL) {
      const email = newEmail()
      assertRefused(await deliver(tool, email, { person: camille }))
      const result = { [tool.key('resultat')]: 'Profil créatif' }
      const values = { ...result, ...expected[name as keyof typeof expected] }
      assert.deepEqual(tool.valuesOf(email), values)
      const blank = { first_name: '  ', last_name: null, phone: '' }
      assertRefused(await deliver(tool, email, { person: blank, result_name: null }))
      assert.deepEqual(tool.valuesOf(email), values)
    }
  })
  test('an account of Brevo with English names gets them, and a missing attribute is named', async () => {
    const { Brevo } = tools
    brevo.keys.add('xkeysib-english', { account: 'english' })
    const { attributes, contacts } = brevo.accountOf('english')
    for (const name of ['PRENOM', 'NOM']) attributes.delete(name)
    attributes.set('FIRSTNAME', { name: 'FIRSTNAME', category: 'normal', type: 'text' })
    const id = '00000000-0000-7000-8000-00000000000e'
    const connection = { ...connectionWith('brevo', 'xkeysib-english'), id }
    const send = () =>
      Brevo.client.deliver(connection, contactOf(newEmail(), { person: camille }), {})
    assertRefused(await send(), 'Nom')
    assert.deepEqual([...contacts.values()][0]?.attributes, {
      FIRSTNAME: 'Camille',
      SMS: '33612345678',
    })
    // Another participant needs no list of attributes; an attribute created meanwhile is found.
    const calls = brevo.journal.length
    assertRefused(await send(), 'Nom', 'Téléphone')
    assert.ok(brevo.journal.slice(calls).every(({ path }) => path !== '/v3/contacts/attributes'))
    const contact = contactOf('a@exemple.test', { person: camille })
    const [shown] = await recordDelivery(Brevo.client, connection, contact)
    assert.match(`${shown?.body}`, /"attributes":{"FIRSTNAME":"Camille","SMS":"\+33612345678"}/)
  })
  test('a text that is no phone number is sent only where the tool accepts it', async () => {
    const person = { ...camille, phone: 'le soir' }
    const email = newEmail()
    assertRefused(await deliver(tools.Brevo, email, { person }), 'Téléphone')
    assert.equal(tools.Brevo.valuesOf(email).SMS, undefined)
    assertRefused(await deliver(tools['Systeme.io'], email, { person }))
    assert.equal(tools['Systeme.io'].valuesOf(email).phone_number, 'le soir')
    for (const field_path of ['index', 'slug', 'none'] as const) {
      Object.assign(systemio.switches, { checks_phone: true, field_path })
      const other = newEmail()
      assertRefused(await deliver(tools['Systeme.io'], other, { person }), 'Téléphone')
      assert.equal(tools['Systeme.io'].valuesOf(other).surname, 'Durand')
    }
  })
  test('a number that another contact of Brevo has is left out, and result and lists arrive', async () => {
    const person = { ...camille, phone: '07 00 00 00 01' }
    await deliver(tools.Brevo, newEmail(), { person })
    for (const duplicate_code of ['duplicate_parameter', 'invalid_parameter'] as const) {
      brevo.switches.duplicate_code = duplicate_code
      const email = newEmail()
      const outcome = await deliver(tools.Brevo, email, { person, tag: 'Participants' })
      assertRefused(outcome, 'Téléphone')
      assert.deepEqual(outcome.completed_calls.labels, ['Participants'])
      assert.deepEqual(tools.Brevo.valuesOf(email), {
        RESULTAT: 'Profil créatif',
        PRENOM: 'Camille',
        NOM: 'Durand',
      })
    }
  })
  test('long values are cut to the limit of the tool, never inside a character', async () => {
    const person = { ...camille, first_name: `${'a'.repeat(254)}😀` }
    const email = newEmail()
    assertRefused(await deliver(tools['Systeme.io'], email, { person }))
    assert.equal(tools['Systeme.io'].valuesOf(email).first_name, 'a'.repeat(254))
  })
})

for (const [name, tool] of ALL)
  describe(`a refused field of ${name}`, () => {
    test('a deleted field is left out, and the others arrive once with their last value', async () => {
      const email = newEmail()
      // Brevo drops missing attributes silently, which only the contact shows later.
      await deliver(tool, email)
      const person = { ...camille, phone: newPhone() }
      for (const ville of ['Lyon', 'Nice']) {
        const mapped = mappedOf(tool, { absent: 'x', ville })
        assertRefused(await deliver(tool, email, { person, mapped }), 'absent')
        const values = tool.valuesOf(email)
        assert.equal(values[tool.key('ville')], ville)
        assert.equal(values[tool.key('resultat')], 'Profil créatif')
      }
    })
    test('a repeat after a failure does not try a refused field again', async () => {
      const email = newEmail()
      const mapped = mappedOf(tool, { absent: 'x', ville: 'Lyon' })
      const done = { refused_fields: ['absent'] }
      const calls = tool.fake.journal.length
      assertRefused(await deliver(tool, email, { mapped }, done), 'absent')
      const sent = tool.fake.journal.slice(calls).map(({ body }) => body)
      assert.ok(sent.every((body) => !body.toLowerCase().includes('absent')))
    })
    test('a missing field of the result is still a failure of configuration', async () => {
      const mapped = mappedOf(tool, { ville: 'Lyon' })
      const email = newEmail()
      await deliver(tool, email)
      const lost = await deliver(tool, email, { field_key: tool.key('parti'), mapped })
      assert.deepEqual([lost.kind, 'code' in lost && lost.code], ['configuration', 'field_missing'])
    })
    test('a missing field is found although an attempt allows only a few calls', async () => {
      kit.switches.max_value_length = 30
      Object.assign(systemio.switches, { field_path: 'none' })
      const names = { absent: 'x'.repeat(40), ville: 'Lyon', budget: '100', score: '3' }
      const mapped = mappedOf(tool, names)
      const email = newEmail()
      await deliver(tool, email)
      let completed_calls = {}
      let outcome: DeliveryOutcome | undefined
      for (let attempts = 0; attempts < 12 && outcome?.kind !== 'delivered'; attempts += 1) {
        let calls = 0
        const isLate = (): boolean => {
          calls += 1
          return calls > 5
        }
        const connection = { ...tool.connection, isLate }
        const contact = contactOf(email, {
          field_key: tool.key('resultat'),
          person: camille,
          mapped,
        })
        outcome = await tool.client.deliver(connection, contact, completed_calls)
        completed_calls = outcome.completed_calls
      }
      assert.ok(outcome?.kind === 'delivered')
      assert.ok(outcome.completed_calls.refused_fields?.includes('absent'))
      assert.equal(outcome.completed_calls.written_fields, undefined)
      const values = tool.valuesOf(email)
      assert.equal(values[tool.key('ville')], 'Lyon')
      assert.equal(values[tool.key('resultat')], 'Profil créatif')
    })
  })
