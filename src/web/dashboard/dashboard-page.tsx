import { Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { errorText } from '#web/api/error-text.ts'
import { useSession } from '#web/session/session.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { useLazyPart } from '#web/ui/use-lazy-part.ts'
import { QuizBrowser } from './quiz-browser.tsx'
import { focusQuiz } from './quiz-grid.tsx'
import { QuizSkeletons } from './quiz-skeletons.tsx'
import { RemovalToast } from './removal-toast.tsx'
import { useQuizzes } from './use-quizzes.ts'
import { useRemovals } from './use-removals.ts'

/** Loaded after the first render; the screen works without it when loading fails. */
const ReconnectNote = lazy(() =>
  import('#web/integrations/reconnect-note.tsx').then(
    (part) => ({ default: part.ReconnectNote }),
    () => ({ default: () => null }),
  ),
)
const loadCreation = () => import('./create-dialog.tsx')

const TITLE = 'Mes quiz & sondages'

/** The questionnaires of the creator (spec §2 « Dashboard »). */
const DashboardPage = () => {
  const { user, isLoading } = useSession()
  if (isLoading) return <Loading text="Chargement..." />
  return user ? <Quizzes /> : <SignedOut />
}

const SignedOut = () => (
  <Screen>
    <Message
      title="Connexion requise"
      text="Vous devez être connecté pour accéder au dashboard."
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
  const { quizzes, error, refetch } = useQuizzes(waiting)
  const creation = useLazyPart(loadCreation)
  const [isCreating, setCreating] = useState(false)
  const createButton = useRef<HTMLButtonElement>(null)
  const isCreateWanted = useRef(false)
  const isEmpty = quizzes?.length === 0

  // The create button is another element once the last quiz has been removed.
  useEffect(() => {
    if (isEmpty && isCreateWanted.current) createButton.current?.focus()
    isCreateWanted.current = false
  }, [isEmpty])
  const openCreation = async (): Promise<void> => setCreating(await creation.show())
  const focusCreate = (): void => {
    isCreateWanted.current = true
    createButton.current?.focus()
  }

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
    <Screen action={!isEmpty && create}>
      <Suspense fallback={null}>
        <ReconnectNote />
      </Suspense>
      {error && <LoadFailure error={error} onRetry={refetch} />}
      {isEmpty && (
        <Message
          title="Aucun quiz créé"
          text="Commencez par créer votre premier questionnaire."
          action={create}
        />
      )}
      {quizzes ? (
        <QuizBrowser
          quizzes={quizzes}
          create={openCreation}
          onRemove={remove}
          focusCreate={focusCreate}
        />
      ) : (
        !error && <QuizSkeletons />
      )}
      {creation.part && (
        <creation.part.CreateDialog open={isCreating} onClose={() => setCreating(false)} />
      )}
      <RemovalToast waiting={waiting} undo={undo} />
    </Screen>
  )
}

const Screen = ({ action, children }: { action?: ReactNode; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 p-4 sm:p-6">
    <title>{TITLE}</title>
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {TITLE}
      </h1>
      {action}
    </div>
    {children}
  </div>
)

const LoadFailure = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) => {
  const retry = (): void => {
    // This button is removed while the list is loaded again.
    document.querySelector('h1')?.focus()
    void onRetry()
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-bad-wash p-4 text-bad"
    >
      <p className="font-medium">{errorText(error)}</p>
      <Button onClick={retry}>Réessayer</Button>
    </div>
  )
}

export default DashboardPage
