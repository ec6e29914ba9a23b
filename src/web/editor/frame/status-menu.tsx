import { ChevronDown, CloudOff, History, PencilLine, Replace, Share2 } from 'lucide-react'
import { useState } from 'react'
import { UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { isPublished } from '#domain/questionnaire/quiz.ts'
import { saveErrorText } from '#web/api/error-text.ts'
import { type Details, useSaveDetails } from '#web/editor/draft/use-save-details.ts'
import { NAME_FIELD_ID } from '#web/editor/fields/field-ids.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import {
  otherType,
  typeChangeConfirmation,
  typeChangedText,
  withdrawConfirmation,
  withdrawnText,
} from './quiz-action-labels.ts'
import { StatusBadge } from './quiz-badges.tsx'
import type { EditorState } from './use-editor-state.ts'

const loadVersions = () => import('#web/editor/versions/versions-dialog.tsx')

/** Shows the status of the quiz as a menu of actions on the whole quiz. */
export const StatusMenu = ({
  editing: { session, quiz },
  onRestore,
}: {
  editing: EditorState
  onRestore: (text: string) => void
}) => {
  const { alert, confirm } = useDialogs()
  const versions = useLazyPart(loadVersions)
  const [isListing, setListing] = useState(false)
  const saving = useSaveDetails(session)
  /**
   * Runs an action after all pending edits are stored. Returns false after a failure, which an alert reports.
   */
  const attempt = async (work: () => Promise<unknown>, title: string): Promise<boolean> => {
    try {
      await session.flush()
      await work()
      return true
    } catch (error) {
      await alert(saveErrorText(error), { title })
      return false
    }
  }
  const save = (changes: Partial<Details>): Promise<boolean> =>
    attempt(() => {
      // Read after the flush, so that only the change is sent.
      const { name, type, status } = session.view().draft.quiz
      return saving.mutateAsync({ name, type, status, ...changes })
    }, 'Non enregistré')
  const withdraw = async (): Promise<void> => {
    const { message, ...options } = withdrawConfirmation(quiz)
    if ((await confirm(message, options)) && (await save({ status: UNPUBLISHED })))
      announceToScreenReader(withdrawnText(quiz))
  }
  const changeType = async (): Promise<void> => {
    const { message, ...options } = typeChangeConfirmation(quiz)
    if ((await confirm(message, options)) && (await save({ type: otherType(quiz) })))
      announceToScreenReader(typeChangedText(quiz))
  }
  const download = (): Promise<boolean> =>
    attempt(async () => {
      const { downloadQuiz } = await import('./download-quiz.ts')
      await downloadQuiz(session.view().draft.quiz, 'json')
    }, 'Fichier non préparé')
  const rename = (): void => {
    const field = document.getElementById(NAME_FIELD_ID)
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }

  return (
    <>
      <Menu
        label={`Statut : ${quiz.status}`}
        face={
          <>
            <StatusBadge status={quiz.status} />
            <ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />
          </>
        }
        items={[
          {
            label: 'Dépublier',
            icon: <CloudOff aria-hidden="true" />,
            disabled: !isPublished(quiz),
            onSelect: withdraw,
          },
          {
            label: 'Changer le type',
            icon: <Replace aria-hidden="true" />,
            onSelect: changeType,
          },
          {
            label: 'Versions',
            icon: <History aria-hidden="true" />,
            onSelect: async () => setListing(await versions.show()),
          },
          {
            label: 'Exporter (JSON)',
            icon: <Share2 aria-hidden="true" />,
            onSelect: download,
          },
          { label: 'Renommer', icon: <PencilLine aria-hidden="true" />, onSelect: rename },
        ]}
      />
      {versions.part && (
        <versions.part.VersionsDialog
          session={session}
          open={isListing}
          onClose={() => setListing(false)}
          onRestore={(text) => {
            setListing(false)
            onRestore(text)
          }}
        />
      )}
    </>
  )
}
