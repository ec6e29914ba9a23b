import { isRecord, noteUnknown, parseJsonBody } from './fake-server.ts'
import {
  findByEmail,
  type KitAccount,
  type KitGroup,
  type KitSwitches,
  type Subscriber,
} from './kit-account.ts'
import { listPage, refuseWith } from './kit-replies.ts'
import { type KitHandler, toWire } from './kit-subscribers.ts'

type GroupKind = 'form' | 'sequence'
const LISTS = { form: 'forms', sequence: 'sequences' } as const
const MEMBERS = { form: 'form_ids', sequence: 'sequence_ids' } as const

/** Creates handlers for the forms or sequences of an account and their subscribers. */
export const kitGroups = (kind: GroupKind, { switches }: { switches: KitSwitches }) => {
  const groupsOf = (account: KitAccount): Map<number, KitGroup> => account[LISTS[kind]]
  /** Refuses calls of accounts whose plan lacks the feature. */
  const inPlan =
    (handle: KitHandler): KitHandler =>
    (request, account) =>
      switches.plan_lacks.includes(kind)
        ? refuseWith(403, 'This feature requires an upgrade')
        : handle(request, account)
  const list: KitHandler = (request, account) => {
    const status = request.query.get('status') ?? 'active'
    const isListed = ({ archived }: KitGroup): boolean =>
      kind === 'sequence' || status === 'all' || (status === 'archived') === archived
    return listPage(request, LISTS[kind], [...groupsOf(account).values()].filter(isListed))
  }
  const join = (
    account: KitAccount,
    id: string | undefined,
    subscriber: Subscriber | undefined,
  ) => {
    const group = groupsOf(account).get(Number(id))
    if (!group || !subscriber) return refuseWith(404, 'Not Found')
    if (group.archived && switches.archived_group === 'refuse')
      return refuseWith(422, 'This form or sequence is archived')
    if (group.archived && switches.archived_group === 'miss') return refuseWith(404, 'Not Found')
    // A person who unsubscribed is subscribed again. The switch is how the vendor may behave.
    if (subscriber.state !== 'active' && switches.joining === 'resubscribes')
      subscriber.state = 'active'
    const ids = subscriber[MEMBERS[kind]]
    const isNew = !ids.includes(group.id)
    if (isNew) ids.push(group.id)
    if (isNew && kind === 'form' && group.has_confirmation)
      account.confirmation_mails.push(subscriber.email_address)
    return { status: isNew ? 201 : 200, body: { subscriber: toWire(subscriber) } }
  }
  const joinById: KitHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!isRecord(body)) return refuseWith(400, 'The request body is not valid JSON')
    noteUnknown(request, body, kind === 'form' ? ['referrer'] : [])
    if (kind === 'form' && typeof body.referrer !== 'string')
      return refuseWith(422, 'Referrer can’t be blank')
    return join(account, request.params.group, account.subscribers.get(Number(request.params.id)))
  }
  const joinByEmail: KitHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!isRecord(body)) return refuseWith(400, 'The request body is not valid JSON')
    noteUnknown(request, body, kind === 'form' ? ['email_address', 'referrer'] : ['email_address'])
    const email = typeof body.email_address === 'string' ? body.email_address.trim() : ''
    if (email === '') return refuseWith(422, 'Email address can’t be blank')
    return join(account, request.params.group, findByEmail(account, email))
  }
  return { list: inPlan(list), joinById: inPlan(joinById), joinByEmail: inPlan(joinByEmail) }
}
