import type { Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import type { Insertions } from '#domain/run/insertions.ts'
import type { RichQuestion } from '#domain/run/rich-text.ts'
import { HAS_QUESTION_OPTIONS } from '#web/player/content/asked.ts'

/** What each kind of question is drawn from. */
export type FieldProps = {
  question: RichQuestion
  insertions: Insertions | null
  /** The initial value of the uncontrolled field. */
  reply: Reply
  /** What the field has now. */
  current: Reply
  /** The order of the answers, where it is drawn for each visitor; undefined until it is known. */
  drawAnswers: ((question: RichQuestion) => SnapshotAnswer[]) | undefined
  /** Whether the reply is given, so that the field is read-only. */
  is_finished: boolean
  /** Whether a script runs. */
  is_live: boolean
  /** What is wrong with the reply. */
  fault: string | undefined
}

/** The parts of a question beside its field, which describe it. */
type Part = 'help' | 'hint' | 'error'

export const partId = ({ id }: { id: string }, part: Part): string => `q-${id}-${part}`

/** The ids of what describes a field. */
export const describedBy = (
  { question, fault }: Pick<FieldProps, 'question' | 'fault'>,
  hasHint = false,
): string | undefined => {
  const error = fault && partId(question, 'error')
  if (!HAS_QUESTION_OPTIONS) return error
  const help = helpOf(question) && partId(question, 'help')
  const hint = hasHint && partId(question, 'hint')
  return [help, hint, error].filter(Boolean).join(' ') || undefined
}

/** What a question says below itself; as it was typed where its marks are not read. */
export const helpOf = ({ help_text, help }: RichQuestion) => help_text ?? help
