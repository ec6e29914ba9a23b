import { withTimeZone } from '#domain/common/time-zone-labels.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import {
  type ComparedFigure,
  type ComparedReply,
  figureOf,
  groupOfPair,
  type ReplyPair,
} from './compare-campaigns.ts'

/** Reply with its time and its person. */
export type NamedReply = ComparedReply & {
  created_at: string
  email: string
  first_name: string | null
  last_name: string | null
}

/** Table of people with the figures of both campaigns. */
export type PeopleTable = Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'> & {
  lines: ExportLine[]
}

const NO_DAYS: ReadonlySet<number> = new Set()

/** Returns the table of people who replied to both campaigns: each figure before, after, and its change in points. */
export const peopleTable = (
  pairs: readonly ReplyPair<NamedReply>[],
  figures: readonly ComparedFigure[],
  time_zone: string,
): PeopleTable => ({
  titles: [
    withTimeZone('Date (après)', time_zone),
    ...['Email', 'Prénom', 'Nom', 'Groupe'],
    ...figures.flatMap(({ name }) => [
      `${name} avant (%)`,
      `${name} après (%)`,
      `${name} : évolution (points)`,
    ]),
  ],
  day_places: NO_DAYS,
  time_zone,
  lines: pairs.map((pair) => ({
    created_at: pair.after.created_at,
    cells: cellsOf(pair, figures),
    choices: new Map(),
    dimensions: [],
  })),
})

const cellsOf = (pair: ReplyPair<NamedReply>, figures: readonly ComparedFigure[]): Cell[] => {
  const { before, after } = pair
  return [
    ...[after.email, after.first_name, after.last_name, groupOfPair(pair)],
    ...figures.flatMap(({ key }): Cell[] => {
      const [from, to] = [figureOf(before, key), figureOf(after, key)]
      return [from, to, from === null || to === null ? null : to - from]
    }),
  ]
}
