import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { snapshotQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/draft-session-registry.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { isDialogOpen } from '#web/ui/keyboard-shortcuts.ts'
import { isOpenedFromEditor, parsePlace } from './preview-path.ts'
import { PreviewPlayer } from './preview-player.tsx'
import { RestartButton } from './restart-button.tsx'
import { WidthButton } from './width-button.tsx'

/** Shows the draft or one of its versions in the player, without submission (product 7.14). */
const PreviewPage = () => {
  const { id = '' } = useParams()
  return <Preview key={id} quizId={id} />
}

const Preview = ({ quizId }: { quizId: string }) => {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { state } = useLocation()
  const [isNarrow, setIsNarrow] = useState(false)
  const [restartCount, setRestartCount] = useState(0)
  const restart = (): void => setRestartCount(restartCount + 1)
  const version = params.get('version')
  const { data, error } = useInitialData(
    { ...snapshotQuery(quizId, version), staleTime: 0, refetchOnReconnect: false },
    { is_waiting: !useEditsSaved(quizId) },
  )
  // Back to the screen that opened it, which then reopens at the place where the creator left it.
  const close = () =>
    isOpenedFromEditor(state) ? navigate(-1) : navigate(`/quiz/${quizId}/questions`)
  useEscape(close)
  if (!data) return error ? <QuizFailure error={error} /> : <Loading text="Chargement du quiz..." />
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`Aperçu – ${data.snapshot.quiz.name}`}</title>
      <header className="flex flex-wrap items-center gap-2 border-b border-line p-2 pl-4">
        <Badge tone="info">
          {version === null ? 'Mode Aperçu' : `Aperçu de la version ${version}`}
        </Badge>
        <div className="ml-auto flex gap-1">
          <RestartButton onRestart={restart} />
          <WidthButton isNarrow={isNarrow} onChange={setIsNarrow} />
          <IconButton label="Fermer l’aperçu" icon={<X aria-hidden="true" />} onClick={close} />
        </div>
      </header>
      <main className={`flex flex-1 flex-col *:flex-1 ${isNarrow ? NARROW : ''}`}>
        <PreviewPlayer
          snapshot={data.snapshot}
          place={parsePlace(params, state)}
          restart_count={restartCount}
          onRestart={restart}
        />
      </main>
    </div>
  )
}

/** Classes for the width of a phone. */
const NARROW = 'mx-auto w-full max-w-[390px] border-x border-line'

/** Calls `close` on Escape, unless a dialog is open, because Escape then closes the dialog. */
const useEscape = (close: () => void): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (!isDialogOpen()) close()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [close])
}

export default PreviewPage

/**
 * Returns the data that a screen starts from: undefined until fresh data is loaded, then always defined. A
 * later reload must not close the screen.
 */
const useInitialData = <T, K extends QueryKey>(
  options: UseQueryOptions<T, Error, T, K>,
  { is_waiting = false }: { is_waiting?: boolean } = {},
): { data: T | undefined; error: Error | null } => {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...options, enabled: isOpen || !is_waiting })
  const isFresh = query.isSuccess && !(query.isFetching && query.isStale)
  const canOpen = isOpen || (isFresh && !is_waiting)
  if (canOpen && !isOpen) setOpen(true)
  return { data: canOpen ? query.data : undefined, error: query.error }
}
