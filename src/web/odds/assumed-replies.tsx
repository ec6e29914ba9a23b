import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  MIN_PARTICIPANTS_FOR_LIKELIHOODS,
  type ParticipantCounts,
} from '#domain/odds/participant-likelihoods.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

/** Returns the query for the counted replies to all published versions of a quiz; null if there are no figures. */
const participantCountsQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'answered'],
    queryFn: async (): Promise<ParticipantCounts | null> => {
      const { stats, figures } = await client.statistics.responses({ id, limit: 1, figures: '1' })
      if (!figures) return null
      const { nb_participants, questions } = figures
      return { stats, figures: { nb_participants, questions } }
    },
  })

/** Replies of past participants, and whether the creator wants odds that are based on these replies. */
export type ParticipantReplies = {
  /** Number of participants; null if there are too few or the quiz is not published. */
  nb_participants: number | null
  /** True if the odds assume that visitors reply like past participants. */
  isSelected: boolean
  setSelected: (isSelected: boolean) => void
  /** Replies from which the odds are computed; undefined if all replies are equally likely. */
  participantCounts: ParticipantCounts | undefined
  isLoading: boolean
  hasFailed: boolean
}

/**
 * Returns the replies of the participants of a published quiz. The replies are loaded when the creator selects this
 * basis for the odds.
 */
export const useParticipantReplies = (
  quiz: Pick<Quiz, 'id' | 'status' | 'nb_responses'>,
): ParticipantReplies => {
  const [isSelected, setSelected] = useState(false)
  const canUseParticipants =
    isPublished(quiz) && quiz.nb_responses >= MIN_PARTICIPANTS_FOR_LIKELIHOODS
  const { data, isLoading, isError } = useQuery({
    ...participantCountsQuery(quiz.id),
    enabled: canUseParticipants && isSelected,
  })
  return {
    nb_participants: canUseParticipants
      ? (data?.figures.nb_participants ?? quiz.nb_responses)
      : null,
    isSelected,
    setSelected,
    participantCounts: canUseParticipants && isSelected ? (data ?? undefined) : undefined,
    isLoading,
    hasFailed: isSelected && (isError || data === null),
  }
}

/**
 * Lets the creator choose the assumption of the odds: random replies, or replies like those of past participants. With
 * too few participants, shows only that replies are random.
 */
export const AssumedReplies = ({
  participants: { nb_participants, isSelected, setSelected, hasFailed },
}: {
  participants: ParticipantReplies
}) => {
  const name = useId()
  if (nb_participants === null)
    return <p className="text-xs text-ink-2">Si chaque réponse est choisie au hasard :</p>
  const options = [
    { label: 'au hasard', usesParticipants: false },
    {
      label: `comme vos ${formatNumber(nb_participants)} participants répondent`,
      usesParticipants: true,
    },
  ]
  return (
    <fieldset className="flex flex-wrap gap-x-4 text-sm">
      <legend className="sr-only">Réponses supposées</legend>
      {options.map(({ label, usesParticipants }) => (
        <label
          key={label}
          className="inline-flex min-h-8 items-center gap-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            checked={isSelected === usesParticipants}
            onChange={() => setSelected(usesParticipants)}
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
