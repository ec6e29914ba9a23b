import type { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { unavailable } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { createLimit } from '#server/runtime/limit.ts'
import { replayDraft } from './replay-draft.ts'

/** Handlers of contract/replay.ts: one replay at a time, which takes most of a processor for as long as it lasts. */
export const replayHandlers = ({ db }: { db: Db }): Handlers<typeof api.replay> => {
  const limit = createLimit({ at_once: 1, most_waiting: 10, refusal: unavailable })
  return {
    get: ({ id: quiz_id }, { id: creator_id }) =>
      limit(() => replayDraft(db, { quiz_id, creator_id })),
  }
}
