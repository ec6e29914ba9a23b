import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { draftSessions } from '#web/editor/draft/draft-session-registry.ts'
import { openDraftSession } from '#web/editor/draft/open-draft-session.ts'
import { useDraftScreen } from '#web/editor/draft/use-draft.ts'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'

/** Shows an editor screen when the quiz of the route is loaded (product 7.6). Shows an error page if loading fails. */
export const EditorGate = ({ children, has_aside = false }: Omit<GateProps, 'quizId'>) => {
  const { id = '' } = useParams()
  return (
    <Gate key={id} quizId={id} has_aside={has_aside}>
      {children}
    </Gate>
  )
}

type GateProps = {
  quizId: string
  /** True if the screen has a right column on wide screens. */
  has_aside?: boolean
  children: (session: DraftSession) => ReactNode
}

const Gate = ({ quizId, has_aside = false, children }: GateProps) => {
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['draft-session', quizId],
    queryFn: () => openDraftSession(quizId, queryClient),
    initialData: () => draftSessions.find(quizId),
    // The query never becomes stale, because the session reloads the draft after a change on the server.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data)
    return (
      <Opened quizId={quizId} session={data}>
        {children}
      </Opened>
    )
  return error ? <QuizFailure error={error} /> : <EditorSkeleton has_aside={has_aside} />
}

const Opened = ({ quizId, session, children }: GateProps & { session: DraftSession }) => {
  useDraftScreen(quizId, session)
  return children(session)
}

/** Shows the loading text of an editor screen (product 7.6) with placeholders for its parts. */
const EditorSkeleton = ({ has_aside }: { has_aside: boolean }) => (
  <div className="appear-late flex min-h-dvh flex-col">
    <div className="flex h-14 items-center gap-3 border-b border-line px-4">
      <Bar className="size-8" />
      <p role="status" className="text-ink-2">
        Chargement...
      </p>
      <span aria-hidden="true" className="ml-auto flex gap-2">
        <Bar className="h-8 w-24" />
      </span>
    </div>
    <div aria-hidden="true" className="contents">
      <div className="h-11 border-b border-line bg-wash" />
      <div className={has_aside ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_360px]' : 'contents'}>
        <div className="mx-auto flex w-full max-w-5xl flex-col gap-5 p-4 sm:p-5">
          <Bar className="h-9 w-2/5" />
          <Bar className="h-44 rounded-xl" />
          <Bar className="h-44 rounded-xl" />
          <Bar className="h-44 rounded-xl" />
        </div>
        {has_aside && (
          <div className="hidden flex-col gap-5 border-l border-line p-5 xl:flex">
            <Bar className="h-32 rounded-xl" />
            <Bar className="h-[36rem] rounded-xl" />
          </div>
        )}
      </div>
    </div>
  </div>
)

const Bar = ({ className }: { className: string }) => (
  <div className={`rounded-md bg-press ${className}`} />
)
