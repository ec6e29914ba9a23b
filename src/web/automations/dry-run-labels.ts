import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import { formatNumber, formatParticipants } from '#web/statistics/format/format.ts'

/**
 * Effect of a rule or mapping on a participant. Tags and fields are received, participants are enrolled in courses. For
 * a list, a community, a sequence or a form, participants are added.
 */
export type DryRunEffect = 'received' | 'added' | 'enrolled'

const EFFECTS: Record<DryRunEffect, { one: string; several: string; none: string }> = {
  received: { one: 'l’aurait reçu', several: 'l’auraient reçu', none: 'ne l’aurait' },
  added: { one: 'y aurait été ajouté', several: 'y auraient été ajoutés', none: 'n’y aurait' },
  enrolled: { one: 'y aurait été inscrit', several: 'y auraient été inscrits', none: 'n’y aurait' },
}

/** Returns the effect of a rule with a label of this kind. Null means a tag, or a list at Brevo. */
export const effectOf = (provider: ProviderName, kind: LabelKind | null = null): DryRunEffect => {
  if (kind === 'course') return 'enrolled'
  return kind === null && provider !== 'brevo' ? 'received' : 'added'
}

/** Returns the question that opens the dry run of a stored rule or mapping. */
export const dryRunQuestion = (effect: DryRunEffect): string => `Qui ${EFFECTS[effect].one} ?`

type Counts = {
  nb_participants: number
  nb_matching: number | null
  as_of?: { counted_at: string | null } | undefined
}

/** Returns how many of the participants a rule or mapping would have concerned, as a French sentence. */
export const dryRunSentence = (
  { nb_participants, nb_matching, as_of }: Counts,
  effect: DryRunEffect,
): string => {
  if (nb_participants === 0) return 'Aucun participant jusqu’ici.'
  if (nb_matching === null) return `Comptage parmi vos ${formatParticipants(nb_participants)}…`
  const found = countSentence(nb_matching, nb_participants, EFFECTS[effect])
  return as_of ? `${found} Le comptage continue.` : found
}

const countSentence = (
  count: number,
  all: number,
  { one, several, none }: (typeof EFFECTS)[DryRunEffect],
): string => {
  // « ne l’aurait reçu » after « aucun », « ne l’aurait pas reçu » after « votre seul participant ».
  const participle = one.replace(/^(l’|y )aurait /, '')
  if (all === 1)
    return count === 0
      ? `Votre seul participant ${none} pas ${participle}.`
      : `Votre seul participant ${one}.`
  if (count === 0) return `Aucun de vos ${formatParticipants(all)} ${none} ${participle}.`
  return `${formatNumber(count)} de vos ${formatParticipants(all)} ${count > 1 ? several : one}.`
}
