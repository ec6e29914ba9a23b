import { RefusedCall } from '#contract/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { ButtonLink } from './button.tsx'
import { Message } from './screen-state.tsx'

/** Shown when a quiz is missing or could not be loaded, with a link back (spec §8). */
export const QuizFailure = ({
  error,
  way_back = 'Retour au dashboard',
}: {
  error: Error
  way_back?: string
}) => {
  const isMissing = error instanceof RefusedCall && error.status === 404
  return (
    <div className="p-4 sm:p-6">
      <Message
        title={isMissing ? 'Quiz introuvable' : errorText(error)}
        action={
          <ButtonLink to="/dashboard" variant="primary">
            {way_back}
          </ButtonLink>
        }
      />
    </div>
  )
}
