import { type Ref, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Quiz } from '#domain/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { Message } from '#web/ui/screen-state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { focusQuiz, QuizGrid } from './quiz-grid.tsx'
import { CARDS_AT_ONCE, SEARCHED_FROM, searchQuizzes } from './quiz-search.ts'
import { useShortcuts } from './use-shortcuts.ts'

type Props = {
  quizzes: readonly Quiz[]
  create: () => void
  onRemove: (quiz: Quiz) => void
  /** Focuses the create button, when no card is left to focus. */
  focusCreate: () => void
}

/** The questionnaires, with a search by name once there are many, and shown in batches. */
export const QuizBrowser = ({ quizzes, create, onRemove, focusCreate }: Props) => {
  const field = useRef<HTMLInputElement>(null)
  // Null until the first search: from then on the field stays, however few questionnaires are left.
  const [searched, setSearched] = useState<string | null>(null)
  const [limit, setLimit] = useState(CARDS_AT_ONCE)

  const search = (text: string): void => {
    setSearched(text)
    setLimit(CARDS_AT_ONCE)
  }
  const clear = (): void => {
    search('')
    field.current?.focus()
  }
  useShortcuts({ create, search: () => field.current?.focus() })

  const isSearchable = quizzes.length >= SEARCHED_FROM || (searched !== null && quizzes.length > 0)
  const text = isSearchable ? (searched ?? '').trim() : ''
  const found = searchQuizzes(quizzes, text)

  return (
    <>
      {isSearchable && (
        <SearchField
          ref={field}
          searched={searched ?? ''}
          onSearch={search}
          count={text === '' ? null : found.length}
        />
      )}
      {text !== '' && found.length === 0 && (
        <Message
          title={`Aucun questionnaire ne correspond à « ${text} »`}
          action={<Button onClick={clear}>Effacer la recherche</Button>}
        />
      )}
      <QuizGrid
        quizzes={quizzes}
        shown={found.slice(0, limit)}
        onRemove={onRemove}
        focusCreate={focusCreate}
      />
      {found.length > limit && (
        <MoreButton next={found[limit]} onMore={() => setLimit(limit + CARDS_AT_ONCE)} />
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
  <search className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <div className="w-full sm:w-92">
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
      {count === null ? '' : `${count} résultat(s)`}
    </p>
  </search>
)

/** Shows more cards and focuses the first of them, since this button may be removed. */
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
