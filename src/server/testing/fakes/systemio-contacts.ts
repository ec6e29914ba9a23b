import type { Clock } from './clock.ts'
import {
  type FakeReply,
  type FakeRequest,
  isRecord,
  noteUnknown,
  parseJsonBody,
} from './fake-server.ts'
import { listPage, problem, violation } from './systemio-replies.ts'

/** Settings of the fake Systeme.io: undocumented behaviour and limits of the account. */
export type SystemioSwitches = {
  language: 'fr' | 'en' | 'es'
  domains_without_mail: string[]
  /** Behaviour for a value of an unknown field. */
  unknown_slug: 'ignore' | 'reject'
  /** Part of the path of a violation that names the field: its place, its slug or nothing. */
  field_path: 'index' | 'slug' | 'none'
  /** True if a phone number must have a country code. */
  checks_phone: boolean
  /** Maximum number of fields of the plan. */
  max_fields: number
  repeated_tag: 'accept' | 'refuse'
  max_tags: number
  /** Number of fields on a page; null for one list with all fields, as in the reference. */
  fields_per_page: number | null
  /** Maximum calls of an account in `window_ms` over all keys. */
  calls: number
  window_ms: number
  sends_remaining: boolean
  refill: 'seconds' | 'epoch' | 'date'
  /** Kinds of groups that the plan of the account lacks, and the status that says so. */
  plan_lacks: ('course' | 'community')[]
  plan_status: 402 | 403
  /** Behaviour for a contact who is a member already. */
  repeated_member: 'accept' | 'refuse'
  /** Form of the contact and the group in a list of members. */
  member_form: 'objects' | 'ids'
}

/** Contact in an account at Systeme.io. */
export type SystemioContact = {
  id: number
  email: string
  locale: string | null
  unsubscribed: boolean
  bounced: boolean
  fields: Record<string, string>
  tag_ids: number[]
  /** Time of the deletion; null if not deleted. A contact who returns within seven days gets the old values. */
  deleted_at: number | null
}

/** Course or community of an account. */
type SystemioGroup = { name: string; is_full?: boolean }
/** Membership of a contact in a course or community. */
export type SystemioMember = { id: number; group_id: number; contact_id: number; access?: string }

/** Account of one creator at Systeme.io: fields by slug, tags and groups by id. */
export type SystemioAccount = {
  contacts: Map<number, SystemioContact>
  fields: Map<string, string>
  tags: Map<number, string>
  courses: Map<number, SystemioGroup>
  communities: Map<number, SystemioGroup>
  enrollments: SystemioMember[]
  memberships: SystemioMember[]
}
export type SystemioHandler = (request: FakeRequest, account: SystemioAccount) => FakeReply
type Tools = { clock: Clock; switches: SystemioSwitches; nextId: () => number }

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_VALUE_LENGTH = 255
const DELETED_VALUES_KEPT_MS = 7 * 86_400_000
/** Texts of refusals by language, so that our code cannot depend on one wording. */
const TAKEN = {
  fr: 'Cette valeur est déjà utilisée.',
  en: 'This value is already used.',
  es: 'Este valor ya se ha utilizado.',
}
const WRONG = {
  fr: 'Cette valeur n’est pas une adresse valide.',
  en: 'This value is not a valid email address.',
  es: 'Este valor no es una dirección válida.',
}

const wireOf = (contact: SystemioContact, { fields, tags }: SystemioAccount): object => ({
  id: contact.id,
  email: contact.email,
  locale: contact.locale,
  sourceURL: null,
  unsubscribed: contact.unsubscribed,
  bounced: contact.bounced,
  needsConfirmation: false,
  fields: Object.entries(contact.fields).map(([slug, value]) => ({
    fieldName: fields.get(slug) ?? slug,
    slug,
    value,
  })),
  tags: contact.tag_ids.map((id) => ({ id, name: tags.get(id) ?? '' })),
})

/** Returns the contact with this id. Undefined if unknown or deleted. */
export const findContact = (
  { contacts }: SystemioAccount,
  id: string | undefined,
): SystemioContact | undefined => {
  const contact = contacts.get(Number(id))
  return contact?.deleted_at === null ? contact : undefined
}

