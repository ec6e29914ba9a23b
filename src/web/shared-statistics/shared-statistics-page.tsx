import { queryOptions, useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { RefusedCall } from '#contract/client/client.ts'
import type { Figures } from '#contract/statistics/figures.ts'
import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import { MIN_SHARED_PARTICIPANTS } from '#domain/statistics/shared-statistics.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { DaysLine } from '#web/statistics/figures/days-line.tsx'
import { Dimensions } from '#web/statistics/figures/dimensions.tsx'
import { FigureCard } from '#web/statistics/figures/figure-card.tsx'
import { findingsInput } from '#web/statistics/figures/key-figure-labels.ts'
import { Findings, KeyFiguresList } from '#web/statistics/figures/key-figures.tsx'
import { Overview } from '#web/statistics/figures/overview.tsx'
import { QuestionStatisticsSection } from '#web/statistics/figures/question-statistics.tsx'
import { RightAnswers } from '#web/statistics/figures/right-answers.tsx'
import { Sources } from '#web/statistics/figures/sources.tsx'
import { Visits } from '#web/statistics/figures/visits.tsx'
import type { FilterToggles } from '#web/statistics/filters/filters.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { Brand, LegalLinks } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { formatNamedMoment, type NamedTimeZone, supportedZone } from '#web/ui/moments.ts'

/** Polling interval while the page is visible. */
const READ_AGAIN_MS = 30_000

type SharedStatistics = Awaited<ReturnType<typeof lazyClient.sharedStatistics.get>>

/** Returns the query of the figures of a shared link, polled while the link is valid. */
const sharedStatisticsQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-statistics', token],
    queryFn: () => lazyClient.sharedStatistics.get({ token }),
    staleTime: 0,
    retry: (count, error) => count < 1 && !(error instanceof RefusedCall),
    refetchInterval: ({ state: { error } }) =>
      error instanceof RefusedCall && error.status === 404 ? false : READ_AGAIN_MS,
    refetchOnWindowFocus: true,
  })

/** Filtering of a shared page, where a tap on a bar does nothing. */
const NO_FILTERING: FilterToggles = { byChoice: () => undefined, byParameter: () => undefined }

/** Renders the charts of the creator's screen for the shared figures. */
const SharedFigures = ({
  nb_opened,
  zone,
  shared: { stats, figures },
}: {
  nb_opened: number
  zone: NamedTimeZone
  shared: NonNullable<SharedStatistics['shared']>
}) => {
  const { nb_participants, days, duration } = figures
  const answer: KeyFiguresAnswer = {
    now: {
      nb_opened,
      nb_participants,
      days,
      nb_addresses: null,
      nb_delivered: null,
      median_seconds: duration?.median_seconds ?? null,
      is_more: duration?.is_more ?? false,
    },
    time_zone: zone.time_zone,
    compared: null,
    before: null,
    period: null,
    period_compared: null,
    period_before: null,
  }
  const all: Figures = {
    ...figures,
    nb_all_participants: figures.nb_participants,
    consent: null,
    confirmation: null,
    choices: { results: [], questions: [], dimensions: [] },
  }
  return (
    <>
      <FigureCard id="key-figures" title="Chiffres clés">
        <KeyFiguresList answer={answer} duration={duration} hidesMissing />
      </FigureCard>
      <Findings input={findingsInput(figures, stats, null)} />
      <Overview figures={all} toggles={NO_FILTERING} />
      <Dimensions figures={all} toggles={NO_FILTERING} />
      <RightAnswers figures={all} />
      <FigureCard id="days" title="Participants dans le temps">
        <DaysLine answer={answer} zone={zone} />
      </FigureCard>
      <Visits visits={figures.visits} />
      <Sources figures={all} toggles={NO_FILTERING} />
      <QuestionStatisticsSection
        quizId=""
        filters={{}}
        toggles={NO_FILTERING}
        stats={stats}
        figures={all}
        hidesReplies
      />
    </>
  )
}

/** Renders the figures that a creator shared with a link; no sign-in is needed (docs/decisions/038). */
const SharedStatisticsPage = () => {
  const { token = '' } = useParams()
  const { data, error } = useQuery(sharedStatisticsQuery(token))
  // Figures that were read before the link was revoked are hidden too.
  if (error instanceof RefusedCall && error.status === 404) return <Revoked />
  if (data) return <Shared answer={data} error={error} />
  return error ? (
    <Frame title="Chiffres partagés">
      <Message title={errorText(error)} text="Rechargez la page dans un instant." />
    </Frame>
  ) : (
    <Loading text="Chargement des statistiques..." />
  )
}

const Shared = ({ answer, error }: { answer: SharedStatistics; error: Error | null }) => {
  const { quiz, counted_at, nb_participants, nb_opened, shared } = answer
  return (
    <Frame title={quiz.name}>
      <div className="flex flex-wrap items-center gap-3 rounded-xl bg-brand-wash px-4 py-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {formatParticipants(nb_participants)} depuis le début
        </p>
        <p className="text-ink-2">
          Chiffres du {formatNamedMoment(counted_at, 'short', supportedZone(answer))}
        </p>
        <Button
          className="print:hidden"
          icon={<Printer aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Imprimer
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-bad print:hidden">
          {errorText(error)} : les chiffres seront relus dans un instant.
        </p>
      )}
      {shared ? (
        <SharedFigures nb_opened={nb_opened} zone={answer} shared={shared} />
      ) : (
        <Message
          title="Encore trop peu de participants"
          text={`Les chiffres s’affichent à partir de ${MIN_SHARED_PARTICIPANTS} participants, pour que personne ne soit reconnu.`}
        />
      )}
    </Frame>
  )
}

const Revoked = () => (
  <Frame title="Chiffres partagés">
    <Message
      title="Ces chiffres ne sont plus partagés"
      text="Le lien a été retiré, ou il est incomplet. Demandez-en un nouveau à la personne qui vous l’a envoyé."
    />
  </Frame>
)

const Frame = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    <title>{`${title} – Quizaine`}</title>
    <meta name="robots" content="noindex" />
    <header className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6 sm:pt-6">
      <Brand />
    </header>
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 p-4 sm:p-6">
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
        {title}
      </h1>
      {children}
    </main>
    <footer className="flex flex-col items-center gap-2 p-4 text-center text-sm text-ink-2">
      <p>Ces chiffres ne contiennent ni nom, ni adresse, ni texte d’un participant.</p>
      <div className="print:hidden">
        <LegalLinks />
      </div>
    </footer>
  </div>
)

export default SharedStatisticsPage
