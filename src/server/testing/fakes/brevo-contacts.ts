import {
  type FakeReply,
  type FakeRequest,
  isRecord,
  noteUnknown,
  parseJsonBody,
} from './fake-server.ts'

/** Settings of the fake Brevo: undocumented behaviour and limits of the account. */
export type BrevoSwitches = {
  duplicate_code: 'duplicate_parameter' | 'invalid_parameter'
  /** Allowed IP addresses; null allows all. The header `x-fake-ip` overrides the caller's address. */
  allowed_ips: string[] | null
  contacts_per_second: number
  others_per_hour: number
  reset_in: 'seconds' | 'milliseconds'
  /** Maximum number of lists of the plan. */
  max_lists: number
  /** Maximum number of attributes of the plan. */
  max_attributes: number
  /** Behaviour for a text of more than 2,000 characters. */
  long_text: 'drop' | 'refuse'
  /** Domains whose addresses are refused. */
  domains_without_mail: string[]
}

export type BrevoContact = {
  id: number
  email: string
  attributes: Record<string, unknown>
  list_ids: number[]
  emailBlacklisted: boolean
}
type BrevoAttribute = {
  name: string
  category: 'normal' | 'category' | 'transactional'
  type?: string
  enumeration?: { value: number; label: string }[]
  multiCategoryOptions?: string[]
}

/** Account of one creator at Brevo: attributes by name, lists and folders by id. */
export type BrevoAccount = {
  contacts: Map<number, BrevoContact>
  attributes: Map<string, BrevoAttribute>
  lists: Map<number, string>
  folders: Map<number, string>
}
export type BrevoHandler = (request: FakeRequest, account: BrevoAccount) => FakeReply
type Tools = { switches: BrevoSwitches; nextId: () => number }

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const KNOWN = ['email', 'updateEnabled', 'attributes', 'listIds', 'emailBlacklisted', 'ext_id']

/** Returns a refusal in Brevo's format. */
export const refused = (
  status: number,
  code: string,
  message: string,
  metadata?: object,
): FakeReply => ({ status, body: { code, message, ...(metadata && { metadata }) } })

const IDENTIFIERS = ['email_id', 'contact_id', 'ext_id', 'phone_id', 'whatsapp_id']

/** Finds a contact by id or by address (case-insensitive). */
const find = ({ contacts }: BrevoAccount, key: string): BrevoContact | undefined =>
  contacts.get(Number(key)) ??
  [...contacts.values()].find(({ email }) => email.toLowerCase() === key.toLowerCase())

const MAX_TEXT_LENGTH = 2_000

/** Returns a phone number with its country code in digits, as Brevo stores it; undefined without a country code. */
const digitsOf = (number: unknown): string | undefined => {
  const plain = String(number).replaceAll(/[\s().-]/g, '')
  return /^(?:\+|00)?([1-9]\d{7,14})$/.exec(plain)?.[1]
}

