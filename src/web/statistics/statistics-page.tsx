import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, RefreshCw, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { RefusedCall } from '#contract/client.ts'
import { isSondage, type Quiz } from '#domain/quiz.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery, responsesQuery } from '#web/api/queries.ts'
import { useSettled } from '#web/editor/draft/use-settled.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { formatParticipants } from './format.ts'
import { GlobalStatistics } from './global-statistics.tsx'
import { Participants } from './participants.tsx'
import { usePassOnFocus } from './use-pass-on-focus.ts'

/** What participants answered (spec §2 « Statistics screen »). */
const StatisticsPage = () => {
  const { id = '' } = useParams()
  return <Statistics key={id} quizId={id} />
}

const Statistics = ({ quizId }: { quizId: string }) => {
  // The count and the figures are asked together, each time the screen is opened.
  const quiz = useQuery({ ...quizQuery(quizId), staleTime: 0, enabled: useSettled(quizId) })
  const responses = useInfiniteQuery(responsesQuery(quizId))
  if (!quiz.data || !responses.data) {
    const error = quiz.error ?? responses.error
    return error ? <Failure error={error} /> : <Loading text="Chargement des statistiques..." />
  }

  const { pages } = responses.data
  const participants = pages.flatMap(({ details }) => details)
  const refreshError = responses.isRefetchError ? responses.error : quiz.error
  const refreshButton = (
    <RefreshButton
      isRefreshing={quiz.isRefetching || responses.isRefetching}
      onRefresh={() => Promise.all([quiz.refetch(), responses.refetch()])}
    />
  )
  // The list itself knows best once it is complete: somebody may have come since the count was read.
  const count = responses.hasNextPage
    ? Math.max(quiz.data.quiz.nb_responses, participants.length)
    : participants.length
  return (
    <Screen quiz={quiz.data.quiz}>
      <Banner count={count} action={count > 0 && refreshButton} />
      {refreshError && (
        <p role="alert" className="rounded-xl bg-bad-wash p-4 font-medium text-bad">
          {errorText(refreshError)}
        </p>
      )}
      {count === 0 ? (
        <Nobody quiz={quiz.data.quiz} action={refreshButton} />
      ) : (
        <>
          {/* Of the first page: those of a later one would know of participants who are not listed. */}
          <GlobalStatistics stats={pages[0]?.stats ?? {}} />
          <Participants
            participants={participants}
            count={count}
            more={
              responses.hasNextPage
                ? {
                    isLoading: responses.isFetchingNextPage,
                    error: responses.isFetchNextPageError ? errorText(responses.error) : null,
                    load: () => void responses.fetchNextPage(),
                  }
                : undefined
            }
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
        <h1 tabIndex={-1} className="pt-0.5 text-2xl font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
      </header>
      {children}
    </div>
  )
}

const Banner = ({ count, action }: { count: number; action: ReactNode }) => (
  <div className="flex min-h-15 flex-wrap items-center gap-3 rounded-xl bg-brand-wash px-4 py-3">
    <Users aria-hidden="true" className="size-4 shrink-0 text-brand" />
    <p role="status" className="flex-1 font-medium">
      {formatParticipants(count)}
    </p>
    {action}
  </div>
)

const RefreshButton = ({
  isRefreshing,
  onRefresh,
}: {
  isRefreshing: boolean
  onRefresh: () => void
}) => (
  <Button
    variant="ghost"
    busy={isRefreshing}
    icon={<RefreshCw aria-hidden="true" />}
    onClick={onRefresh}
  >
    Actualiser
  </Button>
)

const Nobody = ({ quiz, action }: { quiz: Quiz; action: ReactNode }) => {
  const ref = usePassOnFocus<HTMLDivElement>(() => document.querySelector('h1'))
  return (
    <div ref={ref}>
      <Message
        title="Aucune réponse pour le moment"
        text="Les statistiques s'afficheront dès que quelqu'un répondra à votre quiz."
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink
              to={`/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`}
              variant="primary"
            >
              Modifier le quiz
            </ButtonLink>
            {action}
          </div>
        }
      />
    </div>
  )
}

const Failure = ({ error }: { error: Error }) => {
  const isMissing = error instanceof RefusedCall && error.status === 404
  return (
    <div className="p-4 sm:p-6">
      <Message
        title={isMissing ? 'Quiz introuvable' : errorText(error)}
        action={
          <ButtonLink to="/dashboard" variant="primary">
            Retour au dashboard
          </ButtonLink>
        }
      />
    </div>
  )
}

export default StatisticsPage
