import type { EnrolmentRefusal, LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import type { ApplyLabel, LabelIds } from './label-ids.ts'
import type { Failure, OpenConnection } from './provider.ts'

/** Course, community, sequence or form of an account. */
export type Group = { kind: LabelKind; vendor_id: string }

/** Adds an existing contact to a group. The call is idempotent. */
export type Enrol = (
  contact_id: string,
  group: Group,
) => Promise<'done' | EnrolmentRefusal | Failure>

/** Statuses that concern the whole account, or that a later attempt may change. */
const NOT_ABOUT_GROUPS = [401, 408, 413, 425, 429]

/** Returns true if the status of a call about groups refuses this call alone, and not the account. */
export const isGroupRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !NOT_ABOUT_GROUPS.includes(status)

/** Returns true if the plan of the account lacks the feature. */
export const isPlanRefusal = ({ status }: { status: number }): boolean =>
  status === 402 || status === 403

/**
 * Returns the function that gives tags with `tag` and adds to groups with `enrol`. A missing group and a missing
 * feature are remembered, because they concern everybody.
 */
export const createApplyLabel =
  (
    ids: LabelIds,
    connection: OpenConnection,
    { tag, enrol }: { tag: ApplyLabel; enrol: Enrol },
  ): ApplyLabel =>
  async (contact_id, label) => {
    const { kind, vendor_id } = label
    if (kind === null) return tag(contact_id, label)
    const known = ids.readRefusal(connection, label)
    if (known !== undefined) return known
    if (vendor_id === null) return 'unpicked'
    const outcome = await enrol(contact_id, { kind, vendor_id })
    return outcome === 'missing' || outcome === 'plan'
      ? ids.refuse(connection, label, outcome)
      : outcome
  }
