import { useEffect, useState } from 'react'
import type { QuestionsDraft } from './questions-draft.ts'

/** The number of the page that had the focus last, from 1. */
export const useEditedPage = ({ page_count }: Pick<QuestionsDraft, 'page_count'>): number => {
  const [edited, setEdited] = useState(1)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const page = target instanceof Element ? target.closest<HTMLElement>('[data-page]') : null
      if (page) setEdited(Number(page.dataset.page))
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return Math.min(edited, page_count)
}
