import type { Label } from '#domain/automations.ts'
import type { CompletedCalls } from '#server/db/outbox-tables.ts'
import type { DeliveryOutcome, Failure } from './provider.ts'

/** Gives a tag to a contact that is there; repeatable. */
export type ApplyLabel = (contact_id: string, label: Label) => Promise<'done' | 'refused' | Failure>

/**
 * The end of a delivery whose contact is there: gives it the labels that it has not got yet, one by one, so that a
 * repeat goes on from there. One that is refused, as by the limit of a plan, costs no participant, and a repeat does not
 * ask for it again.
 */
export const applyLabels = async (
  labels: readonly Label[],
  before: CompletedCalls & { vendor_contact_id: string },
  apply: ApplyLabel,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = before
  let completed_calls: CompletedCalls = before
  for (const label of labels) {
    const { labels: given = [], refused_labels: refused = [] } = completed_calls
    if (given.includes(label.name) || refused.includes(label.name)) continue
    const applied = await apply(vendor_contact_id, label)
    if (applied === 'refused')
      completed_calls = { ...completed_calls, refused_labels: [...refused, label.name] }
    else if (applied === 'done')
      completed_calls = { ...completed_calls, labels: [...given, label.name] }
    // Nothing that was done counts for a contact that is made again.
    else if (applied.kind === 'configuration') return { ...applied, completed_calls: {} }
    else return { ...applied, completed_calls }
  }
  const warning = completed_calls.refused_labels && { warning: 'label_refused' as const }
  return { kind: 'delivered', vendor_contact_id, ...warning, completed_calls }
}
