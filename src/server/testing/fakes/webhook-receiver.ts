import { Webhook } from 'standardwebhooks'
import {
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
  parseJsonBody,
  startFake,
} from './fake-server.ts'

/** Accepted webhook message. */
type ReceivedEvent = {
  id: string
  signature: string
  text: string
  headers: Record<string, string>
}

export type FakeReceiver = Fake & {
  /** Verifies signatures of an address with this secret. Without a secret, only their form is checked. */
  verifyAt: (name: string, secret: string) => void
  /** Returns the address of a webhook name. */
  urlOf: (name: string) => string
  /** Returns all accepted messages of a webhook name, including repeats. */
  receivedAt: (name: string) => ReceivedEvent[]
}

const TYPES: readonly unknown[] = ['response.created', 'person.erased', 'test']
const refused = (why: string): FakeReply => ({ status: 400, body: { refused: why } })

/** Starts a webhook receiver that answers 204, and refuses messages that violate Standard Webhooks. */
export const startReceiver = async (options: FakeOptions = {}): Promise<FakeReceiver> => {
  const secrets = new Map<string, string>()
  const received = new Map<string, ReceivedEvent[]>()
  const take = (request: FakeRequest): FakeReply => {
    const { headers, text, params, raw_query } = request
    const { name = '' } = params
    const id = String(headers['webhook-id'])
    const signature = String(headers['webhook-signature'])
    const event = parseJsonBody(request)
    if (headers['content-type'] !== 'application/json') return refused('content-type')
    if (headers['transfer-encoding'] !== undefined) return refused('no length')
    if (raw_query !== '' || !/^msg_[\w-]{20,40}$/.test(id)) return refused('webhook-id')
    if (!/^\d{10}$/.test(String(headers['webhook-timestamp']))) return refused('webhook-timestamp')
    if (!/^v1,[\w+/]{43}=(?: v1,[\w+/]{43}=)?$/.test(signature)) return refused('webhook-signature')
    if (!event || !TYPES.includes(event.type)) return refused('type')
    const sent = {
      'webhook-id': id,
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': signature,
    }
    const secret = secrets.get(name)
    if (secret !== undefined) {
      try {
        new Webhook(secret).verify(text, sent)
      } catch {
        return { status: 401, body: { refused: 'signature' } }
      }
    }
    const known = received.get(name) ?? []
    received.set(name, [...known, { id, signature, text, headers: sent }])
    return { status: 204 }
  }
  const fake = await startFake(
    () => ({
      routes: { 'POST /hooks/:name': take },
      unknown: (status) => ({ status, body: 'Il n’y a rien ici' }),
      state: () => Object.fromEntries(received),
      switches: {},
    }),
    options,
  )
  return {
    ...fake,
    verifyAt: (name, secret) => void secrets.set(name, secret),
    /** Returns the address of a webhook name. */
    urlOf: (name) => `${fake.origin}/hooks/${name}`,
    receivedAt: (name) => received.get(name) ?? [],
  }
}
