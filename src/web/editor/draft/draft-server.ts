import { RefusedCall } from '#contract/client.ts'
import type { drafts } from '#contract/drafts.ts'
import type { Answer, Input } from '#contract/endpoint.ts'

/** A quiz as the server holds it, and the revision that it has reached. */
export type LoadedDraft = Answer<typeof drafts.get>
type SaveBody = Input<typeof drafts.save>['body']

/** The calls that a session makes of the server. */
export type DraftServer = {
  load: () => Promise<LoadedDraft>
  save: (body: SaveBody) => Promise<Answer<typeof drafts.save>>
}

/** The quiz has gone on since the revision that a save was based on. */
export const isStale = (error: unknown): boolean =>
  error instanceof RefusedCall && error.code === 'stale'
