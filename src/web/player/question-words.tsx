import type { ReactNode } from 'react'
import type { Insertions } from '#domain/insertions.ts'
import type { Reply } from '#domain/quiz.ts'
import type { RichQuestion } from '#domain/rich-text.ts'
import type { SnapshotAnswer } from '#domain/snapshot.ts'
import { Help } from './help.tsx'
import { Picture } from './picture.tsx'
import { FilledText } from './rich-words.tsx'

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
  /** Whether it is the first that a visitor sees. */
  is_first: boolean
}

/** The parts of a question beside its field, which describe it. */
type Part = 'help' | 'hint' | 'error'

export const partId = ({ id }: { id: string }, part: Part): string => `q-${id}-${part}`

/** The ids of what describes a field. */
export const describedBy = (
  { question, fault }: Pick<FieldProps, 'question' | 'fault'>,
  hasHint = false,
): string | undefined =>
  [
    helpOf(question) && partId(question, 'help'),
    hasHint && partId(question, 'hint'),
    fault && partId(question, 'error'),
  ]
    .filter(Boolean)
    .join(' ') || undefined

const helpOf = ({ help_text, help }: RichQuestion) => help_text ?? help

/** What is asked. */
export const QuestionWords = ({ question, insertions }: FieldProps) => (
  <>
    <FilledText text={question.text} insertions={insertions} />
    {question.is_required === false && <span className="q-optional"> (facultatif)</span>}
  </>
)

/** What stands between a question and its field. */
export const BeforeField = ({ question, insertions, is_first }: FieldProps) => (
  <>
    <Help id={partId(question, 'help')} text={helpOf(question)} insertions={insertions} />
    <Picture image_id={question.image_id} image_alt={question.image_alt} is_first={is_first} />
  </>
)

export const Fault = ({ question, fault }: FieldProps) =>
  fault ? (
    <p id={partId(question, 'error')} className="q-error" role="alert">
      {fault}
    </p>
  ) : null

/** A question that is answered by choosing. */
export const ChoiceGroup = ({
  field,
  hasHint,
  children,
}: {
  field: FieldProps
  /** Whether the children have a hint, under the id of that part. */
  hasHint?: boolean
  children: ReactNode
}) => (
  <fieldset
    className="q-item"
    id={`q-${field.question.id}`}
    disabled={field.is_finished}
    aria-describedby={describedBy(field, hasHint)}
  >
    <legend className="q-question" dir="auto">
      <QuestionWords {...field} />
    </legend>
    <BeforeField {...field} />
    {children}
    <Fault {...field} />
  </fieldset>
)
