import type { Label } from '#domain/automations.ts'
import type { Steps } from '#server/db/outbox-tables.ts'
import type { DeliveryOutcome, Failure } from './provider.ts'

/** Gives a tag to a contact that is there; repeatable. */
export type ApplyLabel = (contact_id: string, label: Label) => Promise<'done' | 'refused' | Failure>

/**
 * The end of a delivery whose contact is there: gives it the labels that it has not got yet, one by one, so that a
 * repeat goes on from there. One that is refused, as by the limit of a plan, costs no participant.
 */
export const applyLabels = async (
  labels: readonly Label[],
  before: Steps & { vendor_contact_id: string },
  apply: ApplyLabel,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = before
  let steps: Steps = before
  const refused: string[] = []
  for (const label of labels) {
    if (steps.labels?.includes(label.name)) continue
    const applied = await apply(vendor_contact_id, label)
    if (applied === 'refused') refused.push(label.name)
    else if (applied === 'done') steps = { ...steps, labels: [...(steps.labels ?? []), label.name] }
    // Nothing that was done counts for a contact that is made again.
    else if (applied.kind === 'configuration') return { ...applied, steps: {} }
    else return { ...applied, steps }
  }
  if (refused.length === 0) return { kind: 'delivered', vendor_contact_id, steps }
  const said: Steps = { ...steps, refused_labels: refused }
  return { kind: 'delivered', vendor_contact_id, warning: 'label_refused', steps: said }
}
