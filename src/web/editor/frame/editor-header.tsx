import { ArrowLeft, ChartColumn, Eye, Redo2, Share2, Undo2, Upload } from 'lucide-react'
import { useContext } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import { DEFAULT_QUIZ_NAME, LIMITS } from '#domain/common/vocabulary.ts'
import { isPublished, type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import {
  NAME_FIELD_ID,
  PREVIEW_LINK_ID,
  PUBLISH_BUTTON_ID,
  SHARE_BUTTON_ID,
} from '#web/editor/fields/field-ids.ts'
import { PublishErrorsButton } from '#web/editor/publishing/publish-errors.tsx'
import type { UndoControls } from '#web/editor/undo/use-undo-controls.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { RefusedFields } from '#web/ui/form/text-field.tsx'
import { ClosedBadge, UNPUBLISHED_NOTE_ID, UnpublishedNote } from './quiz-badges.tsx'
import { SaveIndicator } from './save-indicator.tsx'
import { StatusMenu } from './status-menu.tsx'
import type { EditorState } from './use-editor-state.ts'

/** Classes that turn the last group of buttons into a bottom bar below 1024 px. */
const BOTTOM_BAR =
  'max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:min-h-16 max-lg:flex-wrap max-lg:justify-end max-lg:gap-1 max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:px-2 sm:max-lg:left-60'

/**
 * Publishes the height of the bottom bar as `--bar-height`, so that scrolling keeps focused fields above the bar.
 * Returns a function that stops it.
 */
const publishBarHeight = (bar: HTMLElement | null) => {
  if (!bar) return undefined
  const { style } = document.documentElement
  // A change of the layout within the callback would be reported as a loop, so that the height is set in the next frame.
  const observer = new ResizeObserver(() =>
    requestAnimationFrame(() => {
      if (bar.isConnected) style.setProperty('--bar-height', `${bar.offsetHeight}px`)
    }),
  )
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bar-height')
  }
}

/** Shows the sticky header of the three steps (product 7.6). */
export const EditorHeader = ({
  editing,
  onNamed,
  preview,
  publishButton,
  has_plus,
  errors,
  onPublish,
  onShare,
  onRestore,
}: {
  editing: EditorState
  /** Called on Enter in the name field; moves the focus to the first field of the step. */
  onNamed: () => void
  /** Path and history state of the preview. */
  preview: { to: string; state: object }
  publishButton: { isDisabled: boolean; title: string }
  /** True if the bottom bar leaves room for the button that adds items. */
  has_plus: boolean
  /** Points to fix before publishing. */
  errors: { count: number; isUntouched: boolean; onOpen: () => void }
  onPublish: () => void
  onShare: () => void
  /** Called with the toast text before a version is restored into the draft. */
  onRestore: (text: string) => void
}) => {
  const { session, view, quiz, undoing, rename } = editing
  const { hasChanges } = editing.publishing
  return (
    <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-x-1 border-b border-line bg-paper px-2 sm:gap-x-2 sm:px-4">
      <ButtonLink
        to="/dashboard"
        variant="ghost"
        aria-label="Retour"
        title="Retour au tableau de bord"
        icon={<ArrowLeft aria-hidden="true" />}
        size="compact"
        className="shrink-0"
      />
      <QuizNameField quiz={view.draft.quiz} rename={rename} onEnter={onNamed} />
      <StatusMenu editing={editing} onRestore={onRestore} />
      <ClosedBadge quiz={quiz} />
      <SaveIndicator
        state={view.save_state}
        onRetry={() => {
          session.flush().catch((error: unknown) => console.warn('Saving again failed', error))
        }}
      />
      <Button
        id={SHARE_BUTTON_ID}
        variant="ghost"
        icon={<Share2 aria-hidden="true" />}
        aria-label="Partager"
        disabled={!isPublished(quiz)}
        title={isPublished(quiz) ? 'Partager le lien' : "Publiez d'abord le quiz"}
        onClick={onShare}
        size="compact"
      />
      <ButtonLink
        to={`/quiz/${quiz.id}/statistics`}
        variant="ghost"
        icon={<ChartColumn aria-hidden="true" />}
        aria-label="Statistiques"
        title="Statistiques"
        size="compact"
      />
      <div
        ref={publishBarHeight}
        className={`editor-bar ml-auto flex items-center gap-1.5 ${BOTTOM_BAR} ${has_plus ? 'max-lg:pl-18' : ''}`}
      >
        {/* Parts that come and go are on the left, so that the buttons keep their places (see `editor-bar`). */}
        {errors.count > 0 && (
          <PublishErrorsButton
            count={errors.count}
            isUntouched={errors.isUntouched}
            onClick={errors.onOpen}
          />
        )}
        {hasChanges && <UnpublishedNote />}
        <UndoButtons undoing={undoing} />
        <ButtonLink
          id={PREVIEW_LINK_ID}
          {...preview}
          variant="secondary"
          aria-label="Prévisualiser"
          title="Prévisualiser"
          icon={<Eye aria-hidden="true" />}
          size="compact"
        >
          <span className="hidden xl:inline">Prévisualiser</span>
        </ButtonLink>
        <Button
          id={PUBLISH_BUTTON_ID}
          aria-describedby={hasChanges ? UNPUBLISHED_NOTE_ID : undefined}
          variant="primary"
          icon={<Upload aria-hidden="true" className="max-sm:hidden" />}
          disabled={publishButton.isDisabled}
          title={publishButton.title}
          onClick={onPublish}
        >
          Publier
        </Button>
      </div>
    </header>
  )
}

