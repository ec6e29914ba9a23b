import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answered, LEAST_PARTICIPANTS } from '#domain/participant-likelihoods.ts'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'

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
  const isOffered = isPublished(quiz) && quiz.nb_responses >= LEAST_PARTICIPANTS
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
