import { MIN_PARTICIPANTS_FOR_QUALITY } from '#domain/statistics/question-quality.ts'
import { CrosstabCard } from '#web/statistics/figures/crosstab-card.tsx'
import { DaysLine } from '#web/statistics/figures/days-line.tsx'
import { Dimensions } from '#web/statistics/figures/dimensions.tsx'
import { CountingText, FigureCard, LoadedFigure } from '#web/statistics/figures/figure-card.tsx'
import { comparedInput, findingsInput } from '#web/statistics/figures/key-figure-labels.ts'
import { Findings, KeyFiguresList } from '#web/statistics/figures/key-figures.tsx'
import { Overview } from '#web/statistics/figures/overview.tsx'
import { QuestionQuality } from '#web/statistics/figures/question-quality.tsx'
import { QuestionStatisticsSection } from '#web/statistics/figures/question-statistics.tsx'
import { RightAnswers } from '#web/statistics/figures/right-answers.tsx'
import { Sources } from '#web/statistics/figures/sources.tsx'
import { TextViews } from '#web/statistics/figures/text-views.tsx'
import { FilterBar, type useFilters } from '#web/statistics/filters/filter-bar.tsx'
import { FilterChipList } from '#web/statistics/filters/filter-chip-list.tsx'
import { filterTogglesOf, parametersOf } from '#web/statistics/filters/filters.ts'
import { PeriodPicker } from '#web/statistics/filters/period-picker.tsx'
import { listSortFields } from '#web/statistics/participants/participant-sorting.ts'
import { Participants } from '#web/statistics/participants/participants.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import type { LoadedView } from './statistics-view.ts'
import type { useStatistics } from './use-statistics.ts'

/** Statistics of a quiz with their filters. */
export type Report = {
  quizId: string
  view: LoadedView
  statistics: ReturnType<typeof useStatistics>
  filterState: ReturnType<typeof useFilters>
}

/** Renders the filters. */
export const Filters = ({ view, filterState }: Report) => {
  const { chosen, error, choose } = filterState
  return (
    <>
      <div className="flex flex-wrap items-end gap-3 has-[details[open]]:items-start print:hidden">
        <PeriodPicker filters={chosen} error={error} onChange={choose} />
        <FilterBar
          filters={chosen}
          choices={view.choices}
          sources={view.figures?.sources ?? []}
          hasConfirmations={(view.figures?.confirmation ?? null) !== null}
          onChange={choose}
        />
        <HelpLink about="filtres" page="croiser-et-filtrer" />
      </div>
      <FilterChipList filters={chosen} choices={view.choices} onChange={choose} />
    </>
  )
}

export const KeyFigures = ({ view, statistics }: Report) => (
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
export const Summary = ({
  view: { figures, stats },
  statistics: { keyFigures },
  filterState,
}: Report) => (
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
export const Details = ({ quizId, view, statistics, filterState }: Report) => {
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
