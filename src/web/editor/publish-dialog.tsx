import type { PublishError } from '#domain/publish-check.ts'
import type { Quiz } from '#domain/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PUBLISH_TITLES, type PublishStep, publishStep } from './publishing.ts'
import { ShareDialog } from './share-dialog.tsx'
import type { PublishFailure, Publishing } from './use-publishing.ts'

const EXPLANATIONS: Record<Exclude<PublishStep, 'share'>, string> = {
  publish: 'Votre quiz sera accessible à toutes les personnes qui ont le lien.',
  update: 'Les personnes qui ouvrent le lien verront cette nouvelle version.',
}
const ACTIONS: Record<Exclude<PublishStep, 'share'>, string> = {
  publish: 'Publier',
  update: 'Mettre à jour',
}

/** First publication, next one, or the link to share (spec §4 « Publish modal titles »). */
export const PublishDialog = ({
  quiz,
  errors,
  publishing,
  flush,
  open,
  onClose,
}: {
  quiz: Pick<Quiz, 'id' | 'status'>
  errors: readonly PublishError[]
  publishing: Publishing
  flush: () => Promise<void>
  open: boolean
  onClose: () => void
}) => {
  const step = publishStep({ quiz, hasChanges: publishing.hasChanges })
  if (step === 'share') return <ShareDialog quizId={quiz.id} open={open} onClose={onClose} />

  const publish = async (): Promise<void> => {
    if (await publishing.publish(flush)) onClose()
  }
  return (
    <Dialog
      title={PUBLISH_TITLES[step]}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          <Button
            variant="primary"
            busy={publishing.isPublishing}
            disabled={errors.length > 0}
            onClick={publish}
          >
            {ACTIONS[step]}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{EXPLANATIONS[step]}</p>
      <Refusals errors={errors} failure={publishing.failure} />
    </Dialog>
  )
}

/** What stands in the way: the browser's own checks, the server's, and what went wrong (spec §8). */
const Refusals = ({
  errors,
  failure,
}: {
  errors: readonly PublishError[]
  failure: PublishFailure | null
}) => {
  const messages = new Set([
    ...errors.map(({ message }) => message),
    ...(failure?.validation_errors ?? []),
  ])
  return (
    <div role="alert">
      {messages.size > 0 && (
        <div className="mt-4 rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">Impossible de publier le quiz</p>
          <ul className="mt-1 list-disc pl-5">
            {[...messages].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {failure?.message && (
        <div className="mt-4 rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">Erreur lors de la publication</p>
          <p className="mt-1">{failure.message}</p>
        </div>
      )}
    </div>
  )
}
