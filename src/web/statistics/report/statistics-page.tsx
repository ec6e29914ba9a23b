import { RefreshCw, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { MIN_PARTICIPANTS_FOR_QUALITY } from '#domain/statistics/question-quality.ts'
import { errorText } from '#web/api/error-text.ts'
import { ExactText } from '#web/french/exact-text.ts'
import { ReconnectNote } from '#web/integrations/reconnect-note.tsx'
import { CrosstabCard } from '#web/statistics/figures/crosstab-card.tsx'
import { DaysLine } from '#web/statistics/figures/days-line.tsx'
import { Dimensions } from '#web/statistics/figures/dimensions.tsx'
import {
  CountingNote,
  CountingText,
  FigureCard,
  LoadedFigure,
} from '#web/statistics/figures/figure-card.tsx'
import { comparedInput, findingsInput } from '#web/statistics/figures/key-figure-labels.ts'
import { Findings, KeyFiguresList } from '#web/statistics/figures/key-figures.tsx'
import { Overview } from '#web/statistics/figures/overview.tsx'
import { QuestionQuality } from '#web/statistics/figures/question-quality.tsx'
import { QuestionStatisticsSection } from '#web/statistics/figures/question-statistics.tsx'
import { RightAnswers } from '#web/statistics/figures/right-answers.tsx'
import { Sources } from '#web/statistics/figures/sources.tsx'
import { TextViews } from '#web/statistics/figures/text-views.tsx'
import { Visits } from '#web/statistics/figures/visits.tsx'
import { FilterBar, FilterChips, useFilters } from '#web/statistics/filters/filter-bar.tsx'
import { filterTogglesOf, parametersOf } from '#web/statistics/filters/filters.ts'
import { PeriodPicker } from '#web/statistics/filters/period-picker.tsx'
import { ErasureRecords } from '#web/statistics/participants/erasure-record.tsx'
import { listSortFields } from '#web/statistics/participants/participant-sorting.ts'
import { Participants } from '#web/statistics/participants/participants.tsx'
import { PersonalData } from '#web/statistics/participants/personal-data.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Loading, Message, QuizFailure } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { useMedia } from '#web/ui/use-media.ts'
import { ExportButton } from './export-dialog.tsx'
import { LiveNote } from './live-note.tsx'
import { ReportActions, ReportHead } from './report-header.tsx'
import { SectionBar } from './section-bar.tsx'
import type { LoadedView } from './statistics-view.ts'
import { useStatistics } from './use-statistics.ts'

const NO_MATCH = 'Aucun participant ne correspond à ces filtres.'

/** Renders the answers of the participants (product 10.6). */
const StatisticsPage = () => {
  const { id = '' } = useParams()
  return (
    <ErasureRecords key={id}>
      <Statistics quizId={id} />
    </ErasureRecords>
  )
}

/** Windows in which the key figures come before the filters. */
const PHONE = '(width < 40rem)'

const Statistics = ({ quizId }: { quizId: string }) => {
  const filterState = useFilters()
  const statistics = useStatistics(quizId, filterState.applied)
  const { view } = statistics
  const isPhone = useMedia(PHONE)
  if (view.state === 'loading') return <Loading text="Chargement des statistiques..." />
  if (view.state === 'failed') return <QuizFailure error={view.error} />
  const report = { quizId, view, statistics, filterState }
  return (
    <Screen quiz={view.quiz}>
      <div className="contents print:hidden">
        <ReconnectNote quizId={quizId} />
      </div>
      <Banner {...report} />
      {view.refresh_error && (
        <p role="alert" className="rounded-xl bg-bad-wash p-4 font-medium text-bad">
          {errorText(view.refresh_error)}
        </p>
      )}
      {view.state === 'empty' ? (
        <>
          <NoParticipants {...report} />
          {view.figures && <Visits visits={view.figures.visits} />}
        </>
      ) : (
        <div className="flex min-w-0 flex-col gap-6 min-[90rem]:grid min-[90rem]:grid-cols-[10rem_minmax(0,1fr)]">
          <SectionBar />
          <div className="flex min-w-0 flex-col gap-6">
            <ReportHead
              read_at={statistics.read_at}
              filters={filterState.applied}
              choices={view.choices}
            />
            {/* On a phone, the first figures are on the first screen. */}
            {isPhone && <KeyFigures {...report} />}
            <Filters {...report} />
            {!isPhone && <KeyFigures {...report} />}
            <div
              aria-busy={statistics.isPending || undefined}
              className="loading-part flex min-w-0 flex-col gap-6 [--loading-gap:1.5rem]"
            >
              {view.state === 'no_match' && (
                <p className="py-8 text-center text-ink-2">{NO_MATCH}</p>
              )}
              {view.counted_at !== undefined && <CountingNote countedAt={view.counted_at} />}
              {view.state === 'shown' && <Summary {...report} />}
              {view.figures && <Visits visits={view.figures.visits} />}
              {view.state === 'shown' && <Details {...report} />}
            </div>
            <PersonalData quizId={quizId} />
          </div>
        </div>
      )}
    </Screen>
  )
}

type Report = {
  quizId: string
  view: LoadedView
  statistics: ReturnType<typeof useStatistics>
  filterState: ReturnType<typeof useFilters>
}

/** Renders the number of participants, the live updates and the actions on the report. */
const Banner = ({ quizId, view, statistics, filterState }: Report) => (
  <div className="flex min-h-15 flex-wrap items-center gap-3 rounded-xl bg-brand-wash px-4 py-3">
    <Users aria-hidden="true" className="size-4 shrink-0 text-brand" />
    <p role="status" className="flex-1 font-medium">
      {view.about}
    </p>
    <div className="contents print:hidden">
      <LiveNote
        quizId={quizId}
        known={view.quiz.nb_responses}
        read_at={statistics.quiz.dataUpdatedAt}
        isReading={statistics.quiz.isFetching}
        onRefresh={statistics.refresh}
      />
      {view.state !== 'empty' && (
        <>
          <RefreshButton {...statistics} />
          <ExportButton quizId={quizId} filters={filterState.applied} about={view.about} />
          <ReportActions quizId={quizId} />
        </>
      )}
    </div>
  </div>
)

/** Renders the filters. */
const Filters = ({ view, filterState }: Report) => {
  const { chosen, error, choose } = filterState
  return (
    <>
      <div className="flex flex-wrap items-end gap-3 has-[details[open]]:items-start print:hidden">
        <PeriodPicker filters={chosen} error={error} onChange={choose} />
        <FilterBar
          filters={chosen}
          choices={view.choices}
          sources={view.figures?.sources ?? []}
          onChange={choose}
        />
        <HelpLink about="filtres" page="croiser-et-filtrer" />
      </div>
      <FilterChips filters={chosen} choices={view.choices} onChange={choose} />
    </>
  )
}

const KeyFigures = ({ view, statistics }: Report) => (
  <FigureCard
    id="key-figures"
    title="Chiffres clés"
    action={<HelpLink about="chiffres" page="statistiques" />}
  >
    <LoadedFigure query={statistics.keyFigures} height="min-h-88 sm:min-h-57 xl:min-h-26">
      {(answer) => <KeyFiguresList answer={answer} duration={view.figures?.duration} />}
    </LoadedFigure>
  </FigureCard>
)

/** Renders the figures of all participants together: findings, results, scores and days. */
const Summary = ({ view: { figures, stats }, statistics: { keyFigures }, filterState }: Report) => (
  <>
    {figures && stats && (
      <Findings input={findingsInput(figures, stats, comparedInput(keyFigures.data))} />
    )}
    {figures && (
      <Overview
        figures={figures}
        toggles={filterTogglesOf(filterState.chosen, filterState.choose)}
      />
    )}
    {figures && (
      <Dimensions
        figures={figures}
        toggles={filterTogglesOf(filterState.chosen, filterState.choose)}
      />
    )}
    {figures && <RightAnswers figures={figures} />}
    <FigureCard id="days" title="Participants dans le temps">
      <LoadedFigure query={keyFigures} height="min-h-56">
        {(answer) =>
          answer.as_of?.counted_at === null && answer.now.days.length === 0 ? (
            <CountingText />
          ) : (
            <DaysLine answer={answer} />
          )
        }
      </LoadedFigure>
    </FigureCard>
  </>
)

/** Renders the figures of single questions and the list of participants. */
const Details = ({ quizId, view, statistics, filterState }: Report) => {
  const { figures, stats, choices } = view
  const { applied: filters, chosen, choose } = filterState
  const toggles = filterTogglesOf(chosen, choose)
  return (
    <>
      {figures && (
        <Sources
          figures={figures}
          toggles={toggles}
          parameters={parametersOf(filters).map(([name]) => name)}
        />
      )}
      <CrosstabCard quizId={quizId} filters={filters} {...choices} />
      {stats && (
        <QuestionStatisticsSection
          quizId={quizId}
          filters={filters}
          toggles={toggles}
          stats={stats}
          figures={figures}
        />
      )}
      {figures?.scores && view.quiz.nb_responses >= MIN_PARTICIPANTS_FOR_QUALITY && (
        <QuestionQuality quizId={quizId} />
      )}
      <TextViews quizId={quizId} />
      <Participants
        quizId={quizId}
        filters={filters}
        has_documents={view.quiz.report !== 'none' || view.quiz.certificate_percent !== null}
        sorts={listSortFields({ figures, choices })}
        newest={{
          participants: view.participants,
          count: view.count,
          more: statistics.nextPage,
        }}
      />
    </>
  )
}

const Screen = ({ quiz, children }: { quiz: Quiz; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 p-4 sm:gap-6 sm:p-6 min-[90rem]:max-w-7xl">
    <ScreenHeader
      title={`Statistiques : ${quiz.name}`}
      heading={
        <>
          <ExactText>{'Statistiques : '}</ExactText>
          {quiz.name}
        </>
      }
      back={{ to: '/dashboard', label: 'Retour au tableau de bord' }}
    />
    {children}
  </div>
)

const RefreshButton = ({
  isRefreshing,
  refreshAll,
}: Pick<Report['statistics'], 'isRefreshing' | 'refreshAll'>) => (
  <Button
    variant="ghost"
    busy={isRefreshing}
    icon={<RefreshCw aria-hidden="true" />}
    onClick={refreshAll}
  >
    Actualiser
  </Button>
)

const NoParticipants = ({ view: { quiz }, statistics }: Report) => {
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
            <RefreshButton {...statistics} />
          </div>
        }
      />
    </div>
  )
}

export default StatisticsPage
