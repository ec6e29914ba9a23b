import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import type { KitSwitches } from '#server/testing/fakes/kit-account.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { connectionWith, contactOf } from '#server/testing/fakes/sample-contacts.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { createKit } from './kit.ts'
import type { OpenConnection, Provider } from './provider.ts'
import { createSystemio } from './systemio.ts'

const [kit, systemio] = await Promise.all([startKit(), startSystemio()])
after(() => Promise.all([kit.close(), systemio.close()]))
const usual = { kit: { ...kit.switches }, systemio: { ...systemio.switches, calls: 10_000 } }
beforeEach(() => {
  Object.assign(kit.switches, usual.kit)
  Object.assign(systemio.switches, usual.systemio)
  for (const fake of [kit, systemio]) fake.heal()
})

const atKit = kit.accountOf('compte')
const atSystemio = systemio.accountOf('compte')
const [form = 0] = atKit.forms.keys()
const [sequence = 0] = atKit.sequences.keys()
const token = await createConsentToken(kit, 'compte')
const tools: Record<'Kit' | 'Systeme.io', { provider: Provider; connection: OpenConnection }> = {
  Kit: {
    provider: createKit({ api_url: kit.env.KIT_API_URL ?? '' }),
    connection: connectionWith('convertkit', token),
  },
  'Systeme.io': {
    provider: createSystemio({ api_url: systemio.env.SYSTEMEIO_API_URL ?? '' }),
    connection: connectionWith('systemio', 'systemeio-demo'),
  },
}

const subscriberOf = (email: string) =>
  [...atKit.subscribers.values()].find((subscriber) => subscriber.email_address === email)
const contactIdOf = (email: string) =>
  [...atSystemio.contacts.values()].find((contact) => contact.email === email)?.id
const countMembers = (list: 'enrollments' | 'memberships', email: string) =>
  atSystemio[list].filter(({ contact_id }) => contact_id === contactIdOf(email)).length

/** Kind of label with the number of memberships of an address at the fake. */
type Case = {
  tool: keyof typeof tools
  kind: LabelKind
  id: number
  path: RegExp
  count: (email: string) => number
}
const CASES: Case[] = [
  {
    tool: 'Kit',
    kind: 'form',
    id: form,
    path: /\/forms\//,
    count: (email) => subscriberOf(email)?.form_ids.length ?? 0,
  },
  {
    tool: 'Kit',
    kind: 'sequence',
    id: sequence,
    path: /\/sequences\//,
    count: (email) => subscriberOf(email)?.sequence_ids.length ?? 0,
  },
  {
    tool: 'Systeme.io',
    kind: 'course',
    id: 8_001,
    path: /\/enrollments$/,
    count: (email) => countMembers('enrollments', email),
  },
  {
    tool: 'Systeme.io',
    kind: 'community',
    id: 9_001,
    path: /\/memberships$/,
    count: (email) => countMembers('memberships', email),
  },
]

type Options = { is_trial?: boolean; vendor_id?: string | null; name?: string; tag?: string }
const deliverTo =
  ({ tool, kind, id }: Case) =>
  (
    email: string,
    { is_trial, vendor_id = String(id), name = 'Groupe', tag }: Options = {},
    completed_calls: CompletedCalls = {},
  ) => {
    const { provider, connection } = tools[tool]
    const tags = tag === undefined ? [] : [{ name: tag, vendor_id: null, kind: null }]
    const labels = [{ name, vendor_id, kind }, ...tags]
    const contact = { ...contactOf(email, { labels }), ...(is_trial && { is_trial }) }
    return provider.deliver(connection, contact, completed_calls)
  }

