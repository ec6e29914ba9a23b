import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Db } from '#server/db/database.ts'
import { createOwner, type Owner } from './owner.ts'
import { createDigest } from './stored-of.ts'

/** Two creators who have the same; `me` is who calls. */
export type Scene = {
  db: Db
  pool: pg.Pool
  me: Owner
  other: Owner
  /** Throws unless all that is stored of the other is what it was. */
  expectUntouched: (what: string) => Promise<void>
}

/** What is proved of the functions that query: each asks whose it is. */
export type Proof = (scene: Scene) => Promise<void>

/** The other comes first, so that a query without a condition finds theirs. */
export const createScene = async ({ db, pool }: { db: Db; pool: pg.Pool }): Promise<Scene> => {
  const other = await createOwner(db)
  const me = await createOwner(db)
  const read = await createDigest(db)
  const before = await read(pool, other.ids)
  return {
    ...{ db, pool, me, other },
    expectUntouched: async (what) =>
      assert.ok((await read(pool, other.ids)) === before, `${what} wrote to the other's`),
  }
}
