import { RefusedCall } from '#contract/client.ts'
import type { drafts } from '#contract/drafts.ts'
import type { Answer, Input } from '#contract/endpoint.ts'

/** A quiz as the server has it, with its revision. */
export type LoadedDraft = Answer<typeof drafts.get>
type SaveBody = Input<typeof drafts.save>['body']

/** The calls of a session to the server. */
export type DraftServer = {
  load: () => Promise<LoadedDraft>
  save: (body: SaveBody) => Promise<Answer<typeof drafts.save>>
}

/** True when the quiz has a newer revision than the one that a save was based on. */
export const isStale = (error: unknown): boolean =>
  error instanceof RefusedCall && error.code === 'stale'
