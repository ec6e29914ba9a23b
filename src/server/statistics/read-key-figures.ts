import type { KeyFiguresAnswer } from '#contract/key-figures.ts'
import { keyFigures, type RowCount } from '#domain/key-figures.ts'
import { periodsOf } from '#domain/periods.ts'
import { localDay } from '#domain/time-zone.ts'
import { findTimeZone } from '#server/account/time-zone.store.ts'
import type { Db } from '#server/db/database.ts'
import type { BackgroundCounts } from './background-counts.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { countRows, nbDelivered, readDayTotals } from './key-figures.store.ts'
import { createLargeCounts } from './large-counts.ts'
import { refuseReversed } from './matching.ts'
import { type Asked, lookAgain, type ReadView, type View } from './read-view.ts'

/** The most selections whose counts are kept until their participants, or deliveries, change. */
const MOST_KEPT = 200

/** Deliveries come after their participants: the state of both. */
const stateHashOf = async (db: Db, { quiz_id, state_hash }: View): Promise<string> =>
  `${state_hash} ${await nbDelivered(db, quiz_id)}`

/** Reads key figures: what counters say at once, and what is made of many participants behind the answer. */
export const createKeyFigures = (db: Db, readView: ReadView, background: BackgroundCounts) => {
  const keptRows = createKeptAnswers<RowCount[]>(MOST_KEPT)
  const countsOf = createLargeCounts<RowCount[]>(background)
  return async (
    asked: Asked,
    { is_async, now = new Date() }: { is_async: boolean; now?: Date },
  ): Promise<KeyFiguresAnswer> => {
    const { filters, creator_id } = asked
    refuseReversed(filters)
    const time_zone = await findTimeZone(db, creator_id)
    const periods = periodsOf(filters, localDay(now, time_zone))
    const spans = { periods, time_zone }
    // Both periods are one selection, read once.
    const from = periods?.period_before?.from ?? filters.from
    const both = { ...asked, filters: { ...filters, from } }
    const keyOf = ({ key }: View): string => JSON.stringify([key, periods])
    const { view, totals, state_hash, rows } = await readView(
      both,
      async (db, view) => {
        const state_hash = await stateHashOf(db, view)
        const count = () => countRows(db, view, spans)
        return {
          ...{ view, state_hash },
          totals: view.moments && (await readDayTotals(db, view.quiz_id, view.moments, spans)),
          rows: view.is_many ? undefined : await keptRows(keyOf(view), state_hash, count),
        }
      },
      true,
    )
    const said = (rows: readonly RowCount[] | undefined) => ({
      ...keyFigures({ totals: totals ?? undefined, rows, periods }),
      time_zone,
      period: periods?.period ?? null,
      period_compared: periods?.period_compared ?? null,
      period_before: periods?.period_before ?? null,
    })
    if (rows) return said(rows)
    const state = { state_hash, removed: view.removed, creator_id: asked.creator_id, is_async }
    const { value, as_of } = await countsOf(keyOf(view), state, (db) =>
      lookAgain(db, both, async (state, view) => ({
        state_hash: await stateHashOf(state, view),
        removed: view.removed,
        value: await countRows(state, view, spans),
      })),
    )
    return { ...said(value), ...(as_of && { as_of }) }
  }
}
