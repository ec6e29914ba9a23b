import { hasWelcome } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { adjacentPageIndex, createIsPageSkipped } from '#domain/run/path.ts'
import { replyTo } from '#domain/run/replies.ts'
import type { ResultDetail } from '#domain/run/result-detail.ts'
import type { RichResult, RichSnapshot } from '#domain/run/rich-text.ts'
import { type PlayerRules, shownResults } from '#domain/run/scoring.ts'
import { findBlockingQuestions, type SnapshotPage } from '#domain/run/submission-checks.ts'

/** State of a visitor's run through a questionnaire. */
export type Run = {
  /** Index of the shown page; -1 on the welcome screen, the number of pages at the end. */
  page_index: number
  replies: Replies
  /** True if the answers are submitted, so that the pages are read-only. */
  is_finished: boolean
  /** Null before the end, and for a quiz without a result. */
  result: RichResult | null
  /** The explanation of the result; null if the quiz shows none, undefined until it is computed. */
  detail?: ResultDetail | null | undefined
  /** The results tied with `result`, if the quiz shows ties. */
  ties?: RichResult[] | undefined
  /** Ids of the questions whose page has shown its corrections, so that their replies stay. */
  locked?: readonly string[] | undefined
}

/** An event that changes a run: edited replies, a move to a page, or « Suivant ». */
export type RunEvent =
  | { kind: 'reply'; replies: Replies }
  | { kind: 'go'; page_index: number }
  | { kind: 'next' }

/** The questionnaire of a run, and its rules. */
export type RunContext = {
  snapshot: RichSnapshot
  pages: SnapshotPage[]
  rules: PlayerRules
  /**
   * Returns the run with the corrections of its page; undefined if the page has none to show. Absent until the second
   * file is loaded: the run then continues, and the end shows the corrections.
   */
  freezeReplies?:
    | ((snapshot: RichSnapshot, page: SnapshotPage, run: Run) => Run | undefined)
    | undefined
}

/** A run at its beginning, without replies. */
export const NEW_RUN: Run = {
  page_index: 0,
  replies: {},
  is_finished: false,
  result: null,
}

/** Returns the index at which a run begins: -1 with a welcome screen, otherwise 0. */
export const firstPageIndex = ({ quiz }: Pick<RichSnapshot, 'quiz'>): number =>
  hasWelcome(quiz) ? -1 : 0

/** Returns the run after an event (product 8.4); the same object when nothing changed. */
export const nextRun = (context: RunContext, run: Run, event: RunEvent): Run => {
  if (event.kind === 'go') return goTo(context, run, event.page_index)
  if (event.kind === 'next') return goForward(context, run)
  return run.is_finished ? run : withReplies(run, event.replies)
}

const withReplies = (run: Run, replies: Replies): Run => {
  const isSame = Object.entries(replies).every(([id, reply]) => {
    const current = replyTo(run.replies, id)
    return JSON.stringify(current) === JSON.stringify(reply)
  })
  return isSame ? run : { ...run, replies: { ...run.replies, ...replies } }
}

type PathPosition = Pick<Run, 'page_index' | 'replies'>
type RunPages = Pick<RunContext, 'snapshot' | 'pages'>

/**
 * Returns the index of the next page on the path of a run, or of the previous page with `step` -1. The number of
 * pages stands for the end.
 */
export const nextPageIndex = (
  { snapshot, pages }: RunPages,
  { page_index, replies }: PathPosition,
  step: 1 | -1 = 1,
): number => {
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  return adjacentPageIndex(pages, { page_index, step, isSkipped })
}

/**
 * Returns the index of the last page that a run may show. The page is the first on the path of the run that lacks an
 * answer, or else the last page of the questionnaire.
 */
const findFurthestPage = (context: RunContext, replies: Replies): number => {
  const { snapshot, pages, rules } = context
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  const incomplete = pages.findIndex(
    (page) => !isSkipped(page.number) && findBlockingQuestions(page, replies, rules).length > 0,
  )
  return incomplete < 0
    ? nextPageIndex(context, { page_index: pages.length, replies }, -1)
    : incomplete
}

/** Goes to a page. A page that the path skips is replaced by the next page in the same direction. */
const goTo = (context: RunContext, run: Run, target_index: number): Run => {
  const { replies } = run
  const furthest = run.is_finished ? context.pages.length : findFurthestPage(context, replies)
  const step = target_index < run.page_index ? -1 : 1
  const found = nextPageIndex(context, { page_index: target_index - step, replies }, step)
  const page_index = Math.max(firstPageIndex(context.snapshot), Math.min(found, furthest))
  return page_index === run.page_index ? run : { ...run, page_index }
}

const endOf = ({ snapshot, rules }: RunContext, { replies }: Run): Pick<Run, 'result' | 'ties'> => {
  const [result = null, ...ties] = shownResults(snapshot, replies, rules)
  return { result, ties }
}

const goForward = (context: RunContext, run: Run): Run => {
  const { snapshot, pages, rules, freezeReplies } = context
  if (run.page_index < 0) return { ...run, page_index: 0 }
  const page = pages[run.page_index]
  if (!page || (!run.is_finished && findBlockingQuestions(page, run.replies, rules).length > 0))
    return run
  const page_index = nextPageIndex(context, run)
  return (
    freezeReplies?.(snapshot, page, run) ??
    (run.is_finished || page_index < pages.length
      ? { ...run, page_index }
      : { ...run, page_index, is_finished: true, ...endOf(context, run) })
  )
}