/** Creates handlers that create, patch, read, list and delete contacts. */
export const systemioContacts = ({ clock, switches, nextId }: Tools) => {
  const byEmail = ({ contacts }: SystemioAccount, email: string): SystemioContact | undefined =>
    [...contacts.values()].find((contact) => contact.email.toLowerCase() === email.toLowerCase())

  /** Writes field values into `into`. Returns a refusal at the first invalid value. */
  const write = (
    request: FakeRequest,
    account: SystemioAccount,
    given: unknown,
    into: Record<string, string>,
  ): FakeReply | undefined => {
    const fields = Array.isArray(given) ? given : []
    for (const [at, field] of fields.entries()) {
      const { slug, value } = isRecord(field) ? field : {}
      const refuse = (part: 'slug' | 'value', message: string): FakeReply => {
        const paths = { index: `fields[${at}].${part}`, slug: `fields.${slug}`, none: 'fields' }
        return violation(paths[switches.field_path], message)
      }
      if (typeof slug !== 'string') return refuse('slug', 'Valeur attendue')
      if (!account.fields.has(slug)) {
        if (switches.unknown_slug === 'reject') return refuse('slug', 'Champ inconnu')
        request.note(`unknown slug ${slug}`)
      } else if (value === null) delete into[slug]
      else if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH)
        return refuse('value', 'Valeur trop longue')
      else if (slug === 'country' && !/^[A-Z]{2}$/.test(value))
        return refuse('value', 'Code de pays attendu')
      else if (slug === 'phone_number' && switches.checks_phone && !/^\+\d{8,15}$/.test(value))
        return refuse('value', 'Numéro non valable')
      else into[slug] = value
    }
    return undefined
  }
  const create: SystemioHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!body) return problem(400, 'Syntax error')
    noteUnknown(request, body, ['email', 'locale', 'fields'])
    const email = typeof body.email === 'string' ? body.email : ''
    const domain = email.split('@')[1] ?? ''
    if (!EMAIL.test(email) || switches.domains_without_mail.includes(domain))
      return violation('email', WRONG[switches.language])
    const known = byEmail(account, email)
    if (known?.deleted_at === null) return violation('email', TAKEN[switches.language])
    const lingers = known && (known.deleted_at ?? 0) > clock.now() - DELETED_VALUES_KEPT_MS
    const fields = lingers ? { ...known.fields } : {}
    const refusal = write(request, account, body.fields, fields)
    if (refusal) return refusal
    if (known) account.contacts.delete(known.id)
    const locale = typeof body.locale === 'string' ? body.locale : null
    const contact: SystemioContact = {
      id: nextId(),
      email,
      locale,
      unsubscribed: false,
      bounced: false,
      fields,
      tag_ids: [],
      deleted_at: null,
    }
    account.contacts.set(contact.id, contact)
    return { status: 201, body: wireOf(contact, account) }
  }
  const patch: SystemioHandler = (request, account) => {
    if (request.headers['content-type'] !== 'application/merge-patch+json')
      return problem(415, 'The content-type is not supported')
    const contact = findContact(account, request.params.id)
    if (!contact) return problem(404, 'Not Found')
    const body = parseJsonBody(request)
    if (!body) return problem(400, 'Syntax error')
    noteUnknown(request, body, ['locale', 'fields'])
    const fields = { ...contact.fields }
    const refusal = write(request, account, body.fields, fields)
    if (refusal) return refusal
    contact.fields = fields
    return { status: 200, body: wireOf(contact, account) }
  }
  const read: SystemioHandler = ({ params }, account) => {
    const contact = findContact(account, params.id)
    return contact ? { status: 200, body: wireOf(contact, account) } : problem(404, 'Not Found')
  }
  const list: SystemioHandler = (request, account) => {
    const email = request.query.get('email')?.toLowerCase()
    const living = [...account.contacts.values()].filter(
      (contact) => contact.deleted_at === null && (!email || contact.email.toLowerCase() === email),
    )
    return listPage(request, living, (contact) => wireOf(contact, account))
  }
  const remove: SystemioHandler = ({ params }, account) => {
    const contact = findContact(account, params.id)
    if (!contact) return problem(404, 'Not Found')
    contact.deleted_at = clock.now()
    return { status: 204 }
  }
  return { create, patch, read, list, remove }
}
