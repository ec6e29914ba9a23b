import type { Figures } from '#contract/figures.ts'
import type { KeyFiguresAnswer } from '#contract/key-figures.ts'
import { DaysLine } from '#web/statistics/days-line.tsx'
import type { Filtering } from '#web/statistics/filters.ts'
import { Findings } from '#web/statistics/findings.tsx'
import { findingsInput } from '#web/statistics/findings-input.ts'
import { GlobalStatistics } from '#web/statistics/global-statistics.tsx'
import { KeyFiguresList } from '#web/statistics/key-figures.tsx'
import { Overview } from '#web/statistics/overview.tsx'
import { Card } from '#web/statistics/part.tsx'
import { Sources } from '#web/statistics/sources.tsx'
import { Visits } from '#web/statistics/visits.tsx'
import type { NamedTimeZone } from '#web/ui/moments.ts'
import type { SharedStatistics } from './queries.ts'

/** A bar here is no filter. */
const NO_FILTERING: Filtering = { by: () => undefined, byParameter: () => undefined }

/** The charts of the creator's own screen, of what is shared. */
export const SharedFigures = ({
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
      ...{ nb_opened, nb_participants, days, nb_addresses: null, nb_delivered: null },
      median_seconds: duration?.median_seconds ?? null,
      is_more: duration?.is_more ?? false,
    },
    time_zone: zone.time_zone,
    ...{ compared: null, before: null },
    ...{ period: null, period_compared: null, period_before: null },
  }
  const all: Figures = {
    ...figures,
    nb_all_participants: figures.nb_participants,
    consent: null,
    choices: { results: [], questions: [] },
  }
  return (
    <>
      <Card id="key-figures" title="Chiffres clés">
        <KeyFiguresList answer={answer} duration={duration} hidesMissing />
      </Card>
      <Findings input={findingsInput(figures, stats, null)} />
      <Overview figures={all} filtering={NO_FILTERING} />
      <Card id="days" title="Participants dans le temps">
        <DaysLine answer={answer} zone={zone} />
      </Card>
      <Visits visits={figures.visits} />
      <Sources figures={all} filtering={NO_FILTERING} />
      <GlobalStatistics
        quizId=""
        filters={{}}
        filtering={NO_FILTERING}
        stats={stats}
        figures={all}
        hidesReplies
      />
    </>
  )
}
