import { useCallback } from 'react'
import { excerpt } from '#domain/common/text.ts'
import { unnamedQuestionsBefore } from '#domain/publishing/suggested-labels.ts'
import { insertableNamesAtEnd, labelsBefore } from '#domain/publishing/text-check.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import type { Insertion } from '#web/ui/rich-text/rich-text-field.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import type { DraftSession } from './draft-session.ts'
import { AUTOSAVE_KINDS } from './use-draft.ts'

/** Lists the insertions of an item's texts, or of the texts at the end if there is no id. */
export type ListInsertions = (item_id?: string) => readonly Insertion[]

const MAX_TITLE_LENGTH = 60

/**
 * Returns a stable function that lists what a text may insert. A question without a short name gets one in the same
 * step as its insertion, and `announce` shows a toast that can undo both.
 */
export const useInsertions = (
  session: DraftSession,
  { announce }: { announce: (text: string) => void },
): ListInsertions => {
  const latest = useLatest(announce)
  return useCallback(
    (item_id) => {
      const { draft } = session.view()
      const names =
        item_id === undefined ? insertableNamesAtEnd(draft) : labelsBefore(draft, item_id)
      const numbers = numbersOf(draft)
      const unnamed = unnamedQuestionsBefore(draft, item_id).map(
        ({ id, text, suggested_label: name }): Insertion => ({
          name,
          title: `${numbers.get(id)}. ${excerpt(text, MAX_TITLE_LENGTH)}`,
          insert: (write) => {
            session.inOneStep(() => {
              setLabel(session, id, name)
              write()
            })
            latest.current(`La question ${numbers.get(id)} a le nom court « ${name} »`)
          },
        }),
      )
      return [...names.map((name) => ({ name })), ...unnamed]
    },
    [session, latest],
  )
}

const setLabel = (session: DraftSession, question_id: string, label: string): void =>
  session.change(
    (draft) => ({
      ...draft,
      questions: draft.questions.map((question) =>
        question.id === question_id ? { ...question, label } : question,
      ),
    }),
    { burst: null, ...AUTOSAVE_KINDS.questions },
  )
