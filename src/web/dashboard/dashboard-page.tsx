import { Plus, WifiOff } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { errorText } from '#web/api/error-text.ts'
import { useSession } from '#web/session/session.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { lazyPart, useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { LoadFailure, Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { useSingleKeys } from '#web/ui/keyboard-shortcuts.ts'
import { DashboardToasts, useNotices } from './dashboard-toasts.tsx'
import { QuizBrowser } from './quizzes/quiz-browser.tsx'
import { formatTotals, type QuizFigures } from './quizzes/quiz-figures.ts'
import { focusQuiz } from './quizzes/quiz-grid.tsx'
import { shortcutOf } from './quizzes/quiz-search.ts'
import { QuizSkeletons } from './quizzes/quiz-skeletons.tsx'
import { useFigures, useQuizzes, useRemovals } from './quizzes/use-quizzes.ts'

type Props = {
  /** Figures of the listed questionnaires; null when they could not be read, undefined until they are read. */
  figures: readonly QuizFigures[] | null | undefined
  onRetry: () => unknown
}

/** Renders the totals of all questionnaires, and reserves their space while they are read. */
const DashboardTotals = ({ figures, onRetry }: Props) => {
  const retry = (): void => {
    // The button disappears after the figures are loaded.
    document.querySelector('h1')?.focus()
    void onRetry()
  }
  if (figures === null)
    return (
      <div role="status" className="mt-1.5 flex flex-wrap items-center gap-3 text-ink-2">
        Les chiffres n’ont pas pu être chargés.
        <Button onClick={retry}>Recharger les chiffres</Button>
      </div>
    )
  return (
    <p
      className={`mt-1.5 flex min-h-5 flex-wrap gap-x-7 gap-y-1 text-ink-2 tabular-nums ${figures ? '' : 'invisible'}`}
    >
      {formatTotals(figures ?? []).map(({ key, value, words, title }) => (
        <span key={key} title={title}>
          <b className="font-semibold text-ink">{value}</b> {words}
        </span>
      ))}
    </p>
  )
}

/** Listens to the keys of the dashboard: / searches, N creates. */
const useShortcuts = (actions: { search: () => void; create: () => void }): void =>
  useSingleKeys((event) => {
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    // Prevents that the key is typed in the field that gets the focus.
    event.preventDefault()
    actions[shortcut]()
  })

/** Loaded after the first render. */
const ReconnectNote = lazyPart<{ quizId?: string }>(
  () =>
    import('#web/integrations/reconnect-note.tsx').then((part) => ({
      default: part.ReconnectNote,
    })),
  'L’état de vos outils n’a pas pu être chargé.',
)
const loadCreation = () => import('./creation/create-dialog.tsx')

/** Loaded only for creators without questionnaires. */
const EmptyDashboardTemplates = lazyPart(
  () => import('./templates/empty-dashboard-templates.tsx'),
  'Les modèles n’ont pas pu être chargés.',
)

const TITLE = 'Mes quiz & sondages'

/** Renders the questionnaires of the creator (product 7.4). */
const DashboardPage = () => {
  const { user, isLoading } = useSession()
  if (isLoading) return <Loading text="Chargement..." />
  return user ? <Quizzes /> : <SignedOut />
}

const SignedOut = () => (
  <Screen>
    <Message
      title="Connexion requise"
      text="Vous devez être connecté pour accéder au tableau de bord."
      action={
        <ButtonLink to="/login" variant="primary" size="large">
          Se connecter
        </ButtonLink>
      }
    />
  </Screen>
)

const Quizzes = () => {
  const { waiting, remove, undo } = useRemovals(focusQuiz)
  const { quizzes, nb_trashed, error, refetch, isOffline } = useQuizzes(waiting)
  const { figuresOf, refetch: refetchFigures } = useFigures(quizzes !== undefined)
  const { notices, notify } = useNotices()
  const creation = useLazyPart(loadCreation)
  const [isCreating, setCreating] = useState(false)
  const createButton = useRef<HTMLButtonElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const isEmpty = quizzes?.length === 0

  const openCreation = async (): Promise<void> => setCreating(await creation.show())
  // Active before the list is loaded, because the create button is already there and names its key.
  useShortcuts({ create: openCreation, search: () => searchField.current?.focus() })
  const focusCreate = (): void => createButton.current?.focus()

  const create = (
    <Button
      ref={createButton}
      variant="primary"
      size="large"
      icon={<Plus aria-hidden="true" />}
      aria-keyshortcuts="N"
      title="Raccourci : N"
      onClick={openCreation}
    >
      Créer un questionnaire
    </Button>
  )
  return (
    <Screen
      // The element is equal in every state, so that a press while the list is loaded is not lost.
      action={create}
      totals={
        !isEmpty && (
          <DashboardTotals figures={figuresOfAll(quizzes, figuresOf)} onRetry={refetchFigures} />
        )
      }
    >
      <Suspense fallback={null}>
        <ReconnectNote />
      </Suspense>
      {isOffline && <OfflineNote isListed={quizzes !== undefined} />}
      {error && <LoadFailure text={errorText(error)} query={{ isFetching: false, refetch }} />}
      {isEmpty && (
        <>
          <Message
            title="Aucun quiz créé"
            text="Commencez par créer votre premier questionnaire."
          />
          <Suspense fallback={<QuizSkeletons />}>
            <EmptyDashboardTemplates onBlank={openCreation} />
          </Suspense>
        </>
      )}
      {quizzes ? (
        <QuizBrowser
          quizzes={quizzes}
          figuresOf={figuresOf}
          field={searchField}
          onRemove={remove}
          notify={notify}
          focusCreate={focusCreate}
        />
      ) : (
        !error && !isOffline && <QuizSkeletons />
      )}
      {!!nb_trashed && (
        <ButtonLink to="/corbeille" className="self-start">
          {`Corbeille (${nb_trashed})`}
        </ButtonLink>
      )}
      {creation.part && (
        <creation.part.CreateDialog open={isCreating} onClose={() => setCreating(false)} />
      )}
      <DashboardToasts waiting={waiting} undo={undo} notices={notices} />
    </Screen>
  )
}

/** Returns the figures of all quizzes; undefined while figures are being read, null when they could not be read. */
const figuresOfAll = (
  quizzes: readonly Quiz[] = [],
  figuresOf: (id: string) => QuizFigures | null | undefined,
): QuizFigures[] | null | undefined => {
  const figures = quizzes.map(({ id }) => figuresOf(id))
  if (figures.length === 0 || figures.includes(undefined)) return undefined
  return figures.includes(null) ? null : figures.flatMap((figure) => figure ?? [])
}

const OfflineNote = ({ isListed }: { isListed: boolean }) => (
  <p role="status" className="flex items-center gap-2 rounded-xl bg-warn-wash p-4 text-ink">
    <WifiOff aria-hidden="true" className="size-4 shrink-0 text-warn" />
    {isListed
      ? 'Hors ligne : cette liste est celle de votre dernière visite.'
      : 'Hors ligne : vos questionnaires s’affichent dès que la connexion revient.'}
  </p>
)

type ScreenProps = { action?: ReactNode; totals?: ReactNode; children: ReactNode }

const Screen = ({ action, totals, children }: ScreenProps) => (
  <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 p-4 sm:p-6">
    <title>{TITLE}</title>
    <div className="flex min-h-11 flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div>
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {TITLE}
        </h1>
        {totals}
      </div>
      {action}
    </div>
    {children}
  </div>
)

export default DashboardPage
