import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSondage, type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import type { Toast } from '#web/ui/feedback/toasts.tsx'

type Success = 'published' | 'updated'
type Outcome = Success | 'failed'

const SUCCESS_TEXTS: Record<Success, { done: string; detail: string }> = {
  published: {
    done: 'publié',
    detail: 'est en ligne. Voici ce que montre son lien quand on le partage.',
  },
  updated: {
    done: 'mis à jour',
    detail: 'montre maintenant cette version. Voici ce que montre son lien quand on le partage.',
  },
}

/** Duration of the success toast, long enough to look at its picture. */
const SHOWN_MS = 20_000

/**
 * Returns the outcome of the last publication. A success is cleared after some seconds; a failure stays until
 * it is opened.
 */
export const usePublishOutcome = (): {
  outcome: Outcome | null
  show: (outcome: Outcome | null) => void
} => {
  const [shown, setShown] = useState<{ outcome: Outcome } | null>(null)
  useEffect(() => {
    if (!shown || shown.outcome === 'failed') return
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return {
    outcome: shown?.outcome ?? null,
    show: (outcome) => setShown(outcome && { outcome }),
  }
}

/**
 * Returns the toast of a publication. No toast is shown while a dialog is open, because the dialog shows the
 * outcome.
 */
export const publishToast = (
  outcome: Outcome | null,
  {
    quiz,
    isAsked,
    share,
    explain,
    close,
  }: {
    quiz: Pick<Quiz, 'id' | 'type'>
    isAsked: boolean
    share: () => void
    explain: () => void
    close: () => void
  },
): Toast[] => {
  if (outcome === null || isAsked) return []
  if (outcome === 'failed')
    return [{ key: outcome, text: 'Erreur lors de la publication', action: 'Voir', act: explain }]
  const { done, detail } = SUCCESS_TEXTS[outcome]
  return [
    {
      key: outcome,
      text: `${isSondage(quiz) ? 'Sondage' : 'Quiz'} ${done}`,
      detail: `Votre ${quizNoun(quiz)} ${detail}`,
      picture: <SharedPicture quiz={quiz} />,
      action: 'Partager',
      act: share,
      close,
    },
  ]
}

/** Shows the picture that social networks show for the version that was just published. */
const SharedPicture = ({ quiz: { id } }: { quiz: Pick<Quiz, 'id'> }) => {
  const { data } = useQuery({
    queryKey: ['shared-picture', id],
    queryFn: () => client.publicQuiz.snapshot({ id }),
    gcTime: 0,
  })
  const version = data?.snapshot.version
  return (
    <span className="block aspect-[1200/630] w-full overflow-hidden rounded-lg bg-press">
      {version && (
        <img
          src={`/q/${id}/image-${version}.png`}
          alt="Aperçu du lien partagé"
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
