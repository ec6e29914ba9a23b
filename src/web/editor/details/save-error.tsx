import { RefusedCall } from '#contract/client.ts'
import { saveErrorText } from '#web/api/error-text.ts'
import { isStale } from '#web/editor/draft/draft-server.ts'

/** Why the form was not saved or, when « Publié » was chosen, why the quiz cannot be published (spec §8). */
export const SaveError = ({ error }: { error: Error | null }) => {
  const reasons = error instanceof RefusedCall ? error.validation_errors : []
  return (
    <div role="alert">
      {error && (
        <div className="rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">{saveErrorText(error)}</p>
          {isStale(error) && (
            <p className="mt-1">
              Les champs que vous n’avez pas touchés sont à jour : vérifiez, puis sauvegardez de
              nouveau.
            </p>
          )}
          {reasons.length > 0 && (
            <ul className="mt-1 list-disc pl-5">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
