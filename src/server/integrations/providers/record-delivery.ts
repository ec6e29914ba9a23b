import type { ProviderName } from '#domain/common/vocabulary.ts'
import { FOLDER } from './brevo-api.ts'
import type {
  Contact,
  OpenConnection,
  OutboundReply,
  OutboundRequest,
  Provider,
  ToolRequest,
} from './provider.ts'
import { textField } from './provider-requests.ts'

/** Placeholders for ids from replies of a tool. */
const CONTACT_ID = 'CONTACT_ID'
const TAG_ID = 'TAG_ID'
const FOLDER_ID = 'FOLDER_ID'
const LIST_ID = 'LIST_ID'

type Reply = Pick<OutboundReply, 'status' | 'json'>
type Answer = (request: OutboundRequest) => Reply

/** Answers as Kit, which shows no fields in a reply with the status 202. */
const answerAsKit: Answer = ({ path }) => {
  if (path === '/subscribers') return { status: 202, json: { subscriber: { id: CONTACT_ID } } }
  return { status: 201, json: path === '/tags' ? { tag: { id: TAG_ID } } : {} }
}

/** Answers as Systeme.io without tags and members. */
const answerAsSystemio: Answer = ({ method, path }) =>
  method === 'GET'
    ? { status: 200, json: { items: [] } }
    : { status: 201, json: { id: path === '/tags' ? TAG_ID : CONTACT_ID } }

/** Answers as Brevo with the folder for new lists, and with the lists created so far. */
const createAnswerAsBrevo = (): Answer => {
  const folders = [{ id: FOLDER_ID, name: FOLDER }]
  const lists: { id: string; name: string | undefined }[] = []
  return ({ method, path, json }) => {
    if (path.startsWith('/contacts/folders'))
      return { status: 200, json: { folders, count: folders.length } }
    if (!path.startsWith('/contacts/lists')) return { status: 201, json: { id: CONTACT_ID } }
    if (method === 'GET') return { status: 200, json: { lists, count: lists.length } }
    // Each list has its own id, because the delivery adds a contact once to each.
    lists.push({ id: `${LIST_ID} ${lists.length}`, name: textField(json, 'name') })
    return { status: 201, json: {} }
  }
}

const ANSWERS: Record<ProviderName, () => Answer> = {
  convertkit: () => answerAsKit,
  systemio: () => answerAsSystemio,
  brevo: createAnswerAsBrevo,
}

const NUMBERED_LIST = new RegExp(`^${LIST_ID} \\d+$`)
const withoutListNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && NUMBERED_LIST.test(value) ? LIST_ID : value

/** Recorded call, with its body as JSON. */
export type RecordedCall = Pick<ToolRequest, 'method' | 'path'> & { body: string | null }

/**
 * Delivers a contact through a transport that records the calls and answers as a tool that does not know the contact
 * and accepts everything. Returns the calls, with placeholders for ids of the tool. No call leaves the server.
 */
export const recordDelivery = async (
  provider: Provider,
  account: Omit<OpenConnection, 'secret' | 'provider'>,
  contact: Contact,
): Promise<RecordedCall[]> => {
  const calls: RecordedCall[] = []
  const answer = ANSWERS[provider.name]()
  const client = provider.withTransport(async (request) => {
    const { method, path, json } = request
    const body = json === undefined ? null : JSON.stringify(json, withoutListNumbers)
    calls.push({ method, path, body })
    return { kind: 'reply', headers: new Headers(), text: '', ...answer(request) }
  })
  await client.deliver({ ...account, provider: provider.name, secret: '' }, contact, {})
  return calls
}
