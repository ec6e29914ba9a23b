import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { MIN_PARTICIPANTS_FOR_QUALITY } from '#domain/statistics/question-quality.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/draft-sessions.ts'
import { ReconnectNote } from '#web/integrations/reconnect-note.tsx'
import { DaysLine } from '#web/statistics/figures/days-line.tsx'
import { Card, Counting, CountingNote, Part } from '#web/statistics/figures/figure-card.tsx'
import { comparedInput, findingsInput } from '#web/statistics/figures/key-figure-labels.ts'
import { Findings, KeyFiguresList } from '#web/statistics/figures/key-figures.tsx'
import { Overview } from '#web/statistics/figures/overview.tsx'
import { QuestionQuality } from '#web/statistics/figures/question-quality.tsx'
import { QuestionStatisticsSection } from '#web/statistics/figures/question-statistics.tsx'
import { Sources } from '#web/statistics/figures/sources.tsx'
import { Visits } from '#web/statistics/figures/visits.tsx'
import { WhoAnswersWhat } from '#web/statistics/figures/who-answers-what.tsx'
import { FilterBar, FilterChips, useFilters } from '#web/statistics/filters/filter-bar.tsx'
import { filteringOf, parametersOf } from '#web/statistics/filters/filters.ts'
import { PeriodPicker } from '#web/statistics/filters/period-picker.tsx'
import { participantSorts } from '#web/statistics/participants/list-address.ts'
import { Participants } from '#web/statistics/participants/participants.tsx'
import { PersonalData } from '#web/statistics/participants/personal-data.tsx'
import {
  countingQuery,
  keyFiguresQuery,
  peopleKey,
  questionQualityQuery,
  responsesQuery,
} from '#web/statistics/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message, QuizFailure } from '#web/ui/feedback/screen-state.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { ExportButton } from './export-dialog.tsx'
import { LiveNote } from './live-note.tsx'
import { ReportActions, ReportHead, SectionLinks } from './report-header.tsx'
import { statisticsView } from './statistics-view.ts'

const NO_MATCH = 'Aucun participant ne correspond à ces filtres.'

/** Renders the answers of the participants (spec §2 « Statistics screen »). */
const StatisticsPage = () => {
  const { id = '' } = useParams()
  return <Statistics key={id} quizId={id} />
}

