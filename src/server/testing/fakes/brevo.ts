import { brevoCatalogue } from './brevo-catalogue.ts'
import {
  type BrevoAccount,
  type BrevoHandler,
  type BrevoSwitches,
  brevoContacts,
  refused,
} from './brevo-contacts.ts'
import { type Clock, createWindow } from './clock.ts'
import {
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  type Routes,
  startFake,
  type Vendor,
} from './fake-server.ts'
import { type Accounts, createAccounts, createKeys } from './keys.ts'

const HOUR_MS = 3_600_000

export type FakeBrevo = Fake & {
  switches: BrevoSwitches
  env: Record<string, string>
  keys: ReturnType<typeof createKeys>
  accountOf: (name: string) => BrevoAccount
}

const makeAccount = (): BrevoAccount => ({
  contacts: new Map(),
  attributes: new Map([
    ['NOM', { name: 'NOM', category: 'normal', type: 'text' }],
    ['PRENOM', { name: 'PRENOM', category: 'normal', type: 'text' }],
    ['SMS', { name: 'SMS', category: 'normal', type: 'text' }],
    ['ORDER_ID', { name: 'ORDER_ID', category: 'transactional', type: 'id' }],
  ]),
  lists: new Map([[7, 'Participants']]),
  folders: new Map([[1, 'Your first folder']]),
})

/** Starts a fake Brevo, which silently drops unknown attributes and has two rate limits. */
export const startBrevo = async (options: FakeOptions = {}): Promise<FakeBrevo> => {
  const switches: BrevoSwitches = {
    duplicate_code: 'duplicate_parameter',
    allowed_ips: null,
    contacts_per_second: 10,
    others_per_hour: 100,
    reset_in: 'seconds',
    max_lists: 1_000,
    max_attributes: 1_000,
    long_text: 'drop',
    domains_without_mail: ['sans-courrier.test'],
  }
  const accounts = createAccounts(makeAccount)
  const made: { keys?: ReturnType<typeof createKeys> } = {}
  const fake = await startFake((clock) => {
    const keys = createKeys(clock)
    made.keys = keys
    keys.add('xkeysib-demo')
    return brevoVendor({ clock, switches, keys, accounts })
  }, options)
  const { keys } = made
  if (!keys) throw new Error('Brevo has not started')
  return {
    ...fake,
    switches,
    env: { BREVO_API_URL: `${fake.origin}/v3` },
    keys,
    accountOf: accounts.find,
  }
}

type Parts = {
  clock: Clock
  switches: BrevoSwitches
  keys: ReturnType<typeof createKeys>
  accounts: Accounts<BrevoAccount>
}

const brevoVendor = ({ clock, switches, keys, accounts }: Parts): Vendor => {
  const seconds = createWindow(clock, 1000)
  const hours = createWindow(clock, HOUR_MS)
  const bucketOf = ({ path }: FakeRequest, account: string) => {
    const isContacts = path.startsWith('/v3/contacts')
    return isContacts
      ? { window: seconds, key: account, most: switches.contacts_per_second }
      : { window: hours, key: account, most: switches.others_per_hour }
  }
  const keyOf = (request: FakeRequest): ReturnType<typeof keys.find> | FakeReply => {
    const given = request.headers['api-key']
    if (typeof given !== 'string')
      return refused(401, 'unauthorized', 'authentication not found in headers')
    const key = keys.find(given)
    if (!key) return refused(401, 'unauthorized', 'Key not found')
    const ip = String(request.headers['x-fake-ip'] ?? request.address)
    if (switches.allowed_ips && !switches.allowed_ips.includes(ip))
      return refused(
        401,
        'unauthorized',
        `We have detected you are using an unrecognised IP address ${ip}. Authorise it here: https://app.brevo.com/security/authorised_ips`,
      )
    if (!key.can_contacts && request.path.startsWith('/v3/contacts'))
      return refused(403, 'permission_denied', 'The key lacks this permission')
    return key
  }
  const asCaller =
    (handle: BrevoHandler) =>
    (request: FakeRequest): FakeReply => {
      const key = keyOf(request)
      if (!key || 'status' in key) return key ?? refused(401, 'unauthorized', 'Key not found')
      const { window, key: counted, most } = bucketOf(request, key.account)
      const isFree = window.take(counted, most)
      const wait = window.wait(counted)
      const headers = {
        'x-sib-ratelimit-limit': String(most),
        'x-sib-ratelimit-remaining': String(window.left(counted, most)),
        'x-sib-ratelimit-reset': String(
          switches.reset_in === 'seconds' ? Math.ceil(wait / 1000) : wait,
        ),
      }
      if (!isFree) return { ...refused(429, 'too_many_requests', 'Too many requests'), headers }
      const reply = handle(request, accounts.find(key.account))
      return { ...reply, headers: { ...reply.headers, ...headers } }
    }
  let lastId = 4000
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  const contacts = brevoContacts({ switches, nextId })
  const catalogue = brevoCatalogue({ switches, nextId })
  const handlers: Record<`${string} /${string}`, BrevoHandler> = {
    'GET /v3/account': (request) => ({
      status: 200,
      body: {
        email: `${keys.find(String(request.headers['api-key']))?.account}@brevo.test`,
        companyName: 'Démonstration',
      },
    }),
    'GET /v3/contacts/attributes': catalogue.listAttributes,
    'POST /v3/contacts/attributes/:category/:name': catalogue.createAttribute,
    'GET /v3/contacts/lists': catalogue.listLists,
    'POST /v3/contacts/lists': catalogue.createList,
    'GET /v3/contacts/folders': catalogue.listFolders,
    'POST /v3/contacts/folders': catalogue.createFolder,
    'POST /v3/contacts': contacts.upsert,
    'GET /v3/contacts/:id': contacts.read,
    'PUT /v3/contacts/:id': contacts.update,
    'DELETE /v3/contacts/:id': contacts.remove,
  }
  const guarded = Object.entries(handlers).map(([key, handle]) => [key, asCaller(handle)])
  return {
    routes: Object.fromEntries(guarded) as Routes,
    unknown: (status) =>
      refused(
        status,
        status === 404 ? 'not_found' : 'method_not_allowed',
        status === 404 ? 'Unknown route' : 'Method not allowed',
      ),
    state: () =>
      [...accounts.all].map(([name, { contacts: people, attributes, lists }]) => ({
        name,
        contacts: [...people.values()],
        attributes: [...attributes.values()],
        lists: Object.fromEntries(lists),
      })),
    switches,
  }
}
