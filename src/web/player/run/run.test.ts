import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { type PlayerRules, PREVIEW_RULES, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { sampleSnapshot } from '#web/player/testing/sample-snapshot.ts'
import { resumeRun } from './resume-run.ts'
import {
  firstPageIndex,
  NEW_RUN,
  nextPageIndex,
  nextRun,
  type Run,
  type RunContext,
  type RunEvent,
} from './run.ts'

const createRunContext = (rules: PlayerRules, snapshot = sampleSnapshot()): RunContext => ({
  snapshot,
  pages: groupIntoPages(snapshot),
  rules,
})
const play = (context: RunContext, ...events: RunEvent[]): Run =>
  events.reduce((run, event) => nextRun(context, run, event), NEW_RUN)
const reply = (id: string, text: string): RunEvent => ({ kind: 'reply', replies: { [id]: text } })
const next: RunEvent = { kind: 'next' }
const go = (page_index: number): RunEvent => ({ kind: 'go', page_index })

const WHOLE_RUN = [
  reply('choix', 'choix-1'),
  next,
  reply('texte', 'Camille'),
  next,
  reply('email', 'camille@exemple.fr'),
  next,
]

test('on the public page every blank question stops the run', () => {
  const context = createRunContext(PUBLIC_RULES)
  assert.equal(play(context, next).page_index, 0)
  assert.equal(play(context, reply('choix', 'choix-1'), next).page_index, 1)
  assert.equal(play(context, reply('choix', 'choix-1'), next, next).page_index, 1)
  assert.equal(
    play(context, reply('choix', 'choix-1'), next, reply('texte', '  '), next).page_index,
    1,
  )
})

test('in the preview only a blank multiple-choice question stops the run', () => {
  const context = createRunContext(PREVIEW_RULES)
  assert.equal(play(context, next).page_index, 0)
  const run = play(context, reply('choix', 'choix-0'), next, next, next)
  assert.equal(run.is_finished, true)
  assert.equal(run.result?.name, 'Bas')
})

test('a run of a quiz that shows ties keeps the tied results at its end', () => {
  const { quiz, questions, results } = sampleSnapshot()
  const tied = sampleSnapshot({
    quiz: { ...quiz, tie_rule: 'both' },
    quiz_mode: 'profils',
    questions: questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: results.map(({ id }) => ({ result_id: id, weight: 1, is_checked: true })),
      })),
    })),
  })
  const context = createRunContext(PUBLIC_RULES, tied)
  const run = play(context, ...WHOLE_RUN)
  assert.deepEqual([run.result?.name, run.ties?.map(({ name }) => name)], ['Bas', ['Haut']])
  assert.deepEqual(resumeRun(context, run), run)
})

test('the last page leads to the result of the replies', () => {
  const run = play(createRunContext(PUBLIC_RULES), ...WHOLE_RUN)
  assert.equal(run.is_finished, true)
  assert.equal(run.result?.name, 'Haut')
})

test('a sondage ends without a result', () => {
  const { quiz } = sampleSnapshot()
  const sondage = sampleSnapshot({ quiz: { ...quiz, type: 'sondage' } })
  const run = play(createRunContext(PUBLIC_RULES, sondage), ...WHOLE_RUN)
  assert.equal(run.is_finished, true)
  assert.equal(run.result, null)
})

test('going back in a run keeps the replies and stops at the first page', () => {
  const run = play(createRunContext(PUBLIC_RULES), reply('choix', 'choix-1'), next, go(0), go(-1))
  assert.equal(run.page_index, 0)
  assert.deepEqual(run.replies, { choix: 'choix-1' })
})

test('a run returns the same object after an event without effect', () => {
  const context = createRunContext(PUBLIC_RULES)
  assert.equal(nextRun(context, NEW_RUN, reply('texte', '')), NEW_RUN)
  assert.equal(nextRun(context, NEW_RUN, go(-1)), NEW_RUN)
  const finished = play(context, ...WHOLE_RUN)
  assert.equal(nextRun(context, finished, next), finished)
  assert.equal(nextRun(context, finished, reply('texte', 'autre')), finished)
})

test('a run does not go past a page that lacks an answer', () => {
  const context = createRunContext(PUBLIC_RULES)
  assert.equal(play(context, go(2)).page_index, 0)
  assert.equal(play(context, reply('choix', 'choix-1'), go(2)).page_index, 1)
})

test('the pages of a finished run can be read again up to its end, and do not change', () => {
  const context = createRunContext(PUBLIC_RULES)
  const finished = play(context, ...WHOLE_RUN)
  assert.equal(finished.page_index, 3)
  const reread = nextRun(context, finished, go(1))
  assert.deepEqual(reread, { ...finished, page_index: 1 })
  assert.equal(nextRun(context, reread, reply('texte', 'autre')), reread)
  assert.deepEqual(play(context, ...WHOLE_RUN, go(1), next, next), finished)
  assert.equal(nextRun(context, finished, go(9)), finished)
})

test('a saved run continues on its page', () => {
  const replies = { choix: 'choix-1', texte: 'Cam' }
  const run = resumeRun(createRunContext(PUBLIC_RULES), { ...NEW_RUN, page_index: 1, replies })
  assert.deepEqual(run, { ...NEW_RUN, page_index: 1, replies })
})

