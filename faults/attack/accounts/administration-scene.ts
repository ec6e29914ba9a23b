import { randomUUID } from 'node:crypto'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, type AttackRequest, send } from '../runner/requests.ts'
import { createAuthClient, createEmail, followLink, type Tokens, tokensOf } from './auth-client.ts'

/** Addresses of ADMIN_EMAILS on the attacked site. The last one has no account until an attacker takes it. */
export const ADMIN_ADDRESSES = {
  first: 'cheffe@attaque.example',
  second: 'adjoint@attaque.example',
  free: 'libre@attaque.example',
} as const

const PASSWORD = 'un mot de passe de l’attaque'

/** Account with a session on the attacked site. */
export type Person = Tokens & { id: string; email: string; password: string }

/** Site with two administrators, and a creator who attacks it. */
export type AdminScene = {
  context: AttackContext
  origin: string
  administrator: Person
  second: Person
  creator: Person
  /** Creates an account that is confirmed at once. */
  openAccount: (email?: string) => Promise<Person>
  /** Sends a call of administrators, such as `/accounts`. */
  callAdmin: (path: string, request?: AttackRequest) => Promise<Answer>
}

/** Follows the next link about a forgotten password; notices about the account come in between. */
const followRecovery = async (context: AttackContext, email: string): Promise<Tokens> => {
  const mail = await context.mailTo(email)
  assertPrecondition(mail !== undefined, `no mail to ${email} arrived`)
  return mail?.link.includes('type=recovery')
    ? followLink(mail.link)
    : followRecovery(context, email)
}

/** Proves an address by « Mot de passe oublié », as its owner does, and returns the new session. */
export const proveAddress = async (
  context: AttackContext,
  origin: string,
  email: string,
): Promise<Tokens> => {
  await createAuthClient(origin).post('/recover', { email })
  return followRecovery(context, email)
}

/** Starts the site, and creates its accounts. */
export const openAdminScene = async (context: AttackContext): Promise<AdminScene> => {
  const { origin } = await context.configuredSite('administered')
  const { signUp, post } = createAuthClient(origin)
  const openAccount = async (email = createEmail()): Promise<Person> => {
    const answer = await signUp(email, PASSWORD)
    const { user } = answer.json as { user?: { id: string } }
    assertPrecondition(answer.status === 200 && user !== undefined, `${email} got no account`)
    return { ...tokensOf(answer), id: user?.id ?? '', email, password: PASSWORD }
  }
  const openAdministrator = async (email: string): Promise<Person> => {
    const account = await openAccount(email)
    const proven = await proveAddress(context, origin, email)
    const changed = await send(`${origin}/auth/v1/user`, {
      method: 'PUT',
      token: proven.access_token,
      body: { password: PASSWORD },
    })
    assertPrecondition(changed.status === 200, `${email} could not choose a password`)
    return { ...account, ...tokensOf(await post('/token?grant_type=password', account)) }
  }
  const callAdmin = (path: string, request?: AttackRequest) =>
    send(`${origin}/api/v1/admin${path}`, request)
  const administrator = await openAdministrator(ADMIN_ADDRESSES.first)
  const scene = {
    context,
    origin,
    administrator,
    second: await openAdministrator(ADMIN_ADDRESSES.second),
    creator: await openAccount(),
    openAccount,
    callAdmin,
  }
  const { status } = await callAdmin('/overview', { token: administrator.access_token })
  assertPrecondition(status === 200, `the administrator was answered ${status}`)
  return scene
}

/** Calls of administrators with valid bodies; `accountId` is the account that the call changes. */
export const adminCalls = (
  accountId: string,
): { name: string; path: string; method: string; body: unknown }[] =>
  contractCalls
    .filter(([name]) => name.startsWith('admin.'))
    .map(([name, { method, path }]) => ({
      name,
      method,
      path: path.replace('/admin', '').replace('{accountId}', accountId),
      body:
        method === 'GET'
          ? undefined
          : (validBodies({
              id: '',
              question_id: randomUUID(),
              answer_ids: [],
              open_id: randomUUID(),
              result_ids: [],
            })[name] ?? {}),
    }))

const CHANGING_HEADERS = ['date', 'x-request-id', 'connection', 'keep-alive']
const comparable = ({ status, headers, text }: Answer): string =>
  JSON.stringify([
    status,
    [...headers].filter(([name]) => !CHANGING_HEADERS.includes(name)).sort(),
    text,
  ])

/**
 * Sends each call of administrators with a request. Returns a line for each answer that differs in status, headers or body
 * from that of an unknown path.
 */
export const findDifferences = async (
  { origin, creator }: AdminScene,
  request: AttackRequest,
  query = '',
): Promise<string[]> => {
  const successes: string[] = []
  for (const { name, method, path, body } of adminCalls(creator.id)) {
    const sendTo = (folder: string) =>
      send(`${origin}/api/v1/${folder}${path}${query}`, { method, body, ...request })
    const [known, unknown] = [await sendTo('admin'), await sendTo('admim')]
    if (comparable(known) !== comparable(unknown))
      successes.push(`${name} is answered ${known.status}, an unknown path ${unknown.status}`)
  }
  return successes
}

/** Returns the token of the administrator for a request. */
export const tokenOf = ({ administrator }: AdminScene): { token: string } => ({
  token: administrator.access_token,
})

/** Disables an account as the administrator. */
export const disable = (scene: AdminScene, { id }: Person): Promise<Answer> =>
  scene.callAdmin(`/accounts/${id}/disable`, { method: 'POST', ...tokenOf(scene) })

/** Enables an account as the administrator. */
export const enable = (scene: AdminScene, { id }: Person): Promise<Answer> =>
  scene.callAdmin(`/accounts/${id}/enable`, { method: 'POST', ...tokenOf(scene) })

/** Chooses who may sign up. Throws if the site refuses. */
export const setSignUp = async (scene: AdminScene, sign_up_mode: string): Promise<void> => {
  const body = { sign_up_mode }
  const { status } = await scene.callAdmin('/sign-up', { method: 'PUT', body, ...tokenOf(scene) })
  assertPrecondition(status === 200, `the rule for sign-ups was answered ${status}`)
}

/** Invites an address as the administrator. */
export const invite = (scene: AdminScene, email: string): Promise<Answer> =>
  scene.callAdmin('/accounts', { body: { email }, ...tokenOf(scene) })

/** Returns the number of accounts of the site. */
export const countAccounts = async (scene: AdminScene): Promise<number> => {
  const { json } = await scene.callAdmin('/overview', tokenOf(scene))
  return (json.accounts as { nb_accounts: number }).nb_accounts
}
