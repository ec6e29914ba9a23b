import { RefusedCall } from '#contract/client/client.ts'
import { IN_TRASH } from '#domain/questionnaire/trash/in-trash.ts'
import { errorText } from '#web/api/error-text.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Message } from './screen-state.tsx'

/**
 * Renders the message of a quiz that is missing or could not be loaded, with a link back (product 14.1, 14.4). Offers the
 * trash for a quiz that is there.
 */
export const QuizFailure = ({ error }: { error: Error }) => {
  const isMissing = error instanceof RefusedCall && error.status === 404
  const isTrashed = isMissing && error.code === IN_TRASH
  return (
    <div className="p-4 sm:p-6">
      <Message
        title={isMissing ? 'Quiz introuvable' : errorText(error)}
        text={isTrashed ? error.message : undefined}
        action={
          <>
            {isTrashed && <ButtonLink to="/corbeille">Ouvrir la corbeille</ButtonLink>}
            <ButtonLink to="/dashboard" variant="primary">
              Retour au tableau de bord
            </ButtonLink>
          </>
        }
      />
    </div>
  )
}
