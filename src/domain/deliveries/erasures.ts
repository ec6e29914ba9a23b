import type { ProviderName } from '#domain/common/vocabulary.ts'
import { deliveryReason } from './delivery.ts'

/** What may be asked of a tool for a person who is erased here. */
export const ERASURE_KINDS = ['unsubscribe', 'delete'] as const
export type ErasureKind = (typeof ERASURE_KINDS)[number]

/** What the public API of each tool has for it: Kit deletes no one, Systeme.io unsubscribes no one. */
export const ERASURE_KINDS_OF = {
  convertkit: ['unsubscribe'],
  systemio: ['delete'],
  brevo: ['unsubscribe', 'delete'],
} as const satisfies Record<ProviderName, readonly ErasureKind[]>

/** What is chosen at each tool; a tool that is not named is asked nothing. */
export type ErasureChoices = {
  [P in ProviderName]?: (typeof ERASURE_KINDS_OF)[P][number] | undefined
}

/** What became of what was asked of a tool, or told to a webhook. */
export const ERASURE_STATUSES = ['pending', 'done', 'refused'] as const
export type ErasureStatus = (typeof ERASURE_STATUSES)[number]

/** What was asked for, as creators read it. */
export const ERASURE_LABELS: Record<ErasureKind | 'event', string> = {
  delete: 'Suppression',
  unsubscribe: 'Désinscription',
  event: 'Annonce',
}

export const ERASURE_STATUS_LABELS: Record<ErasureStatus, string> = {
  pending: 'En attente',
  done: 'Fait',
  refused: 'Refusé',
}

const ANSWERS: Record<string, string> = {
  deleted: 'La personne y est supprimée.',
  unsubscribed: 'La personne y est désinscrite.',
  already_gone: 'La personne n’y était pas, ou plus.',
  notified: 'L’adresse a été prévenue.',
  refused: 'Le service l’a refusé.',
  not_offered: 'Le service ne le permet pas par son API.',
  internal: 'Un incident de notre côté : ce sera refait.',
  expired: 'Sans réponse pendant trente jours : faites-le dans le service même.',
  other_account: 'Un autre compte a été connecté depuis : faites-le dans celui d’avant.',
  unreadable_person: 'Ce qui était gardé de la personne ne peut plus être lu.',
}

/** The same of what is given up. */
const GIVEN_UP: Record<string, string> = {
  internal: 'Un incident de notre côté l’a empêché : vous pouvez réessayer.',
}

/** The same of webhooks, which are told. */
const OF_WEBHOOKS: Record<string, string> = {
  expired:
    'L’adresse n’a pas pu être prévenue pendant trente jours : demandez-y l’effacement vous-même.',
}

/** What the other side answered, in a sentence; null where it has said nothing. */
export const erasureMessage = (
  { status, kind }: { status: ErasureStatus; kind: ErasureKind | 'event' },
  code: string | null,
): string | null =>
  (kind === 'event' ? OF_WEBHOOKS[code ?? ''] : undefined) ??
  (status === 'refused' ? GIVEN_UP[code ?? ''] : undefined) ??
  ANSWERS[code ?? ''] ??
  deliveryReason(status === 'done' ? 'delivered' : status, code)
