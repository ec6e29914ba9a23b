import { RefusedCall } from '#contract/client/client.ts'
import type { drafts } from '#contract/drafts.ts'
import type { Answer, Input } from '#contract/kit/endpoint.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import type { Changes } from '#domain/editing/changes.ts'
import type { ConflictLocation } from '#domain/editing/merge-rows.ts'

/** Reason why the server refused a save; `at` is the field that the reason names, if any. */
export type Refusal = { reason: string; at: ConflictLocation | undefined }

const KINDS = {
  results: 'result',
  questions: 'question',
  answers: 'answer',
  text_blocks: 'text_block',
  dimensions: 'dimension',
  text_variants: 'text_variant',
} as const

/**
 * Returns the reason of a rejected save with the field it is about. The server names a row by its index in
 * the request; `at` contains its id.
 */
export const refusalOf = (error: unknown, changes: Changes): Refusal => {
  const { path = '', reason } = readFieldMessage(error instanceof Error ? error.message : '')
  const [list, name, field = ''] = path.split('.')
  return { reason, at: name ? placeIn(changes, list, name, field) : undefined }
}

const placeIn = (
  changes: Changes,
  list: string | undefined,
  name: string,
  field: string,
): ConflictLocation | undefined => {
  switch (list) {
    case 'quiz':
      return { kind: 'quiz', field: name }
    case 'results':
    case 'questions':
    case 'answers':
    case 'text_blocks':
    case 'dimensions':
    case 'text_variants': {
      const row = changes[list][Number(name)]
      return row && { kind: KINDS[list], id: row.id, field }
    }
    case 'associations': {
      const link = changes.associations[Number(name)]
      return (
        link && { kind: 'association', id: link.answer_id, result_id: link.result_id, field: '' }
      )
    }
    default:
      return undefined
  }
}

/** Draft as loaded from the server, with its revision. */
export type LoadedDraft = Answer<typeof drafts.get>
type SaveBody = Input<typeof drafts.save>['body']

/** Server calls of an editing session. */
export type DraftServer = {
  load: () => Promise<LoadedDraft>
  save: (body: SaveBody) => Promise<Answer<typeof drafts.save>>
}

/** Returns true if a save was rejected because the server holds a newer revision. */
export const isStale = (error: unknown): boolean =>
  error instanceof RefusedCall && error.code === 'stale'