for (const one of CASES) {
  const { tool, kind, id, path, count } = one
  const deliver = deliverTo(one)
  const enrolment = { kind, name: 'Groupe', vendor_id: String(id) }
  const codesOf = ({ refused_enrolments = [] }: CompletedCalls) =>
    refused_enrolments.map(({ code }) => code)

  describe(`a ${kind} of ${tool}`, () => {
    test('a contact joins once, with a tag of the same name, and a repeat has no effect', async () => {
      const email = `une-${kind}@exemple.test`
      const first = await deliver(email, { tag: 'Groupe' })
      assert.equal(first.kind, 'delivered')
      assert.deepEqual(first.completed_calls.enrolments, [enrolment])
      assert.deepEqual(first.completed_calls.labels, ['Groupe'])
      const again = await deliver(email, { tag: 'Groupe' })
      assert.deepEqual([again.kind, count(email)], ['delivered', 1])
    })

    for (const mode of ['before', 'after'] as const)
      for (const isKilled of [false, true])
        test(`a contact joins once if the call fails (${mode})${isKilled ? ' and the process is killed' : ''}`, async () => {
          const email = `${mode}-${isKilled}-${kind}@exemple.test`
          const status = mode === 'before' ? { status: 503 } : {}
          const fake = tool === 'Kit' ? kit : systemio
          fake.fail({ method: 'POST', path, mode, ...status })
          const lost = await deliver(email)
          assert.equal(lost.kind, 'transient')
          const resumed = await deliver(email, {}, isKilled ? {} : lost.completed_calls)
          assert.deepEqual([resumed.kind, count(email)], ['delivered', 1])
          assert.deepEqual(resumed.completed_calls.enrolments, [enrolment])
        })

    test('a missing group is left out with its reason, and everything else is delivered', async () => {
      const email = `absent-${kind}@exemple.test`
      const outcome = await deliver(email, { vendor_id: '424242', tag: 'Reste' })
      assert.ok(outcome.kind === 'delivered')
      assert.equal(outcome.warning, 'label_refused')
      assert.deepEqual(codesOf(outcome.completed_calls), ['missing'])
      assert.deepEqual(outcome.completed_calls.labels, ['Reste'])
      const fake = tool === 'Kit' ? kit : systemio
      const before = fake.journal.length
      await deliver(`suivant-${email}`, { vendor_id: '424242' })
      assert.ok(!fake.journal.slice(before).some((call) => path.test(call.path)))
    })

    test('a plan without the feature is no refusal of the account, and a trial asks again', async () => {
      const email = `offre-${kind}@exemple.test`
      const name = 'Selon l’offre'
      Object.assign(kit.switches, { plan_lacks: [kind] })
      for (const plan_status of [402, 403]) {
        Object.assign(systemio.switches, { plan_lacks: [kind], plan_status })
        const outcome = await deliver(email, { name, is_trial: true })
        assert.equal(outcome.kind, 'delivered')
        assert.deepEqual(codesOf(outcome.completed_calls), ['plan'])
      }
      for (const fake of [kit, systemio]) Object.assign(fake.switches, { plan_lacks: [] })
      const known = await deliver(email, { name })
      assert.deepEqual([codesOf(known.completed_calls), count(email)], [['plan'], 0])
      const trial = await deliver(email, { name, is_trial: true })
      assert.deepEqual([codesOf(trial.completed_calls), count(email)], [[], 1])
    })

    test('a label that has to be picked again is left out without a call', async () => {
      const outcome = await deliver(`autre-${kind}@exemple.test`, { vendor_id: null })
      assert.deepEqual(
        [outcome.kind, codesOf(outcome.completed_calls)],
        ['delivered', ['unpicked']],
      )
      assert.equal(count(`autre-${kind}@exemple.test`), 0)
    })

    test('a deleted contact is created again', async () => {
      const gone = { has_contact: true, vendor_contact_id: '31415' }
      // Kit finds the subscriber of a form by address.
      const outcome = await deliver(`parti-${kind}@exemple.test`, {}, gone)
      assert.deepEqual([outcome.kind, outcome.completed_calls], ['configuration', {}])
    })

    test('a rate limit delays the delivery and keeps what is done', async () => {
      const fake = tool === 'Kit' ? kit : systemio
      fake.fail({ method: 'POST', path, mode: 'before', status: 429, body: 'Retry later' })
      const held = await deliver(`limite-${kind}@exemple.test`)
      assert.ok(held.kind === 'transient' && held.pauses_connection)
      assert.equal(held.completed_calls.has_contact, true)
    })

    test('the groups of the account are listed over several pages, and a missing feature is reported', async () => {
      const { provider, connection } = tools[tool]
      const map = { form: atKit.forms, sequence: atKit.sequences }
      if (kind === 'form' || kind === 'sequence')
        for (let at = 0; at < 600; at += 1)
          map[kind].set(50_000 + at, {
            id: 50_000 + at,
            name: `G ${at}`,
            created_at: '',
            archived: at === 599,
          })
      else
        for (let at = 0; at < 150; at += 1)
          atSystemio[kind === 'course' ? 'courses' : 'communities'].set(50_000 + at, {
            name: `G ${at}`,
          })
      const listed = await provider.listLabels(connection, kind)
      assert.ok(listed.kind === 'labels')
      assert.equal(listed.labels.length, tool === 'Kit' ? 600 : 151)
      assert.deepEqual(listed.labels.at(-1)?.name, tool === 'Kit' ? 'G 598' : 'G 149')
      for (const fake of [kit, systemio]) Object.assign(fake.switches, { plan_lacks: [kind] })
      const lacking = await provider.listLabels(connection, kind)
      assert.deepEqual(lacking.kind === 'permanent' && lacking.code, 'plan')
      const late = await provider.listLabels({ ...connection, isLate: () => true }, kind)
      assert.deepEqual(late.kind === 'transient' && late.code, 'timeout')
    })
  })
}

