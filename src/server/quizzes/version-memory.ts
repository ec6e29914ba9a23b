import type { Snapshot } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'
import { findVersions } from './versions.store.ts'

/** Bytes of JSON; what was parsed from it weighs some times as much. */
const LARGEST_MEMORY = 16_777_216

type Kept = { snapshot: Snapshot; bytes: number }

/**
 * Gives how to find frozen versions of a quiz whose owner is known, by their numbers; those that are missing are left
 * out. A snapshot never changes, so those last asked for stay in memory, parsed; callers do not write into them.
 */
export const createVersionMemory = (largest_memory = LARGEST_MEMORY) => {
  const memory = boundedCache<Kept>(largest_memory, ({ bytes }) => bytes)
  return async (
    db: Db,
    quiz_id: string,
    versions: readonly number[],
  ): Promise<Map<number, Snapshot>> => {
    const keyOf = (version: number): string => `${quiz_id} ${version}`
    const found = new Map<number, Snapshot>()
    for (const version of versions) {
      const known = memory.get(keyOf(version))
      if (known) found.set(version, known.snapshot)
    }
    const unknown = versions.filter((version) => !found.has(version))
    if (unknown.length === 0) return found
    for (const { version, ...kept } of await findVersions(db, quiz_id, unknown)) {
      memory.set(keyOf(version), kept)
      found.set(version, kept.snapshot)
    }
    return found
  }
}

/** One memory for the whole process: figures, exports and all that is sent read the same versions. */
export const findKeptVersions = createVersionMemory()

/** One version of those; undefined when there is none of that number. */
export const findKeptVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => (await findKeptVersions(db, quiz_id, [version])).get(version)
