import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Db } from '#server/db/database.ts'
import { createOwner, type Owner } from './owner.ts'
import { createRowsDigest } from './rows-digest.ts'

/** Two creators with equal rows. Tests call functions as `me`. */
export type Scene = {
  db: Db
  pool: pg.Pool
  me: Owner
  other: Owner
  /** Throws if stored data of the other creator changed. */
  expectUntouched: (what: string) => Promise<void>
}

/** Test of query functions. Throws if a function reads or changes rows of the other creator. */
export type Proof = (scene: Scene) => Promise<void>

/** Inserts two creators. The other creator comes first, so that a query without a condition finds their row. */
export const createScene = async ({ db, pool }: { db: Db; pool: pg.Pool }): Promise<Scene> => {
  const other = await createOwner(db)
  const me = await createOwner(db)
  const read = await createRowsDigest(db)
  const before = await read(pool, other.ids)
  return {
    db,
    pool,
    me,
    other,
    expectUntouched: async (what) =>
      assert.ok(
        (await read(pool, other.ids)) === before,
        `${what} changed rows of the other creator`,
      ),
  }
}
