import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Client } from '#contract/client/client.ts'

/** Table of the replies of visitors. Tests also store the result and the tiers of a participant in this table. */
const SCHEMA =
  'create table given_replies (quiz_id uuid, participant_uuid uuid, question text, value text)'

/** Question and value; the value is the id of the item of a crosstab. */
export type GivenReply = [question: string, value: string]
/** Accepted values of each question that a selection names. */
export type AcceptedValues = Record<string, string[]>

/** SQL with a row for each remaining participant and value of the quiz $1. */
export const REMAINING_REPLIES =
  'given_replies join responses using (quiz_id, participant_uuid) where quiz_id = $1'

const CROSSTAB = `
with remaining_replies as (
    select participant_uuid, question, value from ${REMAINING_REPLIES} and participant_uuid = any($4)
  ), reply_pairs as (
    select r.participant_uuid, r.value as r, c.value as c
    from remaining_replies as r join remaining_replies as c on r.participant_uuid = c.participant_uuid
    where r.question = $2 and c.question = $3
  )
select coalesce(r, '') || '|' || coalesce(c, '') as name, count(distinct participant_uuid)::integer as count
from reply_pairs group by grouping sets ((r, c), (r), (c), ())`

/** Creates the table of replies, so that tests can recount figures in SQL without the stored replies of the product. */
export const createGivenReplies = async (pool: pg.Pool, client: Client) => {
  await pool.query(SCHEMA)
  const rowsOf = async <T extends object>(query: string, values: unknown[]): Promise<T[]> =>
    (await pool.query(query, values)).rows as T[]

  /** Returns the remaining participants who gave one of the values to each of these questions, sorted. */
  const listMatching = async (quiz_id: string, answers: AcceptedValues): Promise<string[]> => {
    const rows = await rowsOf<{ participant_uuid: string }>(
      `select participant_uuid from responses where quiz_id = $1 and not exists (
        select from jsonb_each($2::jsonb) as condition(question, accepted) where not exists (
          select from given_replies where given_replies.participant_uuid = responses.participant_uuid
            and given_replies.question = condition.question and condition.accepted ? given_replies.value
        )
      )`,
      [quiz_id, JSON.stringify(answers)],
    )
    return rows.map(({ participant_uuid }) => participant_uuid).sort()
  }

  return {
    rowsOf,
    listMatching,

    store: async (
      quiz_id: string,
      participant_uuid: string,
      given: GivenReply[],
    ): Promise<void> => {
      const rows = given.map(([question, value]) => ({ question, value }))
      await pool.query(
        `insert into given_replies select $1, $2, question, value
        from jsonb_to_recordset($3) as row(question text, value text)`,
        [quiz_id, participant_uuid, JSON.stringify(rows)],
      )
    },

    /** Asserts that the crosstab of the call equals a recount of the participants who match. */
    checkCrosstab: async (
      asked: Parameters<Client['statistics']['crosstab']>[0],
      answers: AcceptedValues,
    ): Promise<void> => {
      const { table } = await client.statistics.crosstab(asked)
      assert.ok(table)
      const { id, rows, columns } = asked
      const left = await listMatching(id, answers)
      const counted = await rowsOf<{ name: string; count: number }>(CROSSTAB, [
        ...[id, rows, columns, left],
      ])
      const found: [string, number][] = [
        ['|', table.nb_participants],
        ...table.rows.items.map(({ id, count }): [string, number] => [`${id}|`, count]),
        ...table.columns.items.map(({ id, count }): [string, number] => [`|${id}`, count]),
        ...table.rows.items.flatMap((row, at) =>
          table.columns.items.map(({ id }, to): [string, number] => [
            `${row.id}|${id}`,
            table.cells[at]?.[to] ?? Number.NaN,
          ]),
        ),
      ]
      const nonzero = (all: [string, number][]) => new Map(all.filter(([, count]) => count !== 0))
      assert.deepEqual(nonzero(found), nonzero(counted.map(({ name, count }) => [name, count])))
    },
  }
}
