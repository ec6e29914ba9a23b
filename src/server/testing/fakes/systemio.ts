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
import { systemioFields, systemioTags } from './systemio-catalogue.ts'
import {
  type SystemioAccount,
  type SystemioHandler,
  type SystemioSwitches,
  systemioContacts,
} from './systemio-contacts.ts'
import { systemioGroups } from './systemio-groups.ts'
import { problem } from './systemio-replies.ts'

export type FakeSystemio = Fake & {
  switches: SystemioSwitches
  env: Record<string, string>
  keys: ReturnType<typeof createKeys>
  accountOf: (name: string) => SystemioAccount
}

const makeAccount = (): SystemioAccount => ({
  contacts: new Map(),
  fields: new Map([
    ['first_name', 'Prénom'],
    ['surname', 'Nom'],
    ['phone_number', 'Téléphone'],
    ['country', 'Pays'],
  ]),
  tags: new Map(),
  courses: new Map([[8_001, { name: 'Premiers pas' }]]),
  communities: new Map([[9_001, { name: 'Le cercle' }]]),
  enrollments: [],
  memberships: [],
})

/** Starts a fake Systeme.io, which refuses existing addresses, limits calls and answers in the account's language. */
export const startSystemio = async (options: FakeOptions = {}): Promise<FakeSystemio> => {
  const switches: SystemioSwitches = {
    language: 'fr',
    domains_without_mail: ['sans-courrier.test'],
    unknown_slug: 'reject',
    field_path: 'index',
    checks_phone: false,
    max_fields: 10_000,
    repeated_tag: 'accept',
    max_tags: 1000,
    fields_per_page: null,
    calls: 10,
    window_ms: 10_000,
    sends_remaining: true,
    refill: 'seconds',
    plan_lacks: [],
    plan_status: 403,
    repeated_member: 'accept',
    member_form: 'objects',
  }
  const accounts = createAccounts(makeAccount)
  const made: { keys?: ReturnType<typeof createKeys> } = {}
  const fake = await startFake((clock) => {
    const keys = createKeys(clock)
    made.keys = keys
    keys.add('systemeio-demo')
    return systemioVendor({ clock, switches, keys, accounts })
  }, options)
  const { keys } = made
  if (!keys) throw new Error('Systeme.io has not started')
  return {
    ...fake,
    switches,
    env: { SYSTEMEIO_API_URL: fake.origin },
    keys,
    accountOf: accounts.find,
  }
}

type Parts = {
  clock: Clock
  switches: SystemioSwitches
  keys: ReturnType<typeof createKeys>
  accounts: Accounts<SystemioAccount>
}

const systemioVendor = ({ clock, switches, keys, accounts }: Parts): Vendor => {
  const windows = new Map<number, ReturnType<typeof createWindow>>()
  const windowOf = (): ReturnType<typeof createWindow> => {
    const known = windows.get(switches.window_ms) ?? createWindow(clock, switches.window_ms)
    windows.set(switches.window_ms, known)
    return known
  }
  const refillOf = (account: string): string => {
    const at = clock.now() + windowOf().wait(account)
    if (switches.refill === 'date') return new Date(at).toUTCString()
    if (switches.refill === 'epoch') return String(Math.ceil(at / 1000))
    return String(Math.ceil(windowOf().wait(account) / 1000))
  }
  const limitHeaders = (account: string): Record<string, string> => ({
    'x-ratelimit-limit': String(switches.calls),
    ...(switches.sends_remaining && {
      'x-ratelimit-remaining': String(windowOf().left(account, switches.calls)),
    }),
    'x-ratelimit-refill': refillOf(account),
  })
  const asCaller =
    (handle: SystemioHandler) =>
    (request: FakeRequest): FakeReply => {
      const given = request.headers['x-api-key']
      if (typeof given !== 'string')
        return problem(401, 'Full authentication is required to access this resource.')
      const key = keys.find(given)
      if (!key)
        return {
          status: 401,
          body: { detail: 'Invalid API Key.' },
          headers: {
            'content-type': 'application/problem+json; charset=utf-8',
            'www-authenticate': 'API Key',
          },
        }
      const isFree = windowOf().take(key.account, switches.calls)
      const headers = limitHeaders(key.account)
      if (!isFree) {
        const seconds = String(Math.max(1, Math.ceil(windowOf().wait(key.account) / 1000)))
        return problem(429, 'Too Many Requests', { ...headers, 'retry-after': seconds })
      }
      const reply = handle(request, accounts.find(key.account))
      return { ...reply, headers: { ...reply.headers, ...headers } }
    }
  let lastId = 5000
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  const contacts = systemioContacts({ clock, switches, nextId })
  const fields = systemioFields({ switches })
  const tags = systemioTags({ switches, nextId })
  const courses = systemioGroups('course', { switches, nextId })
  const communities = systemioGroups('community', { switches, nextId })
  const handlers: Record<`${string} /${string}`, SystemioHandler> = {
    'POST /api/contacts': contacts.create,
    'GET /api/contacts': contacts.list,
    'GET /api/contacts/:id': contacts.read,
    'PATCH /api/contacts/:id': contacts.patch,
    'DELETE /api/contacts/:id': contacts.remove,
    'GET /api/contact_fields': fields.list,
    'POST /api/contact_fields': fields.create,
    'GET /api/tags': tags.list,
    'POST /api/tags': tags.create,
    'POST /api/contacts/:id/tags': tags.assign,
    'DELETE /api/contacts/:id/tags/:tag': tags.unassign,
    'GET /api/school/courses': courses.listGroups,
    'GET /api/school/enrollments': courses.listMembers,
    'POST /api/school/courses/:group/enrollments': courses.join,
    'GET /api/community/communities': communities.listGroups,
    'GET /api/community/memberships': communities.listMembers,
    'POST /api/community/communities/:group/memberships': communities.join,
  }
  const guarded = Object.entries(handlers).map(([key, handle]) => [key, asCaller(handle)])
  return {
    routes: Object.fromEntries(guarded) as Routes,
    unknown: (status) => problem(status, status === 404 ? 'Not Found' : 'Method Not Allowed'),
    state: () =>
      [...accounts.all].map(([name, account]) => ({
        name,
        contacts: [...account.contacts.values()],
        fields: Object.fromEntries(account.fields),
        tags: Object.fromEntries(account.tags),
        courses: Object.fromEntries(account.courses),
        communities: Object.fromEntries(account.communities),
        enrollments: account.enrollments,
        memberships: account.memberships,
      })),
    switches,
  }
}
