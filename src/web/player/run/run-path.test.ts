import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { createIsPageSkipped } from '#domain/run/path.ts'
import {
  createSnapshotReplacer,
  visitorSnapshot,
} from '#domain/run/public-page/visitor-snapshot.ts'
import { OTHER, otherField, otherText, repliesOf, replyTo } from '#domain/run/replies.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { computeResult, PUBLIC_RULES, shownResults, totalScore } from '#domain/run/scoring.ts'
import { packReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { replyErrors, type SnapshotPage } from '#domain/run/submission-checks.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { resumeRun } from './resume-run.ts'
import { NEW_RUN, nextRun, type Run, type RunContext } from './run.ts'

/** Returns a version as the browser receives it. */
const createRunContext = (snapshot: Snapshot): RunContext => {
  const shown = visitorSnapshot(snapshot)
  const brought: RichSnapshot = JSON.parse(JSON.stringify(shown, createSnapshotReplacer(shown)))
  return { snapshot: brought, pages: groupIntoPages(brought), rules: PUBLIC_RULES }
}
const questionsOn = (page?: SnapshotPage): SnapshotQuestion[] =>
  page?.items.flatMap((item) => (item.kind === 'question' ? item.question : [])) ?? []

/** Returns the values of the fields of a page for these replies, blank where a reply is missing. */
const given = (page: SnapshotPage | undefined, replies: Replies): Replies =>
  Object.fromEntries(questionsOn(page).map(({ id }) => [id, replyTo(replies, id)]))

/** Answers page by page until the run ends or stops; also returns the indexes of the shown pages. */
const walk = (context: RunContext, replies: Replies, from: Run = NEW_RUN) => {
  const shown: number[] = []
  let run = from
  for (;;) {
    const { page_index } = run
    // A run always ends, because each page is shown at most once.
    assert.ok(!shown.includes(page_index))
    shown.push(page_index)
    run = nextRun(context, run, {
      kind: 'reply',
      replies: given(context.pages[page_index], replies),
    })
    run = nextRun(context, run, { kind: 'next' })
    if (run.is_finished || run.page_index === page_index) return { run, shown }
  }
}

/** Returns the values that the server computes from the replies of a submission. */
const byServer = (snapshot: Snapshot, replies: Replies) => {
  const errors = replyErrors(snapshot, replies)
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  return {
    errors,
    path: groupIntoPages(snapshot).flatMap(({ number }, index) => (isSkipped(number) ? [] : index)),
    result: computeResult(snapshot, replies, PUBLIC_RULES)?.id,
    shown: shownResults(snapshot, replies, PUBLIC_RULES).map(({ id }) => id),
    stored: packReplies(snapshot, replies),
    score: totalScore(snapshot, replies),
    detail: resultDetail(snapshot, replies),
  }
}

const isSameEnd = (snapshot: Snapshot, run: Run, replies: Replies): void => {
  const server = byServer(snapshot, replies)
  assert.equal(run.is_finished, server.errors.length === 0)
  if (!run.is_finished) return
  assert.equal(run.result?.id, server.result)
  const shown = [run.result, ...(run.ties ?? [])].flatMap((result) => result?.id ?? [])
  assert.deepEqual(shown, server.shown)
  // The browser computes the detail from its own snapshot and the replies of the run.
  const visitors = createRunContext(snapshot).snapshot
  assert.deepEqual(resultDetail(visitors, run.replies), server.detail)
  assert.deepEqual(byServer(snapshot, run.replies), server)
  assert.deepEqual(byServer(snapshot, unpackReplies(snapshot, server.stored)), server)
}

/** Returns the fields of a question as a browser posts them. « Autre… » posts two: the choice and its typed text. */
const shownFields = (question: SnapshotQuestion, replies: Replies): [string, string][] => {
  const parts = [replyTo(replies, question.id)].flat()
  return parts.flatMap((part): [string, string][] => {
    const typed = isChoice(question) ? otherText(part) : undefined
    if (typed === undefined) return [[question.id, part]]
    return [
      [question.id, OTHER],
      [otherField(question.id), part.slice(OTHER.length)],
    ]
  })
}
const hiddenFields = (replies: Replies): [string, string][] =>
  Object.entries(replies).flatMap(([id, reply]) =>
    [reply].flat().map((part): [string, string] => [id, part]),
  )

/** Answers page by page without scripts: each page is posted together with the replies of the previous pages. */
const walkServed = (context: RunContext, replies: Replies): Replies => {
  let known: Replies = {}
  let page_index = 0
  for (;;) {
    const page = context.pages[page_index]
    const asked = questionsOn(page)
    const hidden = Object.entries(known).filter(
      ([id]) => !asked.some((question) => question.id === id),
    )
    known = repliesOf([
      ...hiddenFields(Object.fromEntries(hidden)),
      ...asked.flatMap((question) => shownFields(question, replies)),
    ])
    const wanted = { ...NEW_RUN, replies: known, page_index: page_index + 1 }
    const served = resumeRun(context, wanted)
    if (served.page_index <= page_index) return known
    page_index = served.page_index
  }
}

describe('the agreement of browser and server for any questionnaire and any replies', () => {
  const check = (runs: ReturnType<typeof versionsWithReplies>, numRuns: number): void =>
    fc.assert(
      fc.property(runs, ({ snapshot, replies }) => {
        const { run, shown } = walk(createRunContext(snapshot), replies)
        isSameEnd(snapshot, run, replies)
        if (run.is_finished) assert.deepEqual(shown, byServer(snapshot, replies).path)
      }),
      { numRuns },
    )
  test('browser and server agree on the path, the end and the result of valid replies', () =>
    check(versionsWithReplies(), countCases(4_000)))
  test('browser and server agree on the validity of replies', () =>
    check(versionsWithReplies({ strangeness: 12 }), countCases(4_000)))

  test('browser and server agree when the visitor has gone back and changed answers', () =>
    fc.assert(
      fc.property(versionsWithReplies(), ({ snapshot, replies, others }) => {
        const context = createRunContext(snapshot)
        const begun = walk(context, replies).run
        // The run is reset to before its end, because a finished run no longer changes.
        const undone = { ...begun, is_finished: false, result: null }
        const first = nextRun(context, undone, { kind: 'go', page_index: 0 })
        const { run, shown } = walk(context, others, first)
        isSameEnd(snapshot, run, others)
        if (run.is_finished) assert.deepEqual(shown, byServer(snapshot, others).path)
      }),
      { numRuns: countCases(1_000) },
    ))

  test('browser and server agree when no script runs and the form carries the earlier replies', () =>
    fc.assert(
      fc.property(versionsWithReplies({ strangeness: 3 }), ({ snapshot, replies }) => {
        const known = walkServed(createRunContext(snapshot), replies)
        // A form posts a single ticked box as text, not as a list.
        const server = byServer(snapshot, repliesOf(hiddenFields(replies)))
        const served = byServer(snapshot, known)
        assert.equal(served.errors.length === 0, server.errors.length === 0)
        if (server.errors.length === 0) assert.deepEqual(served, server)
      }),
      { numRuns: countCases(1_000) },
    ))
})

test('« Précédent » goes back along the path, page by page, to the first', () =>
  fc.assert(
    fc.property(versionsWithReplies(), ({ snapshot, replies }) => {
      const context = createRunContext(snapshot)
      const { run, shown } = walk(context, replies)
      const back: number[] = []
      for (let at = run; at.page_index > 0; ) {
        at = nextRun(context, at, { kind: 'go', page_index: at.page_index - 1 })
        back.unshift(at.page_index)
      }
      assert.deepEqual(
        back,
        shown.filter((index) => index !== run.page_index),
      )
    }),
  ))
