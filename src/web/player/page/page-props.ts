import type { ComponentProps, ReactNode } from 'react'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** State of the shown page. */
export type FormState = {
  /** Replies when the page was opened, which fill its uncontrolled fields. */
  replies: Replies
  /** Name of the field whose error is shown. */
  invalid_field?: string | undefined
  /** True if « Suivant » was pressed while an answer was missing. */
  was_blocked?: boolean
}

/** Commands of the controls of a player, absent where no script runs. */
export type PlayerActions = {
  goBack: () => void
  /** Focuses the field of a question that needs an answer. */
  focusQuestion: (question: SnapshotQuestion) => void
  toggleContrast: () => void
}

/** Props that the server adds, so that the form works without scripts. */
export type NoscriptProps = {
  form: ComponentProps<'form'>
  back: ComponentProps<'button'>
  /** Hidden fields, and the reason of a refusal. */
  hidden_fields: ReactNode
}