const ERROR_ID = `${NAME_FIELD_ID}-error`

/** Edits the name of the quiz in the header of every step (product 7.6). */
const QuizNameField = ({
  quiz,
  rename,
  onEnter,
}: {
  quiz: Pick<Quiz, 'name' | 'type'>
  rename: (name: string) => void
  onEnter: () => void
}) => {
  const { name } = quiz
  const isBlank = isBlankText(name)
  const isFull = name.length >= LIMITS.quiz_name
  const refused = useContext(RefusedFields)[NAME_FIELD_ID]
  const full = isFull ? `Limite atteinte : ${LIMITS.quiz_name} caractères au plus.` : undefined
  const fault = isBlank
    ? 'Le nom est obligatoire : l’ancien est gardé tant que ce champ est vide.'
    : (refused ?? full)
  return (
    <div className="relative min-w-10 flex-1 basis-10 sm:min-w-16 sm:basis-24">
      <label htmlFor={NAME_FIELD_ID} className="sr-only">
        Nom du {quizNoun(quiz)}
      </label>
      <input
        id={NAME_FIELD_ID}
        dir="auto"
        value={name}
        maxLength={LIMITS.quiz_name}
        autoComplete="off"
        title={name}
        aria-invalid={isBlank || refused !== undefined}
        aria-describedby={fault ? ERROR_ID : undefined}
        onFocus={({ currentTarget }) => {
          // The default name is selected, so that typing replaces it.
          if (name === DEFAULT_QUIZ_NAME) currentTarget.select()
        }}
        onChange={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The default action would press the button that gets the focus.
          event.preventDefault()
          onEnter()
        }}
        className="h-9 w-full min-w-0 truncate rounded-lg border border-transparent bg-transparent px-1.5 text-base font-semibold tracking-tight text-ink hover:border-line focus:border-field pointer-coarse:h-11"
      />
      {fault && (
        <p
          id={ERROR_ID}
          className="absolute top-full left-0 z-10 mt-1 w-max max-w-[min(22rem,80vw)] rounded-lg bg-bad-wash px-3 py-2 text-sm text-bad shadow-float"
        >
          {fault}
        </p>
      )}
    </div>
  )
}

/** Shows the buttons for undo and redo. */
const UndoButtons = ({ undoing }: { undoing: UndoControls }) => (
  <div className="flex">
    <IconButton
      label="Annuler la dernière modification (Ctrl Z)"
      icon={<Undo2 aria-hidden="true" />}
      disabled={!undoing.canUndo}
      onClick={undoing.undo}
    />
    <IconButton
      label="Rétablir la modification (Ctrl Maj Z)"
      icon={<Redo2 aria-hidden="true" />}
      disabled={!undoing.canRedo}
      onClick={undoing.redo}
    />
  </div>
)
