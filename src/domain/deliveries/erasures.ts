import type { ProviderName } from '#domain/common/vocabulary.ts'
import { deliveryReason } from './delivery-labels.ts'

/** Requests to a tool about a person who is erased here. */
export const ERASURE_KINDS = ['unsubscribe', 'delete'] as const
/** Request to a tool about an erased person. */
export type ErasureKind = (typeof ERASURE_KINDS)[number]

/**
 * Requests that the public API of each tool supports. Kit cannot delete contacts, and Systeme.io cannot unsubscribe
 * them.
 */
export const ERASURE_KINDS_OF = {
  convertkit: ['unsubscribe'],
  systemio: ['delete'],
  brevo: ['unsubscribe', 'delete'],
} as const satisfies Record<ProviderName, readonly ErasureKind[]>

/** Chosen request by tool; no request goes to a missing tool. */
export type ErasureChoices = {
  [P in ProviderName]?: (typeof ERASURE_KINDS_OF)[P][number] | undefined
}

/** States of a request to a tool, or of a webhook event. */
export const ERASURE_STATUSES = ['pending', 'done', 'refused'] as const
/** State of a request to a tool, or of a webhook event. */
export type ErasureStatus = (typeof ERASURE_STATUSES)[number]

/** Labels of requests, as creators read them. */
export const ERASURE_LABELS: Record<ErasureKind | 'event', string> = {
  delete: 'Suppression',
  unsubscribe: 'Désinscription',
  event: 'Annonce',
}

/** Labels of states, as creators read them. */
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
  refused: 'L’outil l’a refusé.',
  not_offered: 'L’outil ne le permet pas par son API.',
  internal: 'Un incident de notre côté : ce sera refait.',
  expired: 'Sans réponse pendant trente jours : faites-le dans l’outil même.',
  other_account: 'Un autre compte a été connecté depuis : faites-le dans celui d’avant.',
  unreadable_person: 'Ce qui était gardé de la personne ne peut plus être lu.',
}

/** Answers of requests that are given up. */
const GIVEN_UP: Record<string, string> = {
  internal: 'Un incident de notre côté l’a empêché : vous pouvez réessayer.',
}

/** Answers of webhooks, which receive an event instead of a request. */
const WEBHOOK_ANSWERS: Record<string, string> = {
  expired:
    'L’adresse n’a pas pu être prévenue pendant trente jours : demandez-y l’effacement vous-même.',
}

/** Returns the French sentence about the answer of the tool or webhook; null without an answer. */
export const erasureMessage = (
  { status, kind }: { status: ErasureStatus; kind: ErasureKind | 'event' },
  code: string | null,
): string | null =>
  (kind === 'event' ? WEBHOOK_ANSWERS[code ?? ''] : undefined) ??
  (status === 'refused' ? GIVEN_UP[code ?? ''] : undefined) ??
  ANSWERS[code ?? ''] ??
  deliveryReason(status === 'done' ? 'delivered' : status, code)
