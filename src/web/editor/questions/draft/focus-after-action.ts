import { useCallback, useLayoutEffect, useRef } from 'react'
import { placeOf } from '#domain/questionnaire/pages.ts'
import { fieldId, itemMenuId, pageHandleId, pageHeadingId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import { addedPage, groupsOf } from './item-positions.ts'
import type { QuestionsAction, QuestionsDraft } from './questions-reducer.ts'

/** Returns the id of the element that receives the focus after an action; undefined if the focus stays. */
export const focusAfterAction = (
  before: QuestionsDraft,
  action: QuestionsAction,
): string | undefined => {
  switch (action.type) {
    case 'item_added':
      return fieldId(placeOf(action.item).id)
    case 'question_replaced':
      return fieldId(action.question.id)
    case 'item_moved':
      return itemMenuId(action.id)
    case 'item_removed': {
      const heads = Object.values(groupsOf(before, before.page_count)).flat()
      const neighbour = neighbourOf(heads, action.id)
      return neighbour === undefined ? pageHeadingId(1) : fieldId(neighbour)
    }
    case 'content_edited':
      return action.focus_id
    case 'answers_added': {
      const last = action.answers.at(-1)
      return last && fieldId(last.id)
    }
    case 'answers_written': {
      const question = before.questions.find(({ id }) => id === action.question_id)
      return fieldId(question?.answers.at(-1)?.id ?? action.question_id)
    }
    case 'answer_removed': {
      const question = before.questions.find(({ id }) => id === action.question_id)
      const ids = question?.answers.map(({ id }) => id) ?? []
      const neighbour = action.is_erased
        ? ids[ids.indexOf(action.answer_id) - 1]
        : neighbourOf(ids, action.answer_id)
      return fieldId(neighbour ?? action.question_id)
    }
    case 'page_added':
      return pageHeadingId(addedPage(action.at, before.page_count))
    case 'page_moved':
      return action.is_dragged ? pageHandleId(action.to) : pageHeadingId(action.to)
    case 'page_copied':
      return pageHeadingId(action.page_number + 1)
    case 'page_deleted':
      return pageHeadingId(Math.max(1, action.page_number - 1))
    default:
      return undefined
  }
}

/** Returns the id after the given one, or the id before it if it is the last. */
const neighbourOf = (ids: readonly string[], id: string): string | undefined => {
  const index = ids.indexOf(id)
  return ids[index + 1] ?? ids[index - 1]
}

type FocusTarget = {
  id: string
  /** Id of the focused field before a move, which keeps the focus; undefined for other actions. */
  kept_id: string | undefined
  /** True for a new item, which is then shown as a whole. */
  is_new_item: boolean
}

/** Returns a function that moves the focus after an action, when the change is on screen. */
export const useFocusAfterAction = (): ((
  before: QuestionsDraft,
  action: QuestionsAction,
) => void) => {
  const pendingTarget = useRef<FocusTarget | null>(null)
  useLayoutEffect(() => {
    if (pendingTarget.current && moveFocus(pendingTarget.current)) pendingTarget.current = null
  })
  return useCallback((before, action) => {
    const id = focusAfterAction(before, action)
    const kept_id = action.type === 'item_moved' ? (document.activeElement?.id ?? '') : undefined
    if (id === undefined) return
    pendingTarget.current = { id, kept_id, is_new_item: action.type === 'item_added' }
  }, [])
}

/** Returns false while the element is not on screen yet. */
const moveFocus = ({ id, kept_id, is_new_item }: FocusTarget): boolean => {
  // The focus is lost only if the item moved to another page, because the item is then rendered again.
  if (kept_id !== undefined && document.activeElement !== document.body) return true
  const isMoved = (kept_id !== undefined && focusElement(kept_id)) || focusElement(id)
  // The estimated heights of items that come into view would otherwise push the field out of the window.
  if (isMoved) keepFocusInView(is_new_item ? '[data-item]' : undefined)
  return isMoved
}
