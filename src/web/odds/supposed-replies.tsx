import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  type Answered,
  MIN_PARTICIPANTS_FOR_LIKELIHOODS,
} from '#domain/odds/participant-likelihoods.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

/** What participants replied to the published versions. */
const answeredQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'answered'],
    queryFn: async (): Promise<Answered | null> => {
      const { stats, figures } = await client.statistics.responses({ id, limit: 1, figures: '1' })
      if (!figures) return null
      const { nb_participants, questions } = figures
      return { stats, figures: { nb_participants, questions } }
    },
  })

export type Participants = {
  /** How many they are; null when too few. */
  nb_participants: number | null
  /** Whether odds are to be those of participants who reply like these. */
  isChosen: boolean
  choose: (isChosen: boolean) => void
  /** What the odds are to be computed from; undefined for all replies alike. */
  answered: Answered | undefined
  isLoading: boolean
  hasFailed: boolean
}

/** How the participants of a published quiz reply, read once it is asked for. */
export const useParticipants = (
  quiz: Pick<Quiz, 'id' | 'status' | 'nb_responses'>,
): Participants => {
  const [isChosen, choose] = useState(false)
  const isOffered = isPublished(quiz) && quiz.nb_responses >= MIN_PARTICIPANTS_FOR_LIKELIHOODS
  const { data, isLoading, isError } = useQuery({
    ...answeredQuery(quiz.id),
    enabled: isOffered && isChosen,
  })
  return {
    nb_participants: isOffered ? (data?.figures.nb_participants ?? quiz.nb_responses) : null,
    isChosen,
    choose,
    answered: isOffered && isChosen ? (data ?? undefined) : undefined,
    isLoading,
    hasFailed: isChosen && (isError || data === null),
  }
}

/** How visitors are supposed to reply: at random or, once there are enough participants, as these do. */
export const SupposedReplies = ({
  participants: { nb_participants, isChosen, choose, hasFailed },
}: {
  participants: Participants
}) => {
  const name = useId()
  if (nb_participants === null)
    return <p className="text-xs text-ink-2">Si chaque réponse est choisie au hasard :</p>
  const ways = [
    { label: 'au hasard', isOfParticipants: false },
    {
      label: `comme vos ${formatNumber(nb_participants)} participants répondent`,
      isOfParticipants: true,
    },
  ]
  return (
    <fieldset className="flex flex-wrap gap-x-4 text-sm">
      <legend className="sr-only">Réponses supposées</legend>
      {ways.map(({ label, isOfParticipants }) => (
        <label
          key={label}
          className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            checked={isChosen === isOfParticipants}
            onChange={() => choose(isOfParticipants)}
            className="accent-brand"
          />
          {label}
        </label>
      ))}
      {hasFailed && (
        <p role="alert" className="text-bad">
          Les réponses de vos participants n’ont pas pu être lues.
        </p>
      )}
    </fieldset>
  )
}
