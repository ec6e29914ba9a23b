import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestApp, type TestApp } from '#server/testing/app/test-app.ts'
import { FAMILIES } from './counter-families.ts'

let app: TestApp
before(async () => {
  app = await createTestApp()
})
after(() => app.close())

/** Tables counted by other means: visits by page reports, deliveries by triggers. */
const COUNTED_ELSEWHERE = ['delivery_counts', 'visit_counts', 'visit_step_counts']

test('every counter table has a family with its primary key and columns', async () => {
  const { rows } = await app.pool.query<{ table: string; key: string[]; columns: string[] }>(`
    select relname as table,
      array(
        select attname::text from unnest(indkey) with ordinality as keyed(attnum, place)
        join pg_attribute using (attnum) where attrelid = indrelid order by place
      ) as key,
      array(
        select attname::text from pg_attribute where attrelid = indrelid and attnum > 0 order by 1
      ) as columns
    from pg_class join pg_index on indrelid = pg_class.oid and indisprimary
    where relname like '%\\_counts' and relnamespace = 'public'::regnamespace`)
  const tables = rows.filter(({ table }) => !COUNTED_ELSEWHERE.includes(table))
  assert.deepEqual(
    tables.map(({ table }) => table).sort(),
    FAMILIES.map(([, { table }]) => table).sort(),
  )
  for (const [figure, { table, key, beside = {} }] of FAMILIES) {
    const found = tables.find((candidate) => candidate.table === table)
    const keyed = ['quiz_id', ...Object.keys(key)]
    assert.deepEqual(found?.key, keyed, figure)
    assert.deepEqual(found?.columns, [...keyed, ...Object.keys(beside), 'count'].sort(), figure)
  }
})
