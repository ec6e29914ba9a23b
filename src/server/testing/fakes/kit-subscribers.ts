import type { Clock } from './clock.ts'
import {
  type FakeReply,
  type FakeRequest,
  isRecord,
  noteUnknown,
  parseJsonBody,
} from './fake-server.ts'
import { findByEmail, type KitAccount, type KitSwitches, type Subscriber } from './kit-account.ts'
import { listPage, refuseWith } from './kit-replies.ts'

const MAX_FIELDS = 140
const MAX_PARALLEL = 10
const LATER_MS = 5_000
/** Delay until the fake Kit lists a new subscriber, in milliseconds. */
export const LIST_LAG_MS = 30_000
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const KNOWN = ['email_address', 'first_name', 'state', 'fields']

export type KitHandler = (request: FakeRequest, account: KitAccount) => FakeReply
type Tools = { clock: Clock; switches: KitSwitches; nextId: () => number }

/** Returns the public properties of a subscriber. */
export const toWire = ({
  tag_ids,
  form_ids,
  sequence_ids,
  listed_from,
  ...shown
}: Subscriber): object => shown

/** Creates handlers that create, update, read, list and unsubscribe subscribers. */
export const kitSubscribers = ({ clock, switches, nextId }: Tools) => {
  /** Returns the values of known fields and warnings about unknown ones. */
  const sortFields = (account: KitAccount, given: Record<string, unknown>) => {
    const keys = new Set([...account.fields.values()].map(({ key }) => key))
    const known = Object.entries(given).filter(([key]) => keys.has(key))
    const unknown = Object.keys(given).filter((key) => !keys.has(key))
    return {
      known: Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
      unknown: unknown.map((key) => `Custom field ${key} does not exist`),
    }
  }
  const write = (
    request: FakeRequest,
    account: KitAccount,
    choose: (email: string) => Subscriber | FakeReply,
  ): FakeReply => {
    const body = parseJsonBody(request)
    if (!body) return refuseWith(400, 'The request body is not valid JSON')
    noteUnknown(request, body, KNOWN)
    const email = typeof body.email_address === 'string' ? body.email_address.trim() : ''
    if (email === '') return refuseWith(422, 'Email address can’t be blank')
    if (!EMAIL.test(email)) return refuseWith(422, 'Email address is invalid')
    const given = isRecord(body.fields) ? body.fields : {}
    const count = Object.keys(given).length
    if (count > MAX_FIELDS) return refuseWith(422, `No more than ${MAX_FIELDS} fields`)
    const longest = switches.max_value_length ?? Number.POSITIVE_INFINITY
    if ([body.first_name, ...Object.values(given)].some((text) => String(text).length > longest))
      return refuseWith(422, `Value is too long (maximum is ${longest} characters)`)
    const { known, unknown } = sortFields(account, given)
    if (unknown.length > 0 && switches.unknown_field === 'reject')
      return refuseWith(422, ...unknown)
    for (const said of unknown) request.note(said)

    const isNew = !findByEmail(account, email)
    const subscriber = choose(email)
    if ('status' in subscriber) return subscriber
    if (isNew && typeof body.state === 'string') subscriber.state = body.state
    if (typeof body.first_name === 'string') subscriber.first_name = body.first_name
    subscriber.listed_from = clock.now() + LIST_LAG_MS
    const apply = (): void => {
      Object.assign(subscriber.fields, known)
    }
    const isLater = count > MAX_PARALLEL
    if (isLater) account.later.push({ at: clock.now() + LATER_MS, apply })
    else apply()
    const saysSo = switches.unknown_field === 'warn'
    const body_ = { subscriber: toWire(subscriber), warnings: saysSo ? unknown : [] }
    if (isLater) return { status: 202, body: body_ }
    return { status: isNew ? 201 : 200, body: body_ }
  }
  const make = (account: KitAccount, email: string): Subscriber => {
    const subscriber: Subscriber = {
      id: nextId(),
      first_name: null,
      email_address: email,
      state: 'active',
      created_at: new Date(clock.now()).toISOString(),
      fields: {},
      tag_ids: [],
      form_ids: [],
      sequence_ids: [],
      listed_from: 0,
    }
    account.subscribers.set(subscriber.id, subscriber)
    return subscriber
  }
  const upsert: KitHandler = (request, account) =>
    write(request, account, (email) => findByEmail(account, email) ?? make(account, email))
  const update: KitHandler = (request, account) =>
    write(request, account, (email) => {
      const subscriber = account.subscribers.get(Number(request.params.id))
      if (!subscriber) return refuseWith(404, 'Not Found')
      const owner = findByEmail(account, email)
      if (owner && owner !== subscriber) return refuseWith(422, 'Email address is taken')
      subscriber.email_address = email
      return subscriber
    })
  const read: KitHandler = ({ params }, account) => {
    const subscriber = account.subscribers.get(Number(params.id))
    if (!subscriber) return refuseWith(404, 'Not Found')
    return { status: 200, body: { subscriber: toWire(subscriber) } }
  }
  const list: KitHandler = (request, account) => {
    if (/(?:^|&)email_address=[^&]*\+/.test(request.raw_query))
      return refuseWith(422, 'Email address is invalid')
    const email = request.query.get('email_address')?.toLowerCase()
    const status = request.query.get('status') ?? 'active'
    const shown = [...account.subscribers.values()]
      .filter(({ listed_from }) => listed_from <= clock.now())
      .filter(({ state }) => status === 'all' || state === status)
      .filter(({ email_address }) => !email || email_address.toLowerCase() === email)
    return listPage(request, 'subscribers', shown, toWire)
  }
  const unsubscribe: KitHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!body) return refuseWith(400, 'The request body is not valid JSON')
    noteUnknown(request, body, [])
    const subscriber = account.subscribers.get(Number(request.params.id))
    if (!subscriber) return refuseWith(404, 'Not Found')
    if (subscriber.state === 'cancelled' && switches.repeated_unsubscribe === 'refuse')
      return refuseWith(422, 'Subscriber is already unsubscribed')
    subscriber.state = 'cancelled'
    return { status: 204 }
  }
  return { upsert, update, unsubscribe, read, list }
}
