import type { PlantedFault } from './planted-fault.ts'

/** Faults of scores, ties and odds. */
export const SCORING_FAULTS: PlantedFault[] = [
  {
    name: 'the upper bound of the tier of a dimension is left out',
    file: 'src/domain/run/dimensions.ts',
    from: 'from_percent <= percent && percent <= to_percent)',
    to: 'from_percent <= percent && percent < to_percent)',
  },
  {
    name: 'an association that is not ticked decides a tie',
    file: 'src/domain/run/ties.ts',
    from: '    .filter(({ is_checked }) => is_checked)\n',
    to: '',
  },
  {
    name: 'the totals of the odds are sorted by probability',
    file: 'src/domain/odds/odds.ts',
    from: '.sort((a, b) => a.total - b.total)',
    to: '.sort((a, b) => b.probability - a.probability)',
  },
  {
    name: 'the reachable totals leave out the page to which an answer leads',
    file: 'src/domain/run/reachable-totals.ts',
    from: 'after.find(({ page_number }) => page_number >= to)',
    to: 'after.find(({ page_number }) => page_number > to)',
  },
  {
    name: 'a single total without a tier is not reported',
    file: 'src/domain/questionnaire/tiers.ts',
    from: 'if (from > next && next <= reachable.to)',
    to: 'if (from > next + 1 && next <= reachable.to)',
  },
]
