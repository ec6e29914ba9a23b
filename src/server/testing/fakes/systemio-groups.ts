import { type FakeReply, isRecord, noteUnknown, parseJsonBody } from './fake-server.ts'
import {
  findContact,
  type SystemioAccount,
  type SystemioHandler,
  type SystemioMember,
  type SystemioSwitches,
} from './systemio-contacts.ts'
import { listPage, problem, violation } from './systemio-replies.ts'

type GroupKind = 'course' | 'community'
type Tools = { switches: SystemioSwitches; nextId: () => number }

const ACCESS_TYPES = ['full_access', 'partial_access', 'dripping_content']
const NAMES = {
  course: { groups: 'courses', members: 'enrollments' },
  community: { groups: 'communities', members: 'memberships' },
} as const

/** Creates handlers for the courses or communities of an account and their members. */
export const systemioGroups = (kind: GroupKind, { switches, nextId }: Tools) => {
  const { groups, members } = NAMES[kind]
  /** Refuses calls of accounts whose plan lacks the feature. */
  const inPlan =
    (handle: SystemioHandler): SystemioHandler =>
    (request, account) =>
      switches.plan_lacks.includes(kind)
        ? problem(switches.plan_status, 'Passez à une offre supérieure.')
        : handle(request, account)
  const wireOf = (account: SystemioAccount, member: SystemioMember): object => {
    const { id, group_id, contact_id, access } = member
    const email = account.contacts.get(contact_id)?.email
    const name = account[groups].get(group_id)?.name
    return switches.member_form === 'objects'
      ? {
          id,
          contact: { id: contact_id, email },
          [kind]: { id: group_id, name },
          accessType: access,
        }
      : { id, contact: contact_id, [kind]: group_id }
  }
  const listGroups: SystemioHandler = (request, account) => {
    const all = [...account[groups]].map(([id, { name }]) => ({ id, name }))
    return listPage(request, all, ({ id, name }) => ({ id, name, domainName: null, path: null }))
  }
  const listMembers: SystemioHandler = (request, account) => {
    const [contact, group] = [request.query.get('contact'), request.query.get(kind)]
    const found = account[members].filter(
      (membership) =>
        (contact === null || String(membership.contact_id) === contact) &&
        (group === null || String(membership.group_id) === group),
    )
    return listPage(request, found, (membership) => wireOf(account, membership))
  }
  const refusalOf = (body: Record<string, unknown>): FakeReply | undefined => {
    if (typeof body.contactId !== 'number') return problem(400, 'contactId must be an integer')
    if (kind === 'community') return undefined
    if (!ACCESS_TYPES.includes(String(body.accessType)))
      return violation('accessType', 'Choix non valable')
    return body.accessType === 'partial_access' && !Array.isArray(body.modules)
      ? violation('modules', 'Valeur attendue')
      : undefined
  }
  const join: SystemioHandler = (request, account) => {
    const body = parseJsonBody(request)
    if (!isRecord(body)) return problem(400, 'Syntax error')
    noteUnknown(
      request,
      body,
      kind === 'course' ? ['contactId', 'accessType', 'modules'] : ['contactId'],
    )
    const refusal = refusalOf(body)
    if (refusal) return refusal
    const group_id = Number(request.params.group)
    const group = account[groups].get(group_id)
    const contact = findContact(account, String(body.contactId))
    if (!group) return problem(404, 'Not Found')
    if (!contact) return problem(404, 'Not Found')
    const isKnown = account[members].some(
      (membership) => membership.group_id === group_id && membership.contact_id === contact.id,
    )
    if (isKnown && switches.repeated_member === 'refuse')
      return violation('contactId', 'Déjà inscrit')
    if (group.is_full) return violation('contactId', 'Plus de place')
    const access = kind === 'course' ? String(body.accessType) : undefined
    const member = {
      id: nextId(),
      group_id,
      contact_id: contact.id,
      ...(access !== undefined && { access }),
    }
    // A second membership that the vendor accepts is stored, so that a repeat is visible.
    account[members].push(member)
    // Systeme.io answers 202 without a body to a new membership of a community.
    return kind === 'course'
      ? { status: 201, body: wireOf(account, member) }
      : { status: 202, body: {} }
  }
  return {
    listGroups: inPlan(listGroups),
    listMembers: inPlan(listMembers),
    join: inPlan(join),
  }
}
