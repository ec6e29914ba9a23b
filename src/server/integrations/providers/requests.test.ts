import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import type { Fake } from '#server/testing/fakes/fake-server.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { createBrevo } from './brevo.ts'
import { createKit } from './kit.ts'
import type { Contact, OpenConnection, Provider } from './provider.ts'
import { provisionField } from './provision-fields.ts'
import { recordDelivery } from './record-delivery.ts'
import { createSystemio } from './systemio.ts'

const [kit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
after(() => Promise.all([kit, systemio, brevo].map((fake) => fake.close())))
systemio.switches.calls = 1_000
brevo.switches.contacts_per_second = 1_000
// The folder must exist, because the first list would create it.
brevo.accountOf('compte').folders.set(4_999, 'Quizaine')
const token = await createConsentToken(kit, 'compte')

type Tool = { fake: Fake; provider: Provider; connection: OpenConnection; prefix: string }
const TOOLS: Record<string, Tool> = {
  Kit: {
    fake: kit,
    provider: createKit({ api_url: kit.env.KIT_API_URL ?? '' }),
    connection: connectionWith('convertkit', token),
    prefix: '/v4',
  },
  'Systeme.io': {
    fake: systemio,
    provider: createSystemio({ api_url: systemio.env.SYSTEMEIO_API_URL ?? '' }),
    connection: connectionWith('systemio', 'systemeio-demo'),
    prefix: '/api',
  },
  Brevo: {
    fake: brevo,
    provider: createBrevo({ api_url: brevo.env.BREVO_API_URL ?? '' }),
    connection: connectionWith('brevo', 'xkeysib-demo'),
    prefix: '/v3',
  },
}

/** Returns a call as text, with placeholders instead of ids. */
const written = (method: string, path: string, body: unknown): string =>
  `${method} ${path} ${JSON.stringify(body ?? null)}`.replaceAll(
    /"?\b(?:\d{4,}|CONTACT_ID|TAG_ID|LIST_ID|FOLDER_ID)\b"?/g,
    'N',
  )

/** Labels with the id of an existing tag or list. */
const labels = [{ name: 'Sien', vendor_id: '5001', kind: null }]
kit.accountOf('compte').tags.set(5_001, { id: 5_001, name: 'Sien', created_at: '' })
systemio.accountOf('compte').tags.set(5_001, 'Sien')
brevo.accountOf('compte').lists.set(5_001, 'Sien')

const [form, sequence] = [...kit.accountOf('compte').forms, ...kit.accountOf('compte').sequences]
/** Labels of the other kinds that a tool offers. */
const ENROLMENTS: Record<string, Contact['labels']> = {
  Kit: [
    { name: 'Inscription', vendor_id: String(form?.[0]), kind: 'form' },
    { name: 'Bienvenue', vendor_id: String(sequence?.[0]), kind: 'sequence' },
  ],
  'Systeme.io': [
    { name: 'Premiers pas', vendor_id: '8001', kind: 'course' },
    { name: 'Le cercle', vendor_id: '9001', kind: 'community' },
  ],
}

/** Asserts that a preview shows the calls that a delivery sends, and makes no call itself. */
const assertShown = async (
  { fake, provider, connection, prefix }: Tool,
  contact: Contact,
): Promise<void> => {
  const before = fake.journal.length
  assert.equal((await provider.deliver(connection, contact, {})).kind, 'delivered')
  const got = fake.journal.slice(before).map(({ method, path, query, body }) => {
    const whole = `${path.slice(prefix.length)}${query && `?${query}`}`
    return written(method, whole, body === '' ? undefined : JSON.parse(body))
  })
  const nb_calls = fake.journal.length
  const shown = await recordDelivery(provider, connection, contact)
  assert.equal(fake.journal.length, nb_calls)
  assert.deepEqual(
    shown.map(({ method, path, body }) => written(method, path, body && JSON.parse(body))),
    got,
  )
}

for (const [name, tool] of Object.entries(TOOLS))
  test(`the calls shown for ${name} equal the calls sent`, async () => {
    const { provider, connection } = tool
    const made = await provisionField(provider, connection, 'RESULTAT')
    assert.ok(made.kind === 'provisioned')
    const { field_key } = made
    const contacts: Contact[] = [
      contactOf('a@exemple.test', { field_key, tag: 'Profil créatif' }),
      contactOf('b@exemple.test', { result_name: null }),
      contactOf('c@exemple.test', { labels }),
      ...(name in ENROLMENTS ? [contactOf('d@exemple.test', { labels: ENROLMENTS[name] })] : []),
    ]
    for (const contact of contacts) await assertShown(tool, contact)
  })

/** Labels that the account lacks. */
const NEW_LABELS = ['Premier', 'Second'].map((name) => ({ name, vendor_id: null, kind: null }))
const CAMILLE = { first_name: 'Camille', last_name: 'Durand', phone: '06 12 34 56 78' }

/** Creates more fields than Kit accepts in a call, and returns a value for each. */
const manyFields = async (
  provider: Provider,
  connection: OpenConnection,
): Promise<Contact['fields']> => {
  const names = Array.from({ length: 12 }, (_, at) => `CHAMP_${at + 1}`)
  const made = await provider.provision(
    connection,
    names.map((name) => ({ name })),
  )
  assert.ok(made.kind === 'fields')
  return Object.entries(made.fields).map(([name, field]) => {
    assert.ok(field.kind === 'provisioned')
    return { key: field.field_key, name, value: `valeur ${name}` }
  })
}

test('the preview of a name for an account of Brevo that was not read uses French names, without a call', async () => {
  const { fake, provider, connection } = TOOLS.Brevo as Tool
  const nb_calls = fake.journal.length
  const unread = { ...connection, id: '00000000-0000-7000-8000-0000000000ff' }
  const contact = contactOf('g@exemple.test', { person: CAMILLE })
  const calls = await recordDelivery(provider, unread, contact)
  assert.deepEqual(
    calls.map(({ method, path, body }) => [method, path, JSON.parse(`${body}`).attributes]),
    [['POST', '/contacts', { PRENOM: 'Camille', NOM: 'Durand', SMS: '+33612345678' }]],
  )
  assert.equal(fake.journal.length, nb_calls)
})

for (const [name, { provider, connection }] of Object.entries(TOOLS))
  test(`the tags or lists of ${name} are listed`, async () => {
    const listed = await provider.listLabels(connection, null)
    assert.ok(listed.kind === 'labels')
    const sorted = listed.labels.map((label) => label.name).sort()
    const first = provider.name === 'brevo' ? ['Participants'] : []
    assert.deepEqual(sorted, [...first, 'Profil créatif', 'Sien'])
    const refused = await provider.listLabels({ ...connection, secret: 'wrong' }, null)
    assert.equal(refused.kind, 'credential')
  })

for (const [name, { provider, connection }] of Object.entries(TOOLS))
  test(`the own fields of ${name} are listed on all pages, without those of the contact data`, async () => {
    systemio.switches.fields_per_page = 100
    for (let at = 0; at < 620; at += 1) {
      const field = { key: `champ_${at}`, label: `Champ ${at}` }
      if (name === 'Kit')
        kit.accountOf('compte').fields.set(90_000 + at, { id: 90_000 + at, name: '', ...field })
      // Systeme.io allows few calls, so that at most five pages are read.
      else if (name === 'Systeme.io' && at < 350)
        systemio.accountOf('compte').fields.set(field.key, field.label)
    }
    const { attributes } = brevo.accountOf('compte')
    attributes.set('SCORE', { name: 'SCORE', category: 'normal', type: 'float' })
    attributes.set('NE_LE', { name: 'NE_LE', category: 'normal', type: 'date' })
    attributes.set('CLIENT', { name: 'CLIENT', category: 'normal', type: 'boolean' })
    attributes.set('GOUTS', { name: 'GOUTS', category: 'normal', type: 'multiple-choice' })
    attributes.set('PROFIL', { name: 'PROFIL', category: 'category', enumeration: [] })
    attributes.set('EXT_ID', { name: 'EXT_ID', category: 'normal', type: 'text' })
    const listed = await provider.listFields(connection)
    assert.ok(listed.kind === 'account_fields')
    const own = {
      Kit: ['RESULTAT', ...Array.from({ length: 620 }, (_, at) => `Champ ${at}`)],
      'Systeme.io': ['RESULTAT', ...Array.from({ length: 350 }, (_, at) => `Champ ${at}`)],
      Brevo: ['RESULTAT', 'SCORE', 'NE_LE', 'CLIENT', 'GOUTS', 'PROFIL'],
    }
    assert.deepEqual(
      listed.fields.map((field) => field.name),
      own[name as keyof typeof own],
    )
    const types = new Set(listed.fields.map(({ type }) => type))
    assert.deepEqual(
      [...types],
      name === 'Brevo' ? ['text', 'number', 'date', 'boolean', 'list'] : ['text'],
    )
    const refused = await provider.listFields({ ...connection, secret: 'wrong' })
    assert.equal(refused.kind, 'credential')
  })

for (const [name, tool] of Object.entries(TOOLS))
  test(`the calls shown for ${name} equal the calls sent with new labels, names and many fields`, async () => {
    const { provider, connection } = tool
    const mapped = await manyFields(provider, connection)
    // Brevo lists the attributes once before the first names are sent.
    await provider.listFields(connection)
    const contact = contactOf('e@exemple.test', { labels: NEW_LABELS, person: CAMILLE, mapped })
    await assertShown(tool, contact)
  })
