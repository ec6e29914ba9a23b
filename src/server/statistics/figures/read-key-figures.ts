import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import { localDay } from '#domain/common/time-zone.ts'
import type { RowCount } from '#domain/statistics/key-figures.ts'
import { keyFigures } from '#domain/statistics/key-figures.ts'
import { periodsOf } from '#domain/statistics/periods.ts'
import { findTimeZone } from '#server/account/account.store.ts'
import type { Db } from '#server/db/database.ts'
import { rejectReversedDates } from '#server/statistics/selection/participant-filters.ts'
import { type BackgroundCounts, createLargeCounts } from './background-counts.ts'
import { createCountCache } from './count-cache.ts'
import { countDelivered, countRows, readDayTotals } from './key-figures.store.ts'
import {
  type ReadView,
  recountWithLongerTimeout,
  type StatisticsQuery,
  type View,
} from './read-view.ts'

/** Returns the hash of the state of participants and deliveries. */
const stateHashOf = async (db: Db, { quiz_id, state_hash }: View): Promise<string> =>
  `${state_hash} ${await countDelivered(db, quiz_id)}`

/**
 * Creates a function that reads key figures. Figures from counters are read at once; figures of many
 * participants are counted in the background.
 */
export const createKeyFigures = (db: Db, readView: ReadView, background: BackgroundCounts) => {
  const keptRows = createCountCache<RowCount[]>(background.memory, 'key figures')
  const countsOf = createLargeCounts<RowCount[]>(background, 'key figures')
  return async (
    query: StatisticsQuery,
    { is_async, now = new Date() }: { is_async: boolean; now?: Date },
  ): Promise<KeyFiguresAnswer> => {
    const { filters, creator_id } = query
    rejectReversedDates(filters)
    const time_zone = await findTimeZone(db, creator_id)
    const periods = periodsOf(filters, localDay(now, time_zone))
    const spans = { periods, time_zone }
    // The two periods are read as one selection.
    const from = periods?.period_before?.from ?? filters.from
    const both = { ...query, filters: { ...filters, from } }
    const keyOf = ({ key }: View): string => JSON.stringify([key, periods])
    const { view, totals, state_hash, rows } = await readView(
      both,
      async (db, view) => {
        const state_hash = await stateHashOf(db, view)
        const count = () => countRows(db, view, spans)
        return {
          view,
          state_hash,
          totals: view.moments && (await readDayTotals(db, view.quiz_id, view.moments, spans)),
          rows: view.is_many ? undefined : await keptRows(keyOf(view), state_hash, count),
        }
      },
      true,
    )
    const toAnswer = (rows: readonly RowCount[] | undefined) => ({
      ...keyFigures({ totals: totals ?? undefined, rows, periods }),
      time_zone,
      period: periods?.period ?? null,
      period_compared: periods?.period_compared ?? null,
      period_before: periods?.period_before ?? null,
    })
    if (rows) return toAnswer(rows)
    const state = { state_hash, removed: view.removed, creator_id: query.creator_id, is_async }
    const { value, as_of } = await countsOf(keyOf(view), state, (db) =>
      recountWithLongerTimeout(db, both, async (state, view) => ({
        state_hash: await stateHashOf(state, view),
        removed: view.removed,
        value: await countRows(state, view, spans),
      })),
    )
    return { ...toAnswer(value), ...(as_of && { as_of }) }
  }
}
