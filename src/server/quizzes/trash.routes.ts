import type { api } from '#contract/api.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { loadQuiz } from './quizzes.store.ts'
import type { Trash } from './trash.ts'

type Dependencies = {
  db: Db
  trash: Trash
  /** Called after the commit if the page at the quiz's address has changed. */
  onChange: (quiz_id: string) => Promise<void>
}

/** Handlers of contract/trash.ts. */
export const trashHandlers = ({
  db,
  trash,
  onChange,
}: Dependencies): Handlers<typeof api.trash> => ({
  restore: async ({ id }, { id: creator_id, session_id }, request) => {
    const owned = { quiz_id: id, creator_id }
    if (await trash.restore(owned, signalOf(request))) {
      audit('quiz_restored', { actor_id: creator_id, session_id, object_id: id })
      await onChange(id)
    }
    const { quiz } = await loadQuiz(db, owned)
    return { quiz }
  },

  empty: async (_input, { id: actor_id, session_id }) => {
    const nb_deleted = await trash.empty(actor_id)
    audit('trash_emptied', { actor_id, session_id, detail: String(nb_deleted) })
    return { nb_deleted }
  },
})
