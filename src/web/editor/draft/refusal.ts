import { readFieldMessage } from '#contract/field-message.ts'
import type { Changes } from '#domain/changes.ts'
import type { ClashAt } from '#domain/merging.ts'

/** Reason why the server refused a save; `at` is the field that the reason names, if any. */
export type Refusal = { reason: string; at: ClashAt | undefined }

const KINDS = {
  results: 'result',
  questions: 'question',
  answers: 'answer',
  text_blocks: 'text_block',
} as const

/** Reads the refusal of these changes. The server names a row by its index in the call; `at` has its id. */
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
): ClashAt | undefined => {
  switch (list) {
    case 'quiz':
      return { kind: 'quiz', field: name }
    case 'results':
    case 'questions':
    case 'answers':
    case 'text_blocks': {
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
