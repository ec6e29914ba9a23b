import type { Snapshot } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { type BoundedCache, boundedCache } from '#server/runtime/bounded-cache.ts'
import { findVersion } from './versions.store.ts'

/** Versions whose participants are being sent; a snapshot never changes. */
const MOST_VERSIONS = 50

/** Gives how to find a frozen version; those last asked for stay in memory. */
export const createVersionMemory = (db: Db) => {
  const versions: BoundedCache<Snapshot> = boundedCache<Snapshot>(MOST_VERSIONS)
  return async (quiz_id: string, version: number): Promise<Snapshot | undefined> => {
    const key = `${quiz_id} ${version}`
    const snapshot = versions.get(key) ?? (await findVersion(db, quiz_id, version))
    if (snapshot) versions.set(key, snapshot)
    return snapshot
  }
}
