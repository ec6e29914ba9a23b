import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, RefreshCw, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { RefusedCall } from '#contract/client.ts'
import { isSondage, type Quiz } from '#domain/quiz.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery, responsesQuery } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { formatParticipants } from './format.ts'
import { GlobalStatistics } from './global-statistics.tsx'
import { Participants } from './participants.tsx'

/** What participants answered (spec §2 « Statistics screen »). */
const StatisticsPage = () => {
  const { id = '' } = useParams()
  return <Statistics key={id} quizId={id} />
}

const Statistics = ({ quizId }: { quizId: string }) => {
  // The count and the figures are asked together, each time the screen is opened.
  const quiz = useQuery({ ...quizQuery(quizId), staleTime: 0 })
  const responses = useInfiniteQuery(responsesQuery(quizId))
  const error = quiz.data ? responses.data || responses.error : quiz.error
  if (error instanceof Error) return <Failure error={error} />
  if (!quiz.data || !responses.data) return <Loading text="Chargement des statistiques..." />

  const { pages } = responses.data
  const participants = pages.flatMap(({ details }) => details)
  const refresh = async (): Promise<void> => {
    await Promise.all([quiz.refetch(), responses.refetch()])
  }
  return (
    <Screen quiz={quiz.data.quiz}>
      {participants.length === 0 ? (
        <Nobody quiz={quiz.data.quiz} />
      ) : (
        <>
          <Banner
            // The list may know of somebody who came since the count was read.
            count={Math.max(quiz.data.quiz.nb_responses, participants.length)}
            isRefreshing={quiz.isRefetching || responses.isRefetching}
            onRefresh={refresh}
          />
          <GlobalStatistics stats={pages[0]?.stats ?? {}} />
          <Participants
            participants={participants}
            hasMore={responses.hasNextPage}
            isLoadingMore={responses.isFetchingNextPage}
            loadMoreError={responses.error && errorText(responses.error)}
            onMore={() => void responses.fetchNextPage()}
          />
        </>
      )}
    </Screen>
  )
}

const Screen = ({ quiz, children }: { quiz: Quiz; children: ReactNode }) => {
  const title = `Résultats : ${quiz.name}`
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{title}</title>
      <header className="flex items-start gap-2">
        <Link
          to="/dashboard"
          aria-label="Retour au dashboard"
          title="Retour au dashboard"
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-press hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
        </Link>
        <h1 className="pt-0.5 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      </header>
      {children}
    </div>
  )
}

const Banner = ({
  count,
  isRefreshing,
  onRefresh,
}: {
  count: number
  isRefreshing: boolean
  onRefresh: () => Promise<void>
}) => (
  <div className="flex flex-wrap items-center gap-3 rounded-xl bg-brand-wash p-4">
    <Users aria-hidden="true" className="size-4 shrink-0 text-brand" />
    <p role="status" className="font-medium">
      {formatParticipants(count)}
    </p>
    <Button
      variant="ghost"
      busy={isRefreshing}
      icon={<RefreshCw aria-hidden="true" />}
      onClick={onRefresh}
      className="ml-auto"
    >
      Actualiser
    </Button>
  </div>
)

const Nobody = ({ quiz }: { quiz: Quiz }) => (
  <Message
    title="Aucune réponse pour le moment"
    text="Les statistiques s'afficheront dès que quelqu'un répondra à votre quiz."
    action={
      <ButtonLink
        to={`/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`}
        variant="primary"
      >
        Modifier le quiz
      </ButtonLink>
    }
  />
)

const Failure = ({ error }: { error: Error }) => {
  const isMissing = error instanceof RefusedCall && error.status === 404
  return (
    <Message
      title={isMissing ? 'Quiz introuvable' : errorText(error)}
      action={
        <ButtonLink to="/dashboard" variant="primary">
          Retour au dashboard
        </ButtonLink>
      }
    />
  )
}

export default StatisticsPage
