import { type Ref, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'react-router'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { FolderBar } from '#web/dashboard/folders/folder-bar.tsx'
import { quizzesInFolder, readShownFolder } from '#web/dashboard/folders/folder-filter.ts'
import { useFolderChanges, useFolders } from '#web/dashboard/folders/use-folders.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Message } from '#web/ui/feedback/screen-state.tsx'
import { CONTROL, TextField } from '#web/ui/form/text-field.tsx'
import type { QuizFigures } from './quiz-figures.ts'
import { focusQuiz, QuizGrid } from './quiz-grid.tsx'
import {
  MAX_INITIAL_CARDS,
  MIN_QUIZZES_FOR_SEARCH,
  readSort,
  SORTS,
  type Sort,
  saveSort,
  searchQuizzes,
  sortQuizzes,
} from './quiz-search.ts'

/** Loads the dialog when a creator first puts a questionnaire in a folder. */
const loadFolderDialog = () => import('#web/dashboard/folders/folder-dialog.tsx')

type Props = {
  quizzes: readonly Quiz[]
  figuresOf: (id: string) => QuizFigures | null | undefined
  /** Ref of the search field, if it is rendered. */
  field: RefObject<HTMLInputElement | null>
  onRemove: (quiz: Quiz) => void
  notify: (text: string) => void
  /** Focuses the create button, when no card is left to focus. */
  focusCreate: () => void
}

/**
 * Renders the questionnaires in the chosen order and in batches. A list with many questionnaires has a search by
 * name.
 */
export const QuizBrowser = ({ quizzes, field, ...ofGrid }: Props) => {
  // Null until the first search. After a search the field stays, even if few questionnaires are left.
  const [searched, setSearched] = useState<string | null>(null)
  const [limit, setLimit] = useState(MAX_INITIAL_CARDS)
  const [sort, setSort] = useState(readSort)

  const search = (text: string): void => {
    setSearched(text)
    setLimit(MAX_INITIAL_CARDS)
  }
  const clear = (): void => {
    search('')
    field.current?.focus()
  }

  const folders = useFolders()
  const changes = useFolderChanges(ofGrid.notify)
  const [address, setAddress] = useSearchParams()
  const folder = readShownFolder(address, folders)
  const [quizToMove, setQuizToMove] = useState<Quiz | null>(null)
  const dialog = useLazyPart(loadFolderDialog)
  const chooseFolder = async (quiz: Quiz): Promise<void> => {
    if (await dialog.show()) setQuizToMove(quiz)
  }

  const isSearchable =
    quizzes.length >= MIN_QUIZZES_FOR_SEARCH || (searched !== null && quizzes.length > 0)
  const text = isSearchable ? (searched ?? '').trim() : ''
  const found = sortQuizzes(searchQuizzes(quizzesInFolder(quizzes, folder), text), sort)

  return (
    <>
      {folders.length > 0 && (
        <FolderBar
          folders={folders}
          quizzes={quizzes}
          shown={folder}
          changes={changes}
          onRemoved={() => setAddress({})}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 empty:hidden">
        {isSearchable && (
          <SearchField
            ref={field}
            searched={searched ?? ''}
            onSearch={search}
            count={text === '' ? null : found.length}
          />
        )}
        {quizzes.length > 0 && (
          <SortField
            sort={sort}
            onSort={(chosen) => {
              setSort(chosen)
              setLimit(MAX_INITIAL_CARDS)
              saveSort(chosen)
            }}
          />
        )}
      </div>
      {text !== '' && found.length === 0 && (
        <Message
          title={`Aucun questionnaire ne correspond à « ${text} »`}
          action={<Button onClick={clear}>Effacer la recherche</Button>}
        />
      )}
      {text === '' && folder !== null && found.length === 0 && (
        <Message
          title="Ce dossier est vide"
          text="Rangez-y un questionnaire depuis le menu de sa carte, ou en la faisant glisser ici."
        />
      )}
      <QuizGrid
        quizzes={quizzes}
        shown={found.slice(0, limit)}
        onChooseFolder={chooseFolder}
        {...ofGrid}
      />
      {quizToMove && dialog.part && (
        <dialog.part.FolderDialog
          quiz={quizToMove}
          folders={folders}
          changes={changes}
          onClose={() => setQuizToMove(null)}
        />
      )}
      {found.length > limit && (
        <MoreButton next={found[limit]} onMore={() => setLimit(limit + MAX_INITIAL_CARDS)} />
      )}
    </>
  )
}

const SearchField = ({
  ref,
  searched,
  onSearch,
  count,
}: {
  ref: Ref<HTMLInputElement>
  searched: string
  onSearch: (text: string) => void
  count: number | null
}) => (
  <search className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:w-full">
    <div className="w-full sm:w-80">
      <TextField
        ref={ref}
        type="search"
        label="Rechercher un questionnaire"
        hideLabel
        placeholder="Rechercher un questionnaire"
        aria-keyshortcuts="/"
        autoComplete="off"
        value={searched}
        onChange={(event) => onSearch(event.target.value)}
      />
    </div>
    <p role="status" className="min-h-5 text-ink-2 tabular-nums">
      {count === null ? '' : `${count} questionnaire${count > 1 ? 's' : ''}`}
    </p>
  </search>
)

const SortField = ({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) => {
  const id = useId()
  return (
    <div className="flex items-center gap-2 sm:ml-auto">
      <label htmlFor={id} className="whitespace-nowrap text-ink-2">
        Trier par
      </label>
      <select
        id={id}
        value={sort}
        onChange={({ currentTarget }) => {
          const chosen = SORTS.find(({ value }) => value === currentTarget.value)
          if (chosen) onSort(chosen.value)
        }}
        className={`${CONTROL} h-10`}
      >
        {SORTS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Shows more cards and focuses the first of them, because this button may disappear. */
const MoreButton = ({ next, onMore }: { next: Quiz | undefined; onMore: () => void }) => {
  const more = (): void => {
    flushSync(onMore)
    focusQuiz(next)
  }
  return (
    <Button size="large" onClick={more} className="self-center">
      Afficher plus de questionnaires
    </Button>
  )
}
