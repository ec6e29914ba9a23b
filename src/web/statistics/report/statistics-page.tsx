import { RefreshCw, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import { errorText } from '#web/api/error-text.ts'
import { ExactText } from '#web/french/exact-text.ts'
import { ReconnectNote } from '#web/integrations/reconnect-note.tsx'
import { CountingNote } from '#web/statistics/figures/figure-card.tsx'
import { Visits } from '#web/statistics/figures/visits.tsx'
import { useFilters } from '#web/statistics/filters/filter-bar.tsx'
import { ErasureRecords } from '#web/statistics/participants/erasure-record.tsx'
import { PersonalData } from '#web/statistics/participants/personal-data.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { useMedia } from '#web/ui/use-media.ts'
import { ExportButton } from './export-dialog.tsx'
import { LiveNote } from './live-note.tsx'
import { ReportActions, ReportHead } from './report-header.tsx'
import { Details, Filters, KeyFigures, type Report, Summary } from './report-sections.tsx'
import { SectionBar } from './section-bar.tsx'
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
