import { useEffect, useRef } from 'react'
import { type Item, itemsInOrder, placeOf } from '#domain/pages.ts'
import { LIMITS, type QuestionType } from '#domain/vocabulary.ts'
import { newId } from '#web/editor/new-id.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import type { Full } from './add-menu.tsx'
import { copyItem, createQuestion, createTextBlock } from './new-items.ts'
import type { QuestionsDraft } from './questions-draft.ts'
import type { ChangeQuestions } from './use-questions.ts'

type To = { page_number: number; index?: number }

type Editing = {
  draft: QuestionsDraft
  change: ChangeQuestions
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
}

/** The gestures on whole items and pages, with their confirmations (spec §5). */
export const useGestures = (quiz_id: string, { draft, change, announce }: Editing) => {
  const { alert, confirm } = useDialogs()
  // New items go after the item that had the focus last.
  const current = useRef<string | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const item = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null
      if (item) current.current = item.dataset.item ?? null
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  const full: Full = {
    questions: draft.questions.length >= LIMITS.questions,
    text_blocks: draft.text_blocks.length >= LIMITS.text_blocks,
    pages: draft.page_count >= LIMITS.pages,
  }

  const insert = (item: Item, to: To): void => {
    change({ type: 'item_added', item, to })
    current.current = placeOf(item).id
  }
  const afterCurrent = (): To =>
    afterItem(draft, current.current) ?? { page_number: draft.page_count }

  const agreesTo = (what: string): Promise<boolean> =>
    confirm(`Êtes-vous sûr de vouloir supprimer ${what} ?`, {
      confirm_label: 'Supprimer',
      danger: true,
    })

  return {
    full,
    /** Adds the next new item after this one. */
    goTo: (id: string): void => {
      current.current = id
    },
    addQuestion: (type: QuestionType): void =>
      insert(
        { kind: 'question', question: createQuestion(type, { quiz_id, newId }) },
        afterCurrent(),
      ),
    addTextBlock: (): void =>
      insert(
        { kind: 'text_block', text_block: createTextBlock({ quiz_id, newId }) },
        afterCurrent(),
      ),
    addPage: (): void => {
      current.current = null
      change({ type: 'page_added' })
    },
    copy: (item: Item): void => {
      const to = afterItem(draft, placeOf(item).id)
      if (to) insert(copyItem(item, newId), to)
    },
    move: (id: string, to: { page_number: number; index: number }): void =>
      change({ type: 'item_moved', id, to }),
    remove: async (item: Item): Promise<void> => {
      if (!(await agreesTo(item.kind === 'question' ? 'cette question' : 'ce bloc de texte')))
        return
      change({ type: 'item_removed', id: placeOf(item).id })
      announce(item.kind === 'question' ? 'Question supprimée' : 'Bloc de texte supprimé')
    },
    deletePage: async (page_number: number): Promise<void> => {
      if (draft.page_count === 1) {
        await alert('Vous ne pouvez pas supprimer la dernière page !')
        return
      }
      if (!(await agreesTo(`la page ${page_number}`))) return
      change({ type: 'page_deleted', page_number })
      announce(`Page ${page_number} supprimée`)
    },
  }
}

export type Gestures = ReturnType<typeof useGestures>

/** The place just after an item, if it is there. */
const afterItem = (draft: QuestionsDraft, id: string | null): To | undefined => {
  const items = itemsInOrder(draft).map(placeOf)
  const page_number = items.find((item) => item.id === id)?.page_number
  if (page_number === undefined) return undefined
  const page = items.filter((item) => item.page_number === page_number)
  return { page_number, index: page.findIndex((item) => item.id === id) + 1 }
}
