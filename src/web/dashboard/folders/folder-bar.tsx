import { Ellipsis, Folder as FolderIcon, Pencil, Trash2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { Link } from 'react-router'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'
import { RenameDialog } from '#web/dashboard/quizzes/rename-dialog.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import {
  FOLDER_PARAMETER,
  quizzesInFolder,
  type ShownFolder,
  WITHOUT_FOLDER,
} from './folder-filter.ts'
import { draggedQuizId, isQuizDragged } from './quiz-drag.ts'
import type { useFolderChanges } from './use-folders.ts'

type Props = {
  folders: readonly Folder[]
  quizzes: readonly Quiz[]
  shown: ShownFolder
  changes: ReturnType<typeof useFolderChanges>
  /** Called after the shown folder has been deleted. */
  onRemoved: () => void
}

/** Renders the folders as a filter of the list. A card dropped on a folder moves into this folder. */
export const FolderBar = ({ folders, quizzes, shown, changes, onRemoved }: Props) => {
  const [renamed, setRenamed] = useState<Folder | null>(null)
  const drop = (id: string, folder: Folder | null): void => {
    const quiz = quizzes.find((candidate) => candidate.id === id)
    if (quiz && quiz.folder_id !== (folder?.id ?? null)) void changes.put(quiz, folder)
  }
  const remove = async (folder: Folder): Promise<void> => {
    if (await changes.remove(folder, quizzesInFolder(quizzes, folder).length)) onRemoved()
  }
  return (
    <div className="flex items-center gap-2">
      <nav aria-label="Dossiers" className="min-w-0">
        <ul className="flex gap-1.5 overflow-x-auto p-1">
          <Entry name="Tous" count={quizzes.length} isShown={shown === null} />
          {folders.map((folder) => (
            <Entry
              key={folder.id}
              name={folder.name}
              value={folder.id}
              count={quizzesInFolder(quizzes, folder).length}
              isShown={shown === folder}
              onDropQuiz={(id) => drop(id, folder)}
            />
          ))}
          <Entry
            name="Sans dossier"
            value={WITHOUT_FOLDER}
            count={quizzesInFolder(quizzes, WITHOUT_FOLDER).length}
            isShown={shown === WITHOUT_FOLDER}
            onDropQuiz={(id) => drop(id, null)}
          />
        </ul>
      </nav>
      {shown !== null && shown !== WITHOUT_FOLDER && (
        <Menu
          label={`Actions – dossier ${shown.name}`}
          icon={<Ellipsis aria-hidden="true" />}
          items={[
            {
              label: 'Renommer le dossier',
              icon: <Pencil aria-hidden="true" />,
              onSelect: () => setRenamed(shown),
            },
            {
              label: 'Supprimer le dossier',
              icon: <Trash2 aria-hidden="true" />,
              danger: true,
              onSelect: () => void remove(shown),
            },
          ]}
        />
      )}
      {renamed && (
        <RenameDialog
          title="Renommer le dossier"
          name={renamed.name}
          maxLength={LIMITS.folder_name}
          onRename={(name) => void changes.rename(renamed, name)}
          onClose={() => setRenamed(null)}
        />
      )}
    </div>
  )
}

type EntryProps = {
  name: string
  /** Value of FOLDER_PARAMETER in the address; undefined for all quizzes. */
  value?: string
  count: number
  isShown: boolean
  onDropQuiz?: (quiz_id: string) => void
}

const Entry = ({ name, value, count, isShown, onDropQuiz }: EntryProps) => {
  const [isOver, setOver] = useState(false)
  const drop = onDropQuiz && {
    onDragOver: (event: DragEvent) => {
      if (!isQuizDragged(event)) return
      // A drop is allowed only if the event is cancelled.
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onDropQuiz(draggedQuizId(event))
    },
  }
  return (
    <li className="shrink-0">
      <Link
        to={value ? `?${FOLDER_PARAMETER}=${value}` : '?'}
        aria-current={isShown ? 'true' : undefined}
        draggable={false}
        {...drop}
        className={`inline-flex min-h-9 max-w-64 items-center gap-1.5 rounded-full border px-3 text-sm pointer-coarse:min-h-11 ${
          isShown
            ? 'border-brand bg-brand-wash font-semibold text-brand'
            : 'border-line text-ink-2 hover:bg-press hover:text-ink'
        } ${isOver ? 'ring-2 ring-brand' : ''}`}
      >
        {value && value !== WITHOUT_FOLDER && (
          <FolderIcon aria-hidden="true" className="size-4 shrink-0" />
        )}
        <span className="truncate">{name}</span>
        <span className="tabular-nums">{count}</span>
        <span className="sr-only">{count > 1 ? ' questionnaires' : ' questionnaire'}</span>
      </Link>
    </li>
  )
}
