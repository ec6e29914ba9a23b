import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { RefusedCall } from '#contract/client.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { quizzes } from '#contract/quizzes.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Message } from '#web/ui/screen-state.tsx'
import { EditorSkeleton } from './editor-skeleton.tsx'
import { useSettled } from './use-autosave.ts'
import { useOpened } from './use-opened.ts'

/** Everything a creator edits of one quiz, kept equal to what the screens show (see editor-cache). */
export type QuizDetail = Answer<typeof quizzes.get>

/**
 * Opens an editor screen on the quiz of the route once it is loaded, and once the screen that was
 * just left has stored its edits; says so when there is none (spec §2 « Shared editor chrome »).
 */
export const EditorGate = ({ children }: { children: (detail: QuizDetail) => ReactNode }) => {
  const { id = '' } = useParams()
  return (
    <Gate key={id} quizId={id}>
      {children}
    </Gate>
  )
}

const Gate = ({
  quizId,
  children,
}: {
  quizId: string
  children: (detail: QuizDetail) => ReactNode
}) => {
  const { data, error } = useOpened(quizQuery(quizId), { is_held: !useSettled(quizId) })
  if (data) return children(data)
  return error ? <Missing error={error} /> : <EditorSkeleton />
}

const Missing = ({ error }: { error: Error }) => {
  const isMissing = error instanceof RefusedCall && error.status === 404
  return (
    <div className="p-4 sm:p-6">
      <Message
        title={isMissing ? 'Quiz introuvable' : errorText(error)}
        action={
          <ButtonLink to="/dashboard" variant="primary">
            Retour au dashboard
          </ButtonLink>
        }
      />
    </div>
  )
}
