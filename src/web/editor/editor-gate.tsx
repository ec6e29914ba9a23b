import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { QuizFailure } from '#web/ui/quiz-failure.tsx'
import type { DraftSession } from './draft/draft-session.ts'
import { draftSessions } from './draft/draft-sessions.ts'
import { openDraftSession } from './draft/open-draft-session.ts'
import { useDraftScreen } from './draft/use-draft.ts'
import { EditorSkeleton } from './editor-skeleton.tsx'

/**
 * Opens an editor screen once the quiz of the route is loaded, or shows that there is none (spec §2 « Shared
 * editor chrome »).
 */
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
  /** Whether the screen has a column on its right, as wide as it allows. */
  has_aside?: boolean
  children: (session: DraftSession) => ReactNode
}

const Gate = ({ quizId, has_aside = false, children }: GateProps) => {
  const queryClient = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['draft-session', quizId],
    queryFn: () => openDraftSession(quizId, queryClient),
    initialData: () => draftSessions.find(quizId),
    // The session itself reloads the draft when it has changed on the server.
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