for (const archived_group of ['accept', 'refuse', 'miss'] satisfies KitSwitches['archived_group'][])
  test(`an archived sequence of Kit never fails the delivery (${archived_group})`, async () => {
    Object.assign(kit.switches, { archived_group })
    const id = 60_000 + archived_group.length
    atKit.sequences.set(id, { id, name: 'Ancienne', created_at: '', archived: true })
    const { provider, connection } = tools.Kit
    const labels = [{ name: 'Ancienne', vendor_id: String(id), kind: 'sequence' as const }]
    const contact = contactOf(`${archived_group}@exemple.test`, { labels })
    const { kind, completed_calls } = await provider.deliver(connection, contact, {})
    assert.equal(kind, 'delivered')
    const expected = { accept: undefined, refuse: 'refused', miss: 'missing' }[archived_group]
    assert.equal(completed_calls.refused_enrolments?.[0]?.code, expected)
  })

for (const joining of ['keeps state', 'resubscribes'] as const)
  for (const kind of ['form', 'sequence'] as const)
    test(`a ${kind} never subscribes a person who unsubscribed (${joining})`, async () => {
      Object.assign(kit.switches, { joining })
      const deliver = deliverTo(CASES.find((candidate) => candidate.kind === kind) as Case)
      const email = `${joining.length}-${kind}@exemple.test`
      const first = await deliver(email, { vendor_id: '424243' })
      const person = subscriberOf(email)
      assert.ok(person)
      person.state = 'cancelled'
      // The first attempt was interrupted, or another participation arrives.
      const { refused_enrolments: _, ...done } = first.completed_calls
      for (const completed_calls of [done, {}]) {
        const outcome = await deliver(email, {}, completed_calls)
        assert.deepEqual(
          [outcome.kind, outcome.kind === 'suppressed' && outcome.reason],
          ['suppressed', 'cancelled'],
        )
      }
      const { state, form_ids, sequence_ids } = person
      assert.deepEqual([state, form_ids, sequence_ids], ['cancelled', [], []])
    })

for (const repeated_member of ['accept', 'refuse'] as const)
  for (const member_form of ['objects', 'ids'] as const)
    test(`Systeme.io keeps the access of a member (${repeated_member}, ${member_form})`, async () => {
      Object.assign(systemio.switches, { repeated_member, member_form })
      const deliver = deliverTo(CASES[2] as Case)
      const email = `partiel-${repeated_member}-${member_form}@exemple.test`
      await deliver(email, { vendor_id: '424244' })
      const contact_id = contactIdOf(email) ?? 0
      const access = 'partial_access'
      atSystemio.enrollments.push({ id: 70_000, group_id: 8_001, contact_id, access })
      const outcome = await deliver(email)
      assert.equal(outcome.completed_calls.enrolments?.length, 1)
      const own = atSystemio.enrollments.filter(
        (enrollment) => enrollment.contact_id === contact_id,
      )
      assert.deepEqual(
        own.map((enrollment) => enrollment.access),
        [access],
      )
    })

test('a full community of Systeme.io is left out for this contact alone', async () => {
  const deliver = deliverTo(CASES[3] as Case)
  atSystemio.communities.set(9_002, { name: 'Complète', is_full: true })
  const full = await deliver('complet@exemple.test', { vendor_id: '9002' })
  assert.ok(full.kind === 'delivered')
  assert.equal(full.completed_calls.refused_enrolments?.[0]?.code, 'refused')
  atSystemio.communities.set(9_002, { name: 'Complète' })
  const next = await deliver('place@exemple.test', { vendor_id: '9002' })
  assert.equal(next.completed_calls.enrolments?.length, 1)
})
