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
  /** The initial value of the uncontrolled field. */
  reply: Reply
  /** The current value of the field. */
  current: Reply
  /** Orders the answers of a question for each visitor; undefined until a script provides the order. */
  orderAnswers: ((question: RichQuestion) => SnapshotAnswer[]) | undefined
  /** True if the answers are submitted, so that the field is read-only. */
  is_finished: boolean
  /** True if a script runs. */
  is_live: boolean
  /** The error of the reply; undefined when the reply is valid. */
  fault: string | undefined
  /** The correction of the reply, once the page shows it; an empty list if the question is not corrected. */
  correction?: ReactNode
}

/** The elements next to a field that name or describe it. */
type Part = 'text' | 'help' | 'hint' | 'error'

/** Returns the id of an element that names or describes the field of a question. */
export const partId = ({ id }: { id: string }, part: Part): string => `q-${id}-${part}`

/** Returns the ids of the elements that describe a field, for `aria-describedby`. */
export const describingIds = (
  { question, fault }: Pick<FieldProps, 'question' | 'fault'>,
  hasHint = false,
): string | undefined => {
  const error = fault && partId(question, 'error')
  const help = helpOf(question) && partId(question, 'help')
  const hint = hasHint && partId(question, 'hint')
  return [help, hint, error].filter(Boolean).join(' ') || undefined
}

/** Returns the help text of a question, as typed if its marks are not parsed. */
export const helpOf = ({ help_text, help }: RichQuestion) => help_text ?? help
