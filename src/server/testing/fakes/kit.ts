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
import { createKitAccounts, type KitAccount, type KitSwitches } from './kit-account.ts'
import { kitFields, kitTags } from './kit-catalogue.ts'
import { kitGroups } from './kit-groups.ts'
import { createKitOauth } from './kit-oauth.ts'
import { refuseWith } from './kit-replies.ts'
import { type KitHandler, kitSubscribers } from './kit-subscribers.ts'

const WINDOW_MS = 60_000

export type FakeKit = Fake & {
  switches: KitSwitches
  /** Environment variables that make our server use this fake. */
  env: Record<string, string>
  accountOf: (name: string) => KitAccount
  /** Invalidates every access token. Refresh tokens stay valid. */
  endAccess: () => void
  /** Ends every consent with its tokens. */
  uninstall: () => void
  /** Returns every issued token. */
  tokens: () => string[]
  grants: readonly { account: string; is_over: boolean; uninstalled: boolean }[]
}

/** Starts a fake Kit with the routes, tokens, rate limit and silent failures of the real Kit. */
export const startKit = async (options: FakeOptions = {}): Promise<FakeKit> => {
  const switches: KitSwitches = {
    client_id: 'cid_demo',
    client_secret: 'cs_demo',
    redirect_uris: [],
    consent: 'approve',
    account: 'compte',
    reuse_ends_grant: false,
    unknown_field: 'warn',
    repeated_label: 'answer',
    max_value_length: null,
    max_fields: 10_000,
    repeated_unsubscribe: 'accept',
    calls_per_minute: 600,
    plan_lacks: [],
    archived_group: 'refuse',
    joining: 'resubscribes',
  }
  const accounts = createKitAccounts()
  const made: { oauth?: ReturnType<typeof createKitOauth> } = {}
  const fake = await startFake((clock) => {
    const oauth = createKitOauth(clock, switches)
    made.oauth = oauth
    return kitVendor({ clock, switches, accounts, oauth })
  }, options)
  const { oauth } = made
  if (!oauth) throw new Error('Kit has not started')
  return {
    ...fake,
    switches,
    env: {
      KIT_CLIENT_ID: switches.client_id,
      KIT_CLIENT_SECRET: switches.client_secret,
      KIT_API_URL: `${fake.origin}/v4`,
      KIT_AUTHORIZE_URL: `${fake.origin}/v4/oauth/authorize`,
      KIT_TOKEN_URL: `${fake.origin}/v4/oauth/token`,
      KIT_REVOKE_URL: `${fake.origin}/v4/oauth/revoke`,
    },
    accountOf: accounts.find,
    endAccess: oauth.endAccess,
    uninstall: oauth.uninstall,
    tokens: oauth.tokens,
    grants: oauth.grants,
  }
}

type Parts = {
  clock: Clock
  switches: KitSwitches
  accounts: ReturnType<typeof createKitAccounts>
  oauth: ReturnType<typeof createKitOauth>
}

const kitVendor = ({ clock, switches, accounts, oauth }: Parts): Vendor => {
  const window = createWindow(clock, WINDOW_MS)
  const tools = { clock, switches, nextId: accounts.nextId }
  const people = kitSubscribers(tools)
  const fields = kitFields(tools)
  const tags = kitTags(tools)
  const forms = kitGroups('form', tools)
  const sequences = kitGroups('sequence', tools)
  /** Wraps a handler: checks token and rate limit, and applies delayed writes that are due. */
  const asCaller =
    (handle: KitHandler) =>
    (request: FakeRequest): FakeReply => {
      const caller = oauth.callerOf(request)
      if (typeof caller === 'string') return refuseWith(401, caller)
      if (!window.take(caller.token, switches.calls_per_minute))
        return { status: 429, body: 'Retry later' }
      const account = accounts.find(caller.account)
      for (const { apply } of account.later.filter(({ at }) => at <= clock.now())) apply()
      account.later = account.later.filter(({ at }) => at > clock.now())
      return handle(request, account)
    }
  const account: KitHandler = (_request, { id, email }) => ({
    status: 200,
    body: {
      user: { email },
      account: { id, name: 'Compte de démonstration', primary_email_address: email },
    },
  })
  const handlers: Record<`${string} /${string}`, KitHandler> = {
    'GET /v4/account': account,
    'POST /v4/subscribers': people.upsert,
    'GET /v4/subscribers': people.list,
    'GET /v4/subscribers/:id': people.read,
    'PUT /v4/subscribers/:id': people.update,
    'POST /v4/subscribers/:id/unsubscribe': people.unsubscribe,
    'GET /v4/custom_fields': fields.list,
    'POST /v4/custom_fields': fields.create,
    'PUT /v4/custom_fields/:id': fields.rename,
    'DELETE /v4/custom_fields/:id': fields.remove,
    'GET /v4/tags': tags.listTags,
    'POST /v4/tags': tags.createTag,
    'POST /v4/tags/:tag/subscribers/:id': tags.tag,
    'POST /v4/tags/:tag/subscribers': tags.tagByEmail,
    'GET /v4/forms': forms.list,
    'POST /v4/forms/:group/subscribers': forms.joinByEmail,
    'POST /v4/forms/:group/subscribers/:id': forms.joinById,
    'GET /v4/sequences': sequences.list,
    'POST /v4/sequences/:group/subscribers': sequences.joinByEmail,
    'POST /v4/sequences/:group/subscribers/:id': sequences.joinById,
  }
  const guarded = Object.entries(handlers).map(([key, handle]) => [key, asCaller(handle)])
  return {
    routes: { ...oauth.routes, ...(Object.fromEntries(guarded) as Routes) },
    unknown: (status) => refuseWith(status, status === 404 ? 'Not Found' : 'Method Not Allowed'),
    state: () => ({
      grants: oauth.grants,
      accounts: [...accounts.accounts].map(([name, { subscribers, fields: all, tags: named }]) => ({
        name,
        subscribers: [...subscribers.values()],
        custom_fields: [...all.values()],
        tags: [...named.values()],
        forms: [...accounts.find(name).forms.values()],
        sequences: [...accounts.find(name).sequences.values()],
      })),
    }),
    switches,
  }
}
