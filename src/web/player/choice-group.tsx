import type { ReactNode } from 'react'
import { takesSeveral } from '#domain/replies.ts'
import { ASKS_MORE } from './asked.ts'
import { ClearChoice } from './clear-choice.tsx'
import { describedBy, type FieldProps } from './field-props.ts'
import { HAS_PARTS } from './parts.ts'
import { BeforeField, Fault, QuestionWords } from './question-words.tsx'

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
    aria-describedby={ASKS_MORE ? describedBy(field, hasHint) : undefined}
  >
    <legend className="q-question" dir="auto">
      <QuestionWords {...field} />
    </legend>
    {HAS_PARTS && <BeforeField {...field} />}
    {/* Says that none is chosen any more. */}
    {ASKS_MORE && canBeTakenBack(field) && <input type="hidden" name={field.question.id} />}
    {children}
    {ASKS_MORE && <ClearChoice {...field} />}
    {ASKS_MORE && <Fault {...field} />}
  </fieldset>
)

const canBeTakenBack = ({ question }: FieldProps): boolean =>
  takesSeveral(question) || question.is_required === false
