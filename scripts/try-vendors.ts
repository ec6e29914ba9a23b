/**
 * Tests the clients of the email tools with real accounts, and reports responses that differ from those of the fakes.
 * Writes a contact with its contact data and the result field into each account. TRY_PHONE is a number of yours.
 */
import { randomUUID } from 'node:crypto'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { hasTags } from '../src/domain/deliveries/integrations.ts'
import { readConfig } from '../src/server/config/config.ts'
import { createBrevo } from '../src/server/integrations/providers/brevo.ts'
import { createKit } from '../src/server/integrations/providers/kit.ts'
import type { Provider } from '../src/server/integrations/providers/provider.ts'
import { provisionField } from '../src/server/integrations/providers/provision-fields.ts'
import { createSystemio } from '../src/server/integrations/providers/systemio.ts'

const { TRY_KIT_TOKEN, TRY_SYSTEMEIO_KEY, TRY_BREVO_KEY, TRY_EMAIL, TRY_PHONE } = process.env
const { kit, systemio, brevo } = readConfig(process.env).integrations
const selectedTools = [
  { secret: TRY_KIT_TOKEN, client: createKit(kit), field_name: 'Résultat quiz' },
  { secret: TRY_SYSTEMEIO_KEY, client: createSystemio(systemio), field_name: 'Résultat quiz' },
  { secret: TRY_BREVO_KEY, client: createBrevo(brevo), field_name: 'RESULTAT_QUIZ' },
].flatMap(({ secret, ...tool }) => (secret ? [{ secret, ...tool }] : []))

if (selectedTools.length === 0 || !TRY_EMAIL) {
  console.error(
    'Nothing was tried. Set TRY_EMAIL to an address of yours, and one or more of TRY_KIT_TOKEN (an access token), TRY_SYSTEMEIO_KEY, TRY_BREVO_KEY.',
  )
  process.exit(2)
}
const email = TRY_EMAIL
let failures = 0

const reportCheck = (tool: string, what: string, isExpected: boolean, seen: unknown): void => {
  if (!isExpected) failures += 1
  console.log(`${isExpected ? 'as expected' : 'DIFFERENT  '}  ${tool}: ${what}`)
  if (!isExpected) console.log(`             ${JSON.stringify(seen)}`)
}

const checkTool = async (client: Provider, secret: string, field_name: string): Promise<void> => {
  const { name } = client
  const wrong = await client.check(`${secret}x`)
  reportCheck(name, 'a wrong key is refused', wrong.kind === 'credential', wrong)
  const identity = await client.check(secret)
  reportCheck(name, 'the key opens the account', identity.kind === 'valid', identity.kind)
  if (identity.kind !== 'valid') return
  const { vendor_account_id } = identity
  const connection = { id: randomUUID(), user_id: randomUUID(), provider: name, secret }
  const open = { ...connection, vendor_account_id }
  const made = await provisionField(client, open, field_name)
  reportCheck(name, 'the field is found or created', made.kind === 'provisioned', made)
  if (made.kind !== 'provisioned') return
  const again = await provisionField(client, open, field_name)
  const isSame = again.kind === 'provisioned' && again.field_key === made.field_key
  reportCheck(name, 'the field is found again by its name', isSame, again)
  const { field_key } = made
  const labels = hasTags(name) ? [{ name: 'Quizaine, essai', vendor_id: null, kind: null }] : []
  const own = await client.listFields(open)
  const isListed = own.kind === 'account_fields' && own.fields.some(({ key }) => key === field_key)
  reportCheck(name, 'the field is one of the own fields', isListed, own)
  const country = 'FR' as const
  const person = { first_name: 'Camille', last_name: 'Essai', phone: TRY_PHONE ?? null }
  const result = { key: field_key, name: field_name, is_result: true as const }
  for (const value of ['Premier essai', 'Second essai']) {
    const contact = { email, person, country, fields: [{ ...result, value }], labels }
    const sent = await client.deliver(open, contact, {})
    const isThere = sent.kind === 'delivered' || sent.kind === 'suppressed'
    reportCheck(name, `a contact arrives (${value}, ${sent.kind})`, isThere, sent)
    const { refused_fields = [] } = sent.completed_calls
    reportCheck(name, 'the contact data is accepted', refused_fields.length === 0, refused_fields)
  }
  const wrongPhone = { ...NO_CONTACT, phone: 'pas un numéro' }
  const withoutPhone = { email, person: wrongPhone, country, fields: [], labels: [] }
  const told = await client.deliver(open, withoutPhone, {})
  const isLeftOut = told.kind === 'delivered' || told.kind === 'suppressed'
  reportCheck(name, 'a text that is no phone number loses no contact', isLeftOut, told)
  const fields = [{ ...result, value: 'Essai' }]
  const invalid_contact = { email: 'sans-arobase', person: NO_CONTACT, country, fields, labels: [] }
  const refused = await client.deliver(open, invalid_contact, {})
  reportCheck(
    name,
    'an invalid address is refused permanently',
    refused.kind === 'permanent',
    refused,
  )
  const missing = { key: 'quizaine_absent', name: 'Absent', value: 'Essai' }
  const absent = { email, person: NO_CONTACT, country, labels: [] }
  const lost = await client.deliver(
    open,
    { ...absent, fields: [{ ...missing, can_recreate: true }] },
    {},
  )
  reportCheck(name, 'a missing field is reported', lost.kind === 'configuration', lost)
  const left = await client.deliver(open, { ...absent, fields: [missing] }, {})
  const isNamed = left.completed_calls.refused_fields?.includes('Absent') === true
  reportCheck(name, 'a missing field is left out and named', isNamed, left)
}

for (const { secret, client, field_name } of selectedTools)
  await checkTool(client, secret, field_name)
console.log(failures === 0 ? 'All is as expected.' : `${failures} answers differ.`)
process.exit(failures === 0 ? 0 : 1)
