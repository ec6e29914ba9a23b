import type { api } from '#contract/api.ts'
import type { ListedVersion } from '#contract/versions.ts'
import { idsOfVersion } from '#domain/publishing/restore-version.ts'
import { versionChanges } from '#domain/publishing/version-changes.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { listOwnImages } from '#server/images/images.store.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { listExistingIds } from './draft-rows.store.ts'
import { loadPublished } from './quizzes.store.ts'
import { findVersion, listVersions, type VersionRow } from './versions.store.ts'

const VERSIONS_PER_PAGE = 20
/** Maximum total size of the compressed snapshots on a page; parsed, they take some tens of megabytes. */
const MAX_PAGE_BYTES = 2_097_152
const AFTER_ALL = 1_000_000_000
/** Handlers of contract/versions.ts. */
export const versionsHandlers = ({
  db,
  heavyWork,
}: {
  db: Db
  heavyWork: Pick<HeavyWork, 'run'>
}): Handlers<typeof api.versions> => {
  return {
    list: ({ id: quiz_id, before = AFTER_ALL }, { id: creator_id }, request) => {
      const signal = signalOf(request)
      const job = { kind: 'versions', owner: creator_id, size: VERSIONS_PER_PAGE, signal } as const
      return heavyWork.run(job, async () => {
        const readPage = async (read: Db) => ({
          ...(await loadPublished(read, { quiz_id, creator_id })),
          // A further version is read, so that the last version on the page can be compared with its
          // predecessor.
          rows: await listVersions(read, quiz_id, {
            before,
            limit: VERSIONS_PER_PAGE + 1,
            max_bytes: MAX_PAGE_BYTES,
          }),
        })
        const { quiz, published_version, rows } = await readInOneSnapshot(db, readPage, signal)
        const shown = isLast(rows) ? rows : rows.slice(0, -1)
        return {
          versions: await compareVersions(rows, shown.length, { quiz, published_version, signal }),
          next_before: isLast(rows) ? null : (shown.at(-1)?.version ?? null),
        }
      })
    },

    get: ({ id: quiz_id, version }, { id: creator_id }) =>
      readInOneSnapshot(db, async (read) => {
        await loadPublished(read, { quiz_id, creator_id })
        const snapshot = await findVersion(read, quiz_id, version)
        if (!snapshot) throw notFound('Version introuvable')
        const { ids, image_ids } = idsOfVersion(snapshot)
        const own = new Set(await listOwnImages(read, creator_id, image_ids))
        return {
          snapshot,
          taken_ids: await listExistingIds(read, quiz_id, ids),
          missing_image_ids: image_ids.filter((id) => !own.has(id)),
        }
      }),
  }
}

/** Returns true if the rows reach the first version. Versions are numbered from 1 and are never deleted one by one. */
const isLast = (rows: readonly VersionRow[]): boolean =>
  rows.length < 2 || rows.at(-1)?.version === 1

/** Compares each of the first `count` versions with the version after it in the list, which is older. */
const compareVersions = async (
  rows: readonly VersionRow[],
  count: number,
  {
    quiz,
    published_version,
    signal,
  }: { quiz: Quiz; published_version: number | null; signal: AbortSignal },
): Promise<ListedVersion[]> => {
  const pause = yieldToEventLoop({ signal })
  const listed: ListedVersion[] = []
  for (const [index, { snapshot, ...row }] of rows.slice(0, count).entries()) {
    const before = rows[index + 1]?.snapshot
    const changes = before ? versionChanges(quiz, { before, after: snapshot }) : null
    listed.push({ ...row, is_current: row.version === published_version, changes })
    await pause()
  }
  return listed
}
