import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { snapshotQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/use-edits-saved.ts'
import { useOpened } from '#web/editor/use-opened.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { hasOpenDialog } from '#web/ui/open-dialog.ts'
import { QuizFailure } from '#web/ui/quiz-failure.tsx'
import { Loading } from '#web/ui/screen-state.tsx'
import { exampleOf } from './example.ts'
import { placeOfQuery } from './places.ts'
import { PreviewPlayer } from './preview-player.tsx'
import { WidthButton } from './width-button.tsx'

/** The draft, or one of its versions, in the player, without submission (spec §2 « Preview screen »). */
const PreviewPage = () => {
  const { id = '' } = useParams()
  return <Preview key={id} quizId={id} />
}

const Preview = ({ quizId }: { quizId: string }) => {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { state } = useLocation()
  const [isNarrow, setIsNarrow] = useState(false)
  const version = params.get('version')
  const { data, error } = useOpened(
    { ...snapshotQuery(quizId, version), staleTime: 0, refetchOnReconnect: false },
    { is_waiting: !useEditsSaved(quizId) },
  )
  const close = () => navigate(`/quiz/${quizId}/questions`)
  useEscape(close)
  if (!data)
    return error ? (
      <QuizFailure error={error} way_back="Retour au tableau de bord" />
    ) : (
      <Loading text="Chargement du quiz..." />
    )
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`Aperçu – ${data.snapshot.quiz.name}`}</title>
      <header className="flex items-center gap-2 border-b border-line p-2 pl-4">
        <Badge tone="info">
          {version === null ? 'Mode Aperçu' : `Aperçu de la version ${version}`}
        </Badge>
        <div className="ml-auto flex gap-1">
          <WidthButton isNarrow={isNarrow} onChange={setIsNarrow} />
          <IconButton label="Fermer l’aperçu" icon={<X aria-hidden="true" />} onClick={close} />
        </div>
      </header>
      <div className={`flex flex-1 flex-col *:flex-1 ${isNarrow ? NARROW : ''}`}>
        <PreviewPlayer
          snapshot={data.snapshot}
          place={placeOfQuery(params.get('page'))}
          example={exampleOf(state)}
        />
      </div>
    </div>
  )
}

/** The width of a usual phone. */
const NARROW = 'mx-auto w-full max-w-[390px] border-x border-line'

/** Calls `close` on Escape, unless a dialog is open, which the key closes. */
const useEscape = (close: () => void): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (!hasOpenDialog()) close()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [close])
}

export default PreviewPage
