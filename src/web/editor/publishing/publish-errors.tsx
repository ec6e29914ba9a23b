import { CircleAlert, ListTodo } from 'lucide-react'
import { isImageError } from '#domain/publishing/publish-check.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { POINTS_TITLE } from './publish-step.ts'

/** Shows the number of points to fix before publishing, and opens their list. */
export const PublishErrorsButton = ({
  count,
  isUntouched,
  onClick,
}: {
  count: number
  isUntouched: boolean
  onClick: () => void
}) => {
  const words = buttonWords(count, isUntouched)
  return (
    <Button
      variant="ghost"
      size="compact"
      aria-label={words}
      title={words}
      icon={isUntouched ? <ListTodo aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
      onClick={onClick}
      className="tabular-nums"
    >
      {count}
    </Button>
  )
}

const buttonWords = (count: number, isUntouched: boolean): string => {
  if (isUntouched)
    return count === 1 ? 'Reste à faire : 1 point' : `Reste à faire : ${count} points`
  return count === 1 ? '1 point à corriger' : `Voir les ${count} points à corriger`
}

/** Lists every point to fix before publishing, each with a link to its field. */
export const PublishErrorsDialog = ({
  errors,
  isUntouched,
  open,
  onClose,
  onChoose,
  onMarkDecorative,
}: {
  errors: readonly PublishError[]
  isUntouched: boolean
  open: boolean
  onClose: () => void
  onChoose: (error: PublishError) => void
  /** Marks all images without a description as decorative. */
  onMarkDecorative: (nb_images: number) => void
}) => {
  const nb_images = errors.filter(isImageError).length
  return (
    <Dialog title={isUntouched ? 'Avant de publier' : POINTS_TITLE} open={open} onClose={onClose}>
      <p className="text-ink-2">
        {isUntouched
          ? 'Choisissez une ligne pour commencer par là.'
          : 'Choisissez un point pour aller le corriger.'}
      </p>
      {nb_images > 1 && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-wash p-3">
          <p className="min-w-0 flex-1 basis-48">
            {nb_images} images n’ont pas de description. Si elles n’ajoutent rien au texte, elles
            sont décoratives.
          </p>
          <Button onClick={() => onMarkDecorative(nb_images)}>Toutes décoratives</Button>
        </div>
      )}
      <PublishErrorList errors={errors} isFirst onChoose={onChoose} />
    </Dialog>
  )
}

/**
 * Lists points as buttons that lead to their fields. With `isFirst`, the first button receives the focus when
 * the dialog opens.
 */
export const PublishErrorList = ({
  errors,
  isFirst = false,
  onChoose,
}: {
  errors: readonly PublishError[]
  isFirst?: boolean
  onChoose: (error: PublishError) => void
}) => (
  <ul className="mt-3 flex flex-col gap-1">
    {errors.map((error, index) => (
      // Two answers may have the same text, hence the same message.
      <li key={Object.values(error).join(' ')}>
        <button
          type="button"
          data-initial-focus={(isFirst && index === 0) || undefined}
          onClick={() => onChoose(error)}
          className="min-h-11 w-full rounded-md px-3 py-2 text-left text-ink break-words underline decoration-line underline-offset-2 hover:bg-press"
        >
          {error.message}
        </button>
      </li>
    ))}
  </ul>
)
