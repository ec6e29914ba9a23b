import { z } from 'zod'
import { TRIAL_LINK_HOURS } from '#domain/run/trial-runs.ts'
import type { Db } from '#server/db/database.ts'
import { createSealedTokens, type SealedTokens } from '#server/runtime/sealing.ts'
import type { Submissions } from './submission-queue.ts'
import { findTrialResponse, isOwner, storeTrialResponse } from './trial-responses.store.ts'

/** Content of a trial link: the owner of the quiz, and the time of expiry in ms since 1970. */
const grant = z.object({ creator_id: z.guid(), expires_at: z.number() })

/** Links that open a quiz as a trial run. */
export type TrialLinks = {
  /** Returns a new token for a trial run of the creator's quiz, and its expiry. */
  write: (owned: { quiz_id: string; creator_id: string }) => { token: string; expires_at: Date }
  /** Returns the owner of a valid token; undefined if the token is altered, expired or for another quiz. */
  read: (quiz_id: string, token: string) => string | undefined
}

/** Creates and verifies tokens of trial runs. Each quiz has a key of its own, and no token is stored. */
export const createTrialLinks = (secretKey: string | Uint8Array): TrialLinks => {
  const tokensOf = (quiz_id: string): SealedTokens<z.output<typeof grant>> =>
    createSealedTokens(secretKey, `links/trial-run/${quiz_id}`, grant)
  return {
    write: ({ quiz_id, creator_id }) => {
      const expires_at = Date.now() + TRIAL_LINK_HOURS * 3_600_000
      const token = tokensOf(quiz_id).write({ creator_id, expires_at })
      return { token, expires_at: new Date(expires_at) }
    },
    read: (quiz_id, token) => {
      const granted = tokensOf(quiz_id).read(token)
      return granted && granted.expires_at > Date.now() ? granted.creator_id : undefined
    },
  }
}

/** Access check and storage of trial runs. */
export type TrialRuns = {
  links: TrialLinks
  submissions: Pick<Submissions, 'submit' | 'find'>
  /** Returns true if the token is valid and its creator still owns the quiz. */
  isOpenedBy: (quiz_id: string, token: string) => Promise<boolean>
}

/** Creates the storage of trial runs, which `submitResponse` uses instead of the submission queue. */
export const createTrialRuns = (db: Db, links: TrialLinks): TrialRuns => ({
  links,
  submissions: {
    submit: (submission) => storeTrialResponse(db, submission),
    find: (participant) => findTrialResponse(db, participant),
  },
  isOpenedBy: async (quiz_id, token) => {
    const creator_id = links.read(quiz_id, token)
    return creator_id !== undefined && isOwner(db, { quiz_id, creator_id })
  },
})
