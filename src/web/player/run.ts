import type { Replies } from '#domain/quiz.ts'
import { computeResult, type PlayerRules } from '#domain/scoring.ts'
import type { Snapshot, SnapshotResult } from '#domain/snapshot.ts'
import { isReplyTo, replyTo, type SnapshotPage, unanswered } from '#domain/taking.ts'

/** How far someone is in a questionnaire, and what they gave so far. */
export type Run = {
  page_index: number
  replies: Replies
  is_finished: boolean
  /** Only once finished; null when no result is due. */
  result: SnapshotResult | null
}

export type RunEvent =
  | { kind: 'reply'; replies: Replies }
  | { kind: 'back' }
  | { kind: 'next' }
  | { kind: 'restart' }

/** What is being taken, and under which rules. */
export type Taking = { snapshot: Snapshot; pages: SnapshotPage[]; rules: PlayerRules }

export const NEW_RUN: Run = { page_index: 0, replies: {}, is_finished: false, result: null }

/** The run after an event (spec §4 « Taking a quiz »); the same object when nothing changed. */
export const nextRun = (taking: Taking, run: Run, event: RunEvent): Run => {
  if (event.kind === 'restart') return NEW_RUN
  if (run.is_finished) return run
  if (event.kind === 'reply') return withReplies(run, event.replies)
  if (event.kind === 'back')
    return run.page_index === 0 ? run : { ...run, page_index: run.page_index - 1 }
  return forward(taking, run)
}

const withReplies = (run: Run, replies: Replies): Run => {
  const isSame = Object.entries(replies).every(([id, reply]) => replyTo(run.replies, id) === reply)
  return isSame ? run : { ...run, replies: { ...run.replies, ...replies } }
}

const forward = ({ snapshot, pages, rules }: Taking, run: Run): Run => {
  const page = pages[run.page_index]
  if (!page || unanswered(page, run.replies, rules).length > 0) return run
  if (run.page_index < pages.length - 1) return { ...run, page_index: run.page_index + 1 }
  return { ...run, is_finished: true, result: computeResult(snapshot, run.replies, rules) }
}

/**
 * A run kept from an earlier visit, fitted to the questionnaire as it is now: replies to what is
 * gone are dropped, and nobody stands behind a page that still lacks an answer.
 */
export const resumeRun = (
  taking: Taking,
  kept: Pick<Run, 'page_index' | 'replies' | 'is_finished'>,
): Run => {
  const { snapshot, pages, rules } = taking
  const replies = fittingReplies(snapshot, kept.replies)
  const incomplete = pages.findIndex((page) => unanswered(page, replies, rules).length > 0)
  const furthest = incomplete === -1 ? pages.length - 1 : incomplete
  const page_index = Math.max(0, Math.min(kept.page_index, furthest))
  const run: Run = { ...NEW_RUN, page_index, replies }
  const ended = forward(taking, { ...run, page_index: furthest })
  return kept.is_finished && ended.is_finished ? ended : run
}

const fittingReplies = ({ questions }: Snapshot, replies: Replies): Replies =>
  Object.fromEntries(
    questions
      .map((question) => ({ question, reply: replyTo(replies, question.id) }))
      .filter(({ question, reply }) => reply !== '' && isReplyTo(question, reply))
      .map(({ question, reply }) => [question.id, reply]),
  )
