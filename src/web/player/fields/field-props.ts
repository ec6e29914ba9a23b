import type { ReactNode } from 'react'
import type { Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import type { Insertions, RichQuestion } from '#domain/run/rich-text.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'

/** Props of the field of any kind of question. */
export type FieldProps = {
  question: RichQuestion
  /** Settings that decide the words of the page. */
  quiz: WordingSettings
  insertions: Insertions | null
  /** Initial value of the uncontrolled field. */
  reply: Reply
  /** Current value of the field. */
  current: Reply
  /** Orders the answers of a question for each visitor; undefined until a script provides the order. */
  orderAnswers: ((question: RichQuestion) => SnapshotAnswer[]) | undefined
  /** True if the answers are submitted, so that the field is read-only. */
  is_finished: boolean
  /** True if a script runs. */
  is_live: boolean
  /** Error of the reply, shown below the field; undefined if the reply is valid. */
  error_message: string | undefined
  /** Correction of the reply if the page shows corrections; an empty list for a question without a correction. */
  correction?: ReactNode
}

/** Elements next to a field that name or describe the field. */
type Part = 'text' | 'help' | 'hint' | 'error'

/** Returns the id of an element that names or describes the field of a question. */
export const partId = ({ id }: { id: string }, part: Part): string => `q-${id}-${part}`

/** Returns the ids of the elements that describe a field, for `aria-describedby`. */
export const describingIds = (
  { question, error_message }: Pick<FieldProps, 'question' | 'error_message'>,
  hasHint = false,
): string | undefined => {
  const error_id = error_message && partId(question, 'error')
  const help = helpOf(question) && partId(question, 'help')
  const hint = hasHint && partId(question, 'hint')
  return [help, hint, error_id].filter(Boolean).join(' ') || undefined
}

/** Returns the help text of a question, as typed if its marks are not parsed. */
export const helpOf = ({ help_text, help }: RichQuestion) => help_text ?? help
