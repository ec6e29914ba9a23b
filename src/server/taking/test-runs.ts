import type { Db } from '#server/db/database.ts'
import type { Submissions } from './submissions.ts'
import type { TestLinks } from './test-links.ts'
import { findTestResponse, isOwner, storeTestResponse } from './test-responses.store.ts'

/** What test runs need: who may open them, and where they are stored instead of the submissions. */
export type Tests = {
  links: TestLinks
  submissions: Pick<Submissions, 'submit' | 'find'>
  /** Whether a token opens this quiz as a test, now and for its owner. */
  isOpenedBy: (quiz_id: string, token: string) => Promise<boolean>
}

/** Test runs go the way of a submission (submit-response.ts), and are stored apart. */
export const createTests = (db: Db, links: TestLinks): Tests => ({
  links,
  submissions: {
    submit: (submission) => storeTestResponse(db, submission),
    find: (who) => findTestResponse(db, who),
  },
  isOpenedBy: async (quiz_id, token) => {
    const creator_id = links.read(quiz_id, token)
    return creator_id !== undefined && isOwner(db, { quiz_id, creator_id })
  },
})
