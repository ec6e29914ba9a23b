import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  MIN_PARTICIPANTS_FOR_LIKELIHOODS,
  type ParticipantCounts,
} from '#domain/odds/participant-likelihoods.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

/** Query for the replies of participants to the published versions. */
const answeredQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'answered'],
    queryFn: async (): Promise<ParticipantCounts | null> => {
      const { stats, figures } = await client.statistics.responses({ id, limit: 1, figures: '1' })
      if (!figures) return null
      const { nb_participants, questions } = figures
      return { stats, figures: { nb_participants, questions } }
    },
  })

/** Replies of past participants as a basis for odds, and the creator's choice to use them. */
export type Participants = {
  /** Number of participants; null when there are too few. */
  nb_participants: number | null
  /** True if odds assume that visitors reply like these participants. */
  isChosen: boolean
  choose: (isChosen: boolean) => void
  /** Replies that the odds are computed from; undefined if all replies are equally likely. */
  answered: ParticipantCounts | undefined
  isLoading: boolean
  hasFailed: boolean
}

/**
 * Returns how the participants of a published quiz replied; their replies are loaded when the creator chooses
 * them.
 */
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

/**
 * Lets the creator choose the assumed replies: random ones or, with enough participants, replies like theirs.
 */
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
