import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import { type Enrol, type Group, isGroupRefusal, isPlanRefusal } from './enrolments.ts'
import type { AccountLabels, Failure, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  fieldOf,
  idField,
  listField,
  namedOf,
  numericId,
} from './provider-requests.ts'
import { readPages } from './systemio-pages.ts'

/** Maximum number of listed pages, because each page takes a call from the small limit of an account. */
const MAX_LISTED_PAGES = 5

/** Paths of courses and communities, and the property that names them in the list of their members. */
const PATHS = {
  course: { groups: '/school/courses', join: 'enrollments', members: '/school/enrollments' },
  community: {
    groups: '/community/communities',
    join: 'memberships',
    members: '/community/memberships',
  },
} as const
type SystemioKind = keyof typeof PATHS

const kindOf = (kind: LabelKind): SystemioKind => (kind === 'community' ? kind : 'course')

/** Returns true if a reply of Systeme.io about a course or community refuses this call alone. */
export const isSystemioGroupReply = (path: string, status: number): boolean =>
  /^\/(?:school|community)\//.test(path) && isGroupRefusal(status)

const findMembers = ({ kind, vendor_id }: Group, contact_id: string): ToolRequest => ({
  method: 'GET',
  path: `${PATHS[kindOf(kind)].members}?${kindOf(kind)}=${vendor_id}&contact=${contact_id}&limit=10`,
})

const joinGroup = ({ kind, vendor_id }: Group, contact_id: string): ToolRequest => {
  const { groups, join } = PATHS[kindOf(kind)]
  return {
    method: 'POST',
    path: `${groups}/${vendor_id}/${join}`,
    json: {
      contactId: numericId(contact_id),
      ...(kind === 'course' && { accessType: 'full_access' }),
    },
  }
}

/** Returns false if a property of a member names another object. The property may be an object or an id. */
const isOf = (member: unknown, property: string, id: string): boolean => {
  const value = fieldOf(member, property)
  const known = typeof value === 'object' ? idField(value) : value
  return known === undefined || String(known) === id
}

const isMember = (json: unknown, { kind, vendor_id }: Group, contact_id: string): boolean =>
  (listField(json, 'items') ?? []).some(
    (member) => isOf(member, 'contact', contact_id) && isOf(member, kind, vendor_id),
  )

/**
 * Returns the function that adds the contact to courses and communities of Systeme.io. An existing membership is looked
 * for first, because the effect of a second one on the access is not documented.
 */
export const createSystemioEnrol =
  (ask: CallProvider): Enrol =>
  async (contact_id, group) => {
    const before = await ask(findMembers(group, contact_id))
    if (before.kind !== 'reply') return before
    if (isPlanRefusal(before)) return 'plan'
    // Without the list of members, a second membership could not be excluded.
    if (before.status >= 300 && before.status !== 404) return 'refused'
    if (isMember(before.json, group, contact_id)) return 'done'
    const joined = await ask(joinGroup(group, contact_id))
    if (joined.kind !== 'reply') return joined
    if (joined.status < 300) return 'done'
    if (isPlanRefusal(joined)) return 'plan'
    if (joined.status !== 404) {
      // Another delivery may have added the contact in the meantime.
      const now = await ask(findMembers(group, contact_id))
      if (now.kind !== 'reply') return now
      return isMember(now.json, group, contact_id) ? 'done' : 'refused'
    }
    // The contact or the group is missing.
    const contact = await ask({ method: 'GET', path: `/contacts/${contact_id}` })
    if (contact.kind !== 'reply') return contact
    return contact.status === 404 ? configurationProblem('contact_missing') : 'missing'
  }

/** Lists the courses or communities of an account, up to MAX_LISTED_PAGES pages. */
export const listSystemioGroups = async (
  ask: CallProvider,
  kind: LabelKind,
): Promise<AccountLabels | Failure> => {
  const { groups } = PATHS[kindOf(kind)]
  const found = await readPages(ask, {
    pageOf: (after) => ({
      method: 'GET',
      path: `${groups}?limit=100${after === undefined ? '' : `&startingAfter=${after}`}`,
    }),
    max: MAX_LISTED_PAGES,
  })
  return Array.isArray(found) ? { kind: 'labels', labels: found.flatMap(namedOf) } : found
}