const Statistics = ({ quizId }: { quizId: string }) => {
  const { applied: filters, chosen, error: filterError, choose } = useFilters()
  const queries = useQueryClient()
  // The count and the figures are read together, each time the screen is opened.
  const quiz = useQuery({ ...quizQuery(quizId), staleTime: 0, enabled: useEditsSaved(quizId) })
  const responses = useInfiniteQuery(responsesQuery(quizId, filters))
  const [pages, setPages] = useState(responses.data?.pages)
  // The previous pages stay while the pages of other filters are read.
  if (responses.data && responses.data.pages !== pages) setPages(responses.data.pages)
  const keyFigures = useQuery(keyFiguresQuery(quizId, filters))
  const later = useQuery({
    ...countingQuery(quizId, filters, responses.dataUpdatedAt),
    enabled: pages?.[0]?.as_of !== undefined,
  })
  const view = statisticsView({
    filters,
    quiz: { data: quiz.data?.quiz, error: quiz.error },
    responses: {
      data: pages,
      error: responses.error,
      hasNextPage: responses.hasNextPage,
      isNextPageError: responses.isFetchNextPageError,
    },
    later,
  })
  if (view.state === 'loading') return <Loading text="Chargement des statistiques..." />
  if (view.state === 'failed') return <QuizFailure error={view.error} />

  const { state, about, figures, stats, participants, count } = view
  const isEmpty = state === 'empty'
  const filtering = filteringOf(chosen, choose)
  const refresh = () =>
    void Promise.all([
      quiz.refetch(),
      responses.refetch(),
      queries.invalidateQueries({ queryKey: peopleKey(quizId) }),
      ...['key-figures', 'crosstab'].map((part) =>
        queries.invalidateQueries({ queryKey: ['quizzes', quizId, part] }),
      ),
    ])
  // A live refresh leaves out the parts that take the server a while.
  const refreshAll = (): void => {
    refresh()
    void queries.invalidateQueries(questionQualityQuery(quizId))
  }
  const refreshButton = (
    <RefreshButton
      isRefreshing={quiz.isRefetching || responses.isRefetching}
      onRefresh={refreshAll}
    />
  )
  return (
    <Screen quiz={view.quiz}>
      <div className="contents print:hidden">
        <ReconnectNote quizId={quizId} />
      </div>
      <Banner
        text={about}
        action={
          <>
            <LiveNote
              quizId={quizId}
              known={view.quiz.nb_responses}
              read_at={quiz.dataUpdatedAt}
              isReading={quiz.isFetching}
              onRefresh={refresh}
            />
            {!isEmpty && (
              <>
                {refreshButton}
                <ExportButton quizId={quizId} filters={filters} about={about} />
                <ReportActions quizId={quizId} />
              </>
            )}
          </>
        }
      />
      {view.refresh_error && (
        <p role="alert" className="rounded-xl bg-bad-wash p-4 font-medium text-bad">
          {errorText(view.refresh_error)}
        </p>
      )}
      {isEmpty ? (
        <>
          <NoParticipants quiz={view.quiz} action={refreshButton} />
          {figures && <Visits visits={figures.visits} />}
        </>
      ) : (
        <>
          <SectionLinks />
          <ReportHead read_at={responses.dataUpdatedAt} filters={filters} choices={view.choices} />
          <div className="flex flex-wrap items-end gap-3 print:hidden">
            <PeriodPicker filters={chosen} error={filterError} onChange={choose} />
            <FilterBar
              filters={chosen}
              choices={view.choices}
              sources={figures?.sources ?? []}
              onChange={choose}
            />
          </div>
          <FilterChips filters={chosen} choices={view.choices} onChange={choose} />
          <Card id="key-figures" title="Chiffres clés">
            <Part query={keyFigures} height="min-h-88 sm:min-h-57 xl:min-h-26">
              {(answer) => <KeyFiguresList answer={answer} duration={figures?.duration} />}
            </Part>
          </Card>
          <div
            aria-busy={responses.isPending || undefined}
            className="loading-part flex min-w-0 flex-col gap-6 [--loading-gap:1.5rem]"
          >
            {state === 'no_match' && <p className="py-8 text-center text-ink-2">{NO_MATCH}</p>}
            {view.counted_at !== undefined && <CountingNote countedAt={view.counted_at} />}
            {figures && stats && state === 'shown' && (
              <Findings input={findingsInput(figures, stats, comparedInput(keyFigures.data))} />
            )}
            {figures && state === 'shown' && <Overview figures={figures} filtering={filtering} />}
            {state === 'shown' && (
              <Card id="days" title="Participants dans le temps">
                <Part query={keyFigures} height="min-h-56">
                  {(answer) =>
                    answer.as_of?.counted_at === null && answer.now.days.length === 0 ? (
                      <Counting />
                    ) : (
                      <DaysLine answer={answer} />
                    )
                  }
                </Part>
              </Card>
            )}
            {figures && <Visits visits={figures.visits} />}
            {state === 'shown' && (
              <>
                {figures && (
                  <Sources
                    figures={figures}
                    filtering={filtering}
                    asked={parametersOf(filters).map(([name]) => name)}
                  />
                )}
                <WhoAnswersWhat quizId={quizId} filters={filters} {...view.choices} />
                {stats && (
                  <QuestionStatisticsSection
                    quizId={quizId}
                    filters={filters}
                    filtering={filtering}
                    stats={stats}
                    figures={figures}
                  />
                )}
                {figures?.scores && view.quiz.nb_responses >= MIN_PARTICIPANTS_FOR_QUALITY && (
                  <QuestionQuality quizId={quizId} />
                )}
                <Participants
                  quizId={quizId}
                  filters={filters}
                  sorts={participantSorts({ figures, choices: view.choices })}
                  newest={{
                    participants,
                    count,
                    more: responses.hasNextPage
                      ? {
                          isLoading: responses.isFetchingNextPage,
                          error: view.next_page_error && errorText(view.next_page_error),
                          load: () => void responses.fetchNextPage(),
                        }
                      : undefined,
                  }}
                />
              </>
            )}
          </div>
          <PersonalData quizId={quizId} />
        </>
      )}
    </Screen>
  )
}

const Screen = ({ quiz, children }: { quiz: Quiz; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 p-4 sm:p-6">
    <ScreenHeader
      title={`Résultats : ${quiz.name}`}
      back={{ to: '/dashboard', label: 'Retour au dashboard' }}
    />
    {children}
  </div>
)

const Banner = ({ text, action }: { text: string; action: ReactNode }) => (
  <div className="flex min-h-15 flex-wrap items-center gap-3 rounded-xl bg-brand-wash px-4 py-3">
    <Users aria-hidden="true" className="size-4 shrink-0 text-brand" />
    <p role="status" className="flex-1 font-medium">
      {text}
    </p>
    <div className="contents print:hidden">{action}</div>
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

const NoParticipants = ({ quiz, action }: { quiz: Quiz; action: ReactNode }) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.querySelector('h1'))
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

export default StatisticsPage
