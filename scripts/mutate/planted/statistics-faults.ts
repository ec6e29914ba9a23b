import type { PlantedFault } from './planted-fault.ts'

/** Faults of statistics and filters. */
export const STATISTICS_FAULTS: PlantedFault[] = [
  {
    name: 'a recommendation of 6 counts as passive',
    file: 'src/domain/statistics/question-figures.ts',
    from: 'value <= MAX_DETRACTOR',
    to: 'value < MAX_DETRACTOR',
  },
  {
    name: 'the earlier period overlaps the compared period by a day',
    file: 'src/domain/statistics/periods.ts',
    from: 'const length = rankOf(last) - rankOf(from) + 1',
    to: 'const length = rankOf(last) - rankOf(from)',
  },
  {
    name: 'equally frequent sources have no stable order',
    file: 'src/domain/statistics/sources.ts',
    from: 'b.count - a.count || (a.value < b.value ? -1 : 1)',
    to: 'b.count - a.count',
  },
  {
    name: 'a full last page of participants announces another page',
    file: 'src/server/statistics/participants/list-participants.ts',
    from: 'last && rows.length > limit ?',
    to: 'last && rows.length >= limit ?',
  },
  {
    name: 'a second tier of a dimension replaces the first in the filter',
    file: 'src/server/statistics/selection/tier-filters.ts',
    from: '[...(groups.get(dimension_id) ?? []), ...places]',
    to: '[...places]',
    test: 'src/server/statistics/dimensions.test.ts',
  },
  {
    name: 'the weeks of the chart begin on Sunday',
    file: 'src/web/statistics/figures/day-points.ts',
    from: '(new Date(time).getUTCDay() + 6) % 7',
    to: 'new Date(time).getUTCDay()',
    journey: 'e2e/statistics/statistics-figures.spec.ts',
  },
  {
    name: 'the cached texts of a question ignore the filters',
    file: 'src/web/statistics/queries.ts',
    from: "['quizzes', id, 'texts', questionId, search, filters]",
    to: "['quizzes', id, 'texts', questionId, search]",
    journey: 'e2e/statistics/awaited-lists.spec.ts',
  },
]
