import type { QuestionsAction } from './questions-reducer.ts'

/** Options of a question that are texts. */
const TYPED = ['label', 'help', 'explanation', 'scale_min_label', 'scale_max_label'] as const

/**
 * Returns the key of the typed field, whose successive changes form one undo step; null for other actions.
 */
export const questionsUndoGroupKey = (action: QuestionsAction): string | null => {
  switch (action.type) {
    case 'content_edited':
      return action.undoGroupKey ?? null
    case 'question_written':
    case 'text_block_written':
      return action.id
    case 'question_options_set': {
      const [name, ...others] = Object.keys(action.options)
      const typed = others.length === 0 && TYPED.find((field) => field === name)
      return typed ? `${typed} ${action.id}` : null
    }
    case 'answer_written':
      return action.answer_id
    case 'question_image_set':
      return `image ${action.id}`
    case 'answer_image_set':
      return `image ${action.answer_id}`
    case 'answer_scored':
      return `score ${action.answer_id}`
    case 'association_weighted':
      return `weight ${action.answer_id} ${action.result_id}`
    case 'threshold_set':
      return `${'min_score' in action ? 'minimum' : 'maximum'} ${action.result_id}`
    case 'boundary_moved':
      return `boundary ${action.lower_id}`
    default:
      return null
  }
}
