import { excerpt } from '#domain/common/text.ts'
import { unnamedQuestionsBefore } from '#domain/publishing/suggested-labels.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import type { Insertion } from '#web/ui/rich-text/rich-text-field.tsx'
import type { DraftSession } from './draft-session.ts'
import { AUTOSAVE_KINDS } from './use-draft.ts'

const MAX_TITLE_LENGTH = 60

/**
 * Lists the questions without a short name that a text may insert. Each gets one in the same step as its insertion,
 * and `announce` shows a toast that can undo both.
 */
export const listUnnamedInsertions = (
  session: DraftSession,
  { item_id, announce }: { item_id: string | undefined; announce: (text: string) => void },
): Insertion[] => {
  const { draft } = session.view()
  const numbers = numbersOf(draft)
  return unnamedQuestionsBefore(draft, item_id).map(({ id, text, suggested_label: name }) => ({
    name,
    title: `${numbers.get(id)}. ${excerpt(text, MAX_TITLE_LENGTH)}`,
    insert: (write) => {
      session.inOneStep(() => {
        setLabel(session, id, name)
        write()
      })
      announce(`La question ${numbers.get(id)} a le nom court « ${name} »`)
    },
  }))
}

const setLabel = (session: DraftSession, question_id: string, label: string): void =>
  session.change(
    (draft) => ({
      ...draft,
      questions: draft.questions.map((question) =>
        question.id === question_id ? { ...question, label } : question,
      ),
    }),
    { undoGroupKey: null, ...AUTOSAVE_KINDS.questions },
  )
