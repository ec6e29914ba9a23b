import type { ProviderName } from './vocabulary.ts'

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
