import { z } from 'zod'
import { TEST_LINK_HOURS } from '#domain/test-runs.ts'
import { createSignedTokens, type SignedTokens } from '#server/signed-tokens.ts'

/** The owner of the quiz, and when the link expires (milliseconds). */
const grant = z.object({ creator_id: z.guid(), expires_at: z.number() })

export type TestLinks = {
  /** A new token that opens the creator's quiz as a test, and when it expires. */
  write: (owned: { quiz_id: string; creator_id: string }) => { token: string; expires_at: Date }
  /** Whose token opens this quiz as a test; undefined of one that is altered, expired or of another quiz. */
  read: (quiz_id: string, token: string) => string | undefined
}

/** Writes and reads what makes a run a test: signed with a key of each quiz's own, so that nothing is stored. */
export const createTestLinks = (secretKey: string | Uint8Array): TestLinks => {
  const tokensOf = (quiz_id: string): SignedTokens<z.output<typeof grant>> =>
    createSignedTokens(secretKey, `taking/tests/${quiz_id}`, grant)
  return {
    write: ({ quiz_id, creator_id }) => {
      const expires_at = Date.now() + TEST_LINK_HOURS * 3_600_000
      const token = tokensOf(quiz_id).write({ creator_id, expires_at })
      return { token, expires_at: new Date(expires_at) }
    },
    read: (quiz_id, token) => {
      const given = tokensOf(quiz_id).read(token)
      return given && given.expires_at > Date.now() ? given.creator_id : undefined
    },
  }
}
