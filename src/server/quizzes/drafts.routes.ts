import type { api } from '#contract/api.ts'
import { isEmpty } from '#domain/changes.ts'
import { applySave } from '#domain/edits.ts'
import type { Db } from '#server/db/database.ts'
import type { Handlers } from '#server/http/mount.ts'
import { loadDraft, readTogether } from './draft.store.ts'
import { editDraft } from './save-changes.ts'

/** Handlers of contract/drafts.ts. */
export const draftsHandlers = ({ db }: { db: Db }): Handlers<typeof api.drafts> => ({
  get: async ({ id: quiz_id }, creator) => {
    const { published_version: _, ...draft } = await readTogether(db, (read) =>
      loadDraft(read, { quiz_id, creator_id: creator.id }),
    )
    return draft
  },

  save: async ({ id: quiz_id, body: { based_on, ...changes } }, creator) =>
    db
      .transaction()
      .execute((change) =>
        editDraft(change, { quiz_id, creator_id: creator.id, based_on }, (draft) =>
          isEmpty(changes) ? draft : applySave(draft, changes),
        ),
      ),
})