test('a saved run is never past a page that lacks an answer, nor past the last page', () => {
  const context = createRunContext(PUBLIC_RULES)
  const at = (page_index: number, replies: Run['replies']): number =>
    resumeRun(context, { ...NEW_RUN, page_index, replies }).page_index
  assert.equal(at(2, {}), 0)
  assert.equal(at(2, { choix: 'choix-1' }), 1)
  assert.equal(at(99, { choix: 'choix-1', texte: 'a', email: 'b' }), 2)
  assert.equal(at(-5, { choix: 'choix-1' }), 0)
})

test('a saved run drops the replies to questions that no longer exist', () => {
  const replies = { choix: 'effacé', texte: 'Camille', inconnue: 'x' }
  const run = resumeRun(createRunContext(PUBLIC_RULES), { ...NEW_RUN, page_index: 2, replies })
  assert.deepEqual(run, { ...NEW_RUN, replies: { texte: 'Camille' } })
})

test('a saved finished run shows the same result, even if the questionnaire has changed', () => {
  const context = createRunContext(PUBLIC_RULES)
  const finished = play(context, ...WHOLE_RUN)
  assert.deepEqual(resumeRun(context, finished), finished)
  const { email: _, ...replies } = finished.replies
  assert.deepEqual(resumeRun(context, { ...finished, replies }), { ...finished, replies })
})

test('a saved run of a questionnaire without pages resumes at index 0', () => {
  const empty = createRunContext(PUBLIC_RULES, sampleSnapshot({ questions: [] }))
  const kept = { ...NEW_RUN, page_index: 3, replies: { a: 'b' } }
  assert.deepEqual(resumeRun(empty, kept), NEW_RUN)
})

test('a welcome screen comes before the first page, and « Précédent » leads back to it', () => {
  const { quiz } = sampleSnapshot()
  const context = createRunContext(
    PUBLIC_RULES,
    sampleSnapshot({ quiz: { ...quiz, welcome_title: 'Bonjour' } }),
  )
  assert.equal(firstPageIndex(context.snapshot), -1)
  const welcomed: Run = { ...NEW_RUN, page_index: -1 }
  const begun = nextRun(context, welcomed, next)
  assert.equal(begun.page_index, 0)
  assert.equal(nextRun(context, begun, go(-1)).page_index, -1)
  assert.equal(nextRun(context, welcomed, go(2)).page_index, 0)
  assert.equal(play(createRunContext(PUBLIC_RULES), go(-1)).page_index, 0)
})

test('the last page of a path ends the run, and « Précédent » goes back along the path', () => {
  const snapshot = sampleSnapshot()
  const [choice, ...others] = snapshot.questions
  assert.ok(choice)
  const createContextWithJump = (jump_to: number) =>
    createRunContext(
      PUBLIC_RULES,
      sampleSnapshot({
        questions: [
          { ...choice, answers: choice.answers.map((answer) => ({ ...answer, jump_to })) },
          ...others,
        ],
      }),
    )
  const ended = play(createContextWithJump(0), reply('choix', 'choix-1'), next)
  assert.deepEqual([ended.is_finished, ended.page_index, ended.result?.name], [true, 3, 'Haut'])
  const context = createContextWithJump(3)
  const chosen = play(context, reply('choix', 'choix-1'))
  assert.equal(nextPageIndex(context, chosen), 2)
  const third = nextRun(context, chosen, next)
  assert.equal(third.page_index, 2)
  assert.equal(nextRun(context, third, go(1)).page_index, 0)
  assert.equal(nextRun(context, chosen, go(1)).page_index, 2)
  const kept = { ...NEW_RUN, page_index: 1, replies: { choix: 'choix-1', texte: 'Ada' } }
  assert.equal(resumeRun(context, kept).page_index, 2)
})

test('two replies of several choices are equal if their lists are equal', () => {
  const snapshot = sampleSnapshot()
  const questions = snapshot.questions.map((question) => ({ ...question, max_choices: null }))
  const context = createRunContext(PUBLIC_RULES, sampleSnapshot({ questions }))
  const both: RunEvent = { kind: 'reply', replies: { choix: ['choix-0', 'choix-1'] } }
  const ticked = play(context, both)
  assert.deepEqual(ticked.replies, { choix: ['choix-0', 'choix-1'] })
  assert.equal(nextRun(context, ticked, both), ticked)
  const unticked = nextRun(context, ticked, reply('choix', ''))
  assert.equal(nextRun(context, unticked, next).page_index, 0)
})

test('a saved run drops replies that its fields cannot show, and keeps a list with too many choices', () => {
  const [choice] = sampleSnapshot().questions
  assert.ok(choice)
  const asked = (more: Partial<typeof choice>, choix: string | string[]) => {
    const context = createRunContext(
      PUBLIC_RULES,
      sampleSnapshot({ questions: [{ ...choice, ...more }] }),
    )
    return resumeRun(context, { ...NEW_RUN, replies: { choix } }).replies
  }
  const all = ['choix-0', 'choix-1', 'other:x']
  assert.deepEqual(asked({ max_choices: 2, has_other: true }, all), { choix: all })
  assert.deepEqual(asked({ max_choices: null }, all), {})
  assert.deepEqual(asked({}, ['choix-0']), {})
  assert.deepEqual(asked({ type: 'scale' }, '11'), {})
  assert.deepEqual(asked({ type: 'date' }, '2026-02-31'), {})
})
