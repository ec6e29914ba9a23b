/**
 * Tests our clients with real accounts and reports differences from the stand-ins. Writes one contact and the result
 * field into each account.
 */
import { randomUUID } from 'node:crypto'
import { hasTags } from '../src/domain/deliveries/integrations.ts'
import { readConfig } from '../src/server/config/config.ts'
import { createBrevo } from '../src/server/integrations/providers/brevo.ts'
import { createConvertkit } from '../src/server/integrations/providers/convertkit.ts'
import type { Provider } from '../src/server/integrations/providers/provider.ts'
import { provisionField } from '../src/server/integrations/providers/provision-fields.ts'
import { createSystemio } from '../src/server/integrations/providers/systemio.ts'

const { TRY_KIT_TOKEN, TRY_SYSTEMEIO_KEY, TRY_BREVO_KEY, TRY_EMAIL } = process.env
const { kit, systemio, brevo } = readConfig(process.env).integrations
const given = [
  { secret: TRY_KIT_TOKEN, client: createConvertkit(kit), field_name: 'Résultat quiz' },
  { secret: TRY_SYSTEMEIO_KEY, client: createSystemio(systemio), field_name: 'Résultat quiz' },
  { secret: TRY_BREVO_KEY, client: createBrevo(brevo), field_name: 'RESULTAT_QUIZ' },
].flatMap(({ secret, ...tool }) => (secret ? [{ secret, ...tool }] : []))

if (given.length === 0 || !TRY_EMAIL) {
  console.error(
    'Nothing was tried. Set TRY_EMAIL to an address of yours, and one or more of TRY_KIT_TOKEN (an access token), TRY_SYSTEMEIO_KEY, TRY_BREVO_KEY.',
  )
  process.exit(2)
}
const email = TRY_EMAIL
let failures = 0

const tell = (tool: string, what: string, isSo: boolean, seen: unknown): void => {
  if (!isSo) failures += 1
  console.log(`${isSo ? 'as expected' : 'DIFFERENT  '}  ${tool}: ${what}`)
  if (!isSo) console.log(`             ${JSON.stringify(seen)}`)
}

const tryOut = async (client: Provider, secret: string, field_name: string): Promise<void> => {
  const { name } = client
  const wrong = await client.check(`${secret}x`)
  tell(name, 'a wrong key is refused', wrong.kind === 'credential', wrong)
  const identity = await client.check(secret)
  tell(name, 'the key opens the account', identity.kind === 'valid', identity.kind)
  if (identity.kind !== 'valid') return
  const { vendor_account_id } = identity
  const connection = { id: randomUUID(), user_id: randomUUID(), provider: name, secret }
  const open = { ...connection, vendor_account_id }
  const made = await provisionField(client, open, field_name)
  tell(name, 'the field is found or made', made.kind === 'provisioned', made)
  if (made.kind !== 'provisioned') return
  const again = await provisionField(client, open, field_name)
  const isSame = again.kind === 'provisioned' && again.field_key === made.field_key
  tell(name, 'and found again by the same name', isSame, again)
  const { field_key } = made
  const labels = hasTags(name) ? [{ name: 'Quizaine, essai', vendor_id: null }] : []
  for (const value of ['Premier essai', 'Second essai']) {
    const contact = { email, fields: [{ key: field_key, value }], labels }
    const sent = await client.deliver(open, contact, {})
    const isThere = sent.kind === 'delivered' || sent.kind === 'suppressed'
    tell(name, `a contact arrives (${value}, ${sent.kind})`, isThere, sent)
  }
  const fields = [{ key: field_key, value: 'Essai' }]
  const nobody = { email: 'sans-arobase', fields, labels: [] }
  const refused = await client.deliver(open, nobody, {})
  tell(name, 'what is no address is refused for good', refused.kind === 'permanent', refused)
  const absent = { email, fields: [{ key: 'quizaine_absent', value: 'Essai' }], labels: [] }
  const lost = await client.deliver(open, absent, {})
  tell(name, 'a field that is not there is noticed', lost.kind === 'configuration', lost)
}

for (const { secret, client, field_name } of given) await tryOut(client, secret, field_name)
console.log(failures === 0 ? 'All is as expected.' : `${failures} answers differ.`)
process.exit(failures === 0 ? 0 : 1)