/** Returns true if an attribute can hold the value. */
const canHold = (attribute: BrevoAttribute, value: unknown): boolean => {
  const { category, type, enumeration, multiCategoryOptions = [] } = attribute
  if (category === 'category')
    return enumeration?.some(({ value: id, label }) => id === value || label === value) ?? false
  if (category !== 'normal') return false
  if (type === 'text') return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
  if (type === 'float') return typeof value === 'number'
  if (type === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  if (type === 'multiple-choice')
    return Array.isArray(value) && value.every((option) => multiCategoryOptions.includes(option))
  return type === 'boolean' && typeof value === 'boolean'
}

/** Creates handlers that create, update, read and delete contacts. */
export const brevoContacts = ({ switches, nextId }: Tools) => {
  /** Returns a refusal if any part of a body is invalid. Undefined means that the body can be stored. */
  const refusalOf = (
    account: BrevoAccount,
    body: Record<string, unknown>,
    self: BrevoContact | undefined,
  ): FakeReply | undefined => {
    const given = isRecord(body.attributes) ? body.attributes : {}
    const names = Object.keys(given).map((name) => name.toUpperCase())
    if (names.some((name) => account.attributes.get(name)?.category === 'transactional'))
      return refused(400, 'invalid_parameter', 'Primary key is missing')
    if (given.SMS && digitsOf(given.SMS) === undefined)
      return refused(400, 'invalid_parameter', 'Invalid phone number')
    const isLong = (value: unknown): boolean =>
      typeof value === 'string' && value.length > MAX_TEXT_LENGTH
    if (switches.long_text === 'refuse' && Object.values(given).some(isLong))
      return refused(400, 'invalid_parameter', 'Value is too long')
    const taken = [...account.contacts.values()].some(
      (contact) => contact !== self && given.SMS && contact.attributes.SMS === digitsOf(given.SMS),
    )
    if (taken)
      return refused(
        400,
        switches.duplicate_code,
        'SMS is already associated with another contact',
        {
          duplicate_identifiers: ['SMS'],
        },
      )
    const lists = Array.isArray(body.listIds) ? body.listIds : []
    const wrong = lists.findIndex((id) => typeof id !== 'number')
    if (wrong >= 0)
      return refused(400, 'invalid_parameter', `listIds/${wrong} should be type number`)
    if (lists.some((id) => !account.lists.has(Number(id))))
      return refused(400, 'invalid_parameter', 'List ID does not exist')
    return undefined
  }
  const store = (
    { note }: FakeRequest,
    account: BrevoAccount,
    contact: BrevoContact,
    body: Record<string, unknown>,
  ): void => {
    for (const [given, value] of Object.entries(isRecord(body.attributes) ? body.attributes : {})) {
      const attribute = account.attributes.get(given.toUpperCase())
      if (attribute && canHold(attribute, value))
        contact.attributes[attribute.name] = attribute.name === 'SMS' ? digitsOf(value) : value
      else note(`attribute ${given} dropped`)
    }
    for (const id of Array.isArray(body.listIds) ? body.listIds : [])
      if (!contact.list_ids.includes(Number(id))) contact.list_ids.push(Number(id))
    if (typeof body.emailBlacklisted === 'boolean') contact.emailBlacklisted = body.emailBlacklisted
  }
  const upsert: BrevoHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!body || Object.keys(body).length === 0)
      return refused(400, 'missing_parameter', 'No inputs in the body')
    noteUnknown(request, body, KNOWN)
    const email = typeof body.email === 'string' ? body.email : ''
    const domain = email.split('@')[1] ?? ''
    if (!EMAIL.test(email) || switches.domains_without_mail.includes(domain))
      return refused(400, 'invalid_parameter', 'Invalid email address')
    const known = find(account, email)
    if (known && body.updateEnabled !== true)
      return refused(400, switches.duplicate_code, 'Contact is already associated', {
        duplicate_identifiers: ['email'],
      })
    const refusal = refusalOf(account, body, known)
    if (refusal) return refusal
    const contact: BrevoContact = known ?? {
      id: nextId(),
      email,
      attributes: {},
      list_ids: [],
      emailBlacklisted: false,
    }
    account.contacts.set(contact.id, contact)
    store(request, account, contact, body)
    return known ? { status: 204 } : { status: 201, body: { id: contact.id } }
  }
  const missing = (): FakeReply => refused(404, 'document_not_found', 'Contact does not exist')
  const read: BrevoHandler = ({ params }, account) => {
    const contact = find(account, params.id ?? '')
    return contact ? { status: 200, body: contact } : missing()
  }
  /** Returns the contact of a path, or a refusal. The query can say that the path holds an id or an address. */
  const named = ({ params, query }: FakeRequest, account: BrevoAccount) => {
    const { id = '' } = params
    const type = query.get('identifierType')
    if (type !== null && !IDENTIFIERS.includes(type))
      return refused(400, 'invalid_parameter', 'identifierType is not valid')
    const isMatchingType = type === null || (type === 'email_id') === id.includes('@')
    return (isMatchingType ? find(account, id) : undefined) ?? missing()
  }
  const update: BrevoHandler = (request, account) => {
    const contact = named(request, account)
    if ('status' in contact) return contact
    const body = parseJsonBody(request)
    if (!body || Object.keys(body).length === 0)
      return refused(400, 'missing_parameter', 'No inputs in the body')
    noteUnknown(request, body, [...KNOWN, 'unlinkListIds', 'smsBlacklisted'])
    const refusal = refusalOf(account, body, contact)
    if (refusal) return refusal
    store(request, account, contact, body)
    return { status: 204 }
  }
  const remove: BrevoHandler = (request, account) => {
    const contact = named(request, account)
    if ('status' in contact) return contact
    account.contacts.delete(contact.id)
    return { status: 204 }
  }
  return { upsert, read, update, remove }
}
