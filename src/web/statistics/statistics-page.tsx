import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { FEWEST_JUDGES } from '#domain/question-quality.ts'
import { isSondage, type Quiz } from '#domain/quiz.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizQuery } from '#web/api/queries.ts'
import { useEditsSaved } from '#web/editor/draft/use-edits-saved.ts'
import { ReconnectNote } from '#web/integrations/reconnect-note.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { QuizFailure } from '#web/ui/quiz-failure.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { CountingNote } from './counting-note.tsx'
import { DaysLine } from './days-line.tsx'
import { ExportButton } from './export-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { filteringOf, parametersOf } from './filters.ts'
import { Findings } from './findings.tsx'
import { comparedInput, findingsInput } from './findings-input.ts'
import { GlobalStatistics } from './global-statistics.tsx'
import { KeyFiguresList } from './key-figures.tsx'
import { participantSorts } from './list-address.ts'
import { LiveNote } from './live-note.tsx'
import { Overview } from './overview.tsx'
import { Card, Counting, Part } from './part.tsx'
import { Participants } from './participants.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { PersonalData } from './personal-data.tsx'
import {
  countingQuery,
  keyFiguresQuery,
  peopleKey,
  questionQualityQuery,
  responsesQuery,
} from './queries.ts'
import { QuestionQuality } from './question-quality.tsx'
import { ReportActions } from './report-actions.tsx'
import { ReportHead } from './report-head.tsx'
import { SectionLinks } from './section-links.tsx'
import { Sources } from './sources.tsx'
import { statisticsView } from './statistics-view.ts'
import { useFilters } from './use-filters.ts'
import { Visits } from './visits.tsx'
import { WhoAnswersWhat } from './who-answers-what.tsx'

const NO_MATCH = 'Aucun participant ne correspond à ces filtres.'

/** What participants answered (spec §2 « Statistics screen »). */
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
  // While those of other filters are read, the pages before stay.
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
  // Following the visitors leaves out what takes the server a while.
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
                  <GlobalStatistics
                    quizId={quizId}
                    filters={filters}
                    filtering={filtering}
                    stats={stats}
                    figures={figures}
                  />
                )}
                {figures?.scores && view.quiz.nb_responses >= FEWEST_JUDGES && (
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
