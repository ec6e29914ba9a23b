import type { KeyScope } from '#domain/api-key.ts'

/** What the scopes of a key are called on screens. */
export const SCOPE_LABELS: Record<KeyScope, string> = {
  lecture: 'Lecture',
  écriture: 'Lecture et écriture',
}
