import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { QuizTies, Replies } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type Snapshot, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import {
  computeResult,
  PREVIEW_RULES,
  PUBLIC_RULES,
  profileTotals,
  shownResults,
  tiedResults,
} from './scoring.ts'

const results = ['A', 'B', 'C'].map((name, priority_order) => resultOf(name, { priority_order }))

/** Creates a multiple-choice question on its own page. Its answers `pa`, `pb` and `pc`, for id `p`, count for A, B and C. */
const choiceOf = (id: string, page_number: number) =>
  questionOf(id, {
    page_number,
    position: page_number - 1,
    global_position: page_number - 1,
    is_required: false,
    max_choices: null,
    answers: results.map(({ name }) =>
      answerOf(`${id}${name.toLowerCase()}`, { counts_for: { [name]: 1 } }),
    ),
  })

/** Makes three such questions, p, q and r; `pj` counts for A and jumps past q. */
const versionWith = (ties: Partial<QuizTies>): Snapshot => {
  const [first, ...others] = [choiceOf('p', 1), choiceOf('q', 2), choiceOf('r', 3)]
  assert.ok(first)
  const leading = answerOf('pj', { counts_for: { A: 1 }, jump_to: 3, position: 3 })
  const questions = [{ ...first, answers: [...first.answers, leading] }, ...others]
  return takeSnapshot(draftOf({ quiz_mode: 'profils', results, questions, quiz: quizOf(ties) }))
}
const namesOf = (snapshot: Snapshot, replies: Replies, rules = PUBLIC_RULES): string =>
  shownResults(snapshot, replies, rules)
    .map(({ name }) => name)
    .join(' ')

const ORDER = { tie_rule: 'priority' } as const
const BOTH = { tie_rule: 'both' } as const
const askedBy = (tie_question_id: string) => ({ tie_rule: 'question', tie_question_id }) as const

describe('tied results', () => {
  const cases: [string, Partial<QuizTies>, Replies, string][] = [
    ['the first result in the order is shown', ORDER, { p: 'pb', q: 'qa' }, 'A'],
    ['the answer to the tie question selects the result', askedBy('q'), { p: 'pa', q: 'qb' }, 'B'],
    [
      'the answer to the tie question may select the first result',
      askedBy('q'),
      { p: 'pb', q: 'qa' },
      'A',
    ],
    [
      'without an answer to the tie question, the order decides',
      askedBy('r'),
      { p: 'pb', q: 'qa' },
      'A',
    ],
    [
      'if the answer selects no tied result, the order decides',
      askedBy('q'),
      { p: ['pb', 'pc'], q: 'qa', r: ['rb', 'rc'] },
      'B',
    ],
    [
      'if the answers select several tied results, the first one is shown',
      askedBy('q'),
      { p: 'pa', q: ['qc', 'qb'] },
      'B',
    ],
    ['a skipped tie question selects no result', askedBy('q'), { p: 'pj', q: 'qb', r: 'rb' }, 'A'],
    [
      'the result with more points wins, whatever the answer',
      askedBy('r'),
      { p: 'pa', q: 'qa', r: 'rb' },
      'A',
    ],
    ['both results are shown, the first one first', BOTH, { p: 'pb', q: 'qa' }, 'A B'],
    ['all three tied results are shown', BOTH, { p: 'pc', q: 'qb', r: 'ra' }, 'A B C'],
    ['a single highest result is shown alone', BOTH, { p: 'pb', q: 'qb', r: 'ra' }, 'B'],
  ]
  for (const [name, ties, replies, expected] of cases)
    test(name, () => {
      assert.equal(namesOf(versionWith(ties), replies), expected)
      assert.equal(namesOf(versionWith(ties), replies, PREVIEW_RULES), expected)
    })

  test('without a match, the public page shows the first result and the preview shows none', () => {
    for (const ties of [ORDER, askedBy('q'), BOTH]) {
      assert.equal(namesOf(versionWith(ties), {}), 'A')
      assert.equal(namesOf(versionWith(ties), {}, PREVIEW_RULES), '')
    }
  })
})

describe('a tie question that decides nothing', () => {
  const version = versionWith(askedBy('q'))
  const replies = { p: ['pa', 'pb'], q: 'qc' }
  test('the tie question decides if it is associated with a tied result', () =>
    assert.equal(namesOf(version, replies), 'C'))
  const cases: [string, Partial<Snapshot>][] = [
    [
      'the tie question was deleted',
      { questions: version.questions.filter(({ id }) => id !== 'q') },
    ],
    ['no tie question is named', { quiz: { ...version.quiz, tie_question_id: undefined } }],
    [
      'the tie question offers no answers',
      {
        questions: version.questions.map((question) =>
          question.id === 'q' ? { ...question, type: 'text' as const } : question,
        ),
      },
    ],
  ]
  for (const [name, more] of cases)
    test(`the order of results decides if the tie question decides nothing: ${name}`, () =>
      assert.equal(namesOf({ ...version, ...more }, replies), 'A'))

  test('an association that is not ticked selects no tied result', () => {
    const questions = version.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({
        ...answer,
        associations: answer.associations.map((link) => ({
          ...link,
          is_checked: question.id !== 'q',
        })),
      })),
    }))
    assert.equal(namesOf({ ...version, questions }, { p: ['pa', 'pb'], q: 'qb' }), 'A')
  })
})

describe('tie rules in other modes', () => {
  const tiers = results.map((result) => ({ ...result, min_score: 0, max_score: 9 }))
  test('a tie rule applies only by profiles: by score the first of two tiers wins, and a sondage has no result', () => {
    const version = { ...versionWith(BOTH), results: tiers }
    assert.equal(namesOf({ ...version, quiz_mode: 'score' }, { p: 'pb' }), 'A')
    assert.equal(namesOf({ ...version, quiz_mode: null }, { p: 'pb' }), 'A')
    const quiz = { ...version.quiz, type: 'sondage' as const }
    assert.equal(namesOf({ ...version, quiz }, { p: 'pb' }), '')
  })
})

describe('the tie rule of a version', () => {
  const frozen = (ties: Partial<QuizTies>, more: Parameters<typeof draftOf>[0] = {}) => {
    const quiz = quizOf({ ...ties, ...more.quiz })
    const questions = [choiceOf('q', 1), questionOf('blank', { text: ' ' })]
    const draft = draftOf({ quiz_mode: 'profils', questions, results, ...more, quiz })
    const fields = Object.entries(takeSnapshot(draft).quiz)
    return Object.fromEntries(fields.filter(([name]) => name.startsWith('tie_')))
  }
  const none = {}
  const cases: [string, object, object][] = [
    ['the order of results is the default', frozen(ORDER), none],
    ['the order of results contains no question', frozen({ ...askedBy('q'), ...ORDER }), none],
    ['a tie question is contained', frozen(askedBy('q')), askedBy('q')],
    ['a tie question that visitors do not see is left out', frozen(askedBy('blank')), none],
    ['a rule without its tie question is left out', frozen({ tie_rule: 'question' }), none],
    ['the rule both has no question', frozen({ ...askedBy('q'), ...BOTH }), BOTH],
    ['the rule is left out by score', frozen(BOTH, { quiz_mode: 'score' }), none],
    ['the rule is left out without a mode', frozen(BOTH, { quiz_mode: null }), none],
    [
      'the rule is left out in a sondage',
      frozen(BOTH, { quiz: quizOf({ ...BOTH, type: 'sondage' }) }),
      none,
    ],
  ]
  for (const [name, found, expected] of cases)
    test(`a version contains the tie rule only if it applies: ${name}`, () =>
      assert.deepEqual(found, expected))
})

describe('ties of any questionnaire and replies', () => {
  const ruled = (snapshot: Snapshot, ties: Partial<QuizTies>): Snapshot => {
    const { tie_rule: _, tie_question_id: __, ...quiz } = snapshot.quiz
    return { ...snapshot, quiz: { ...quiz, ...ties } }
  }
  const taken = versionsWithReplies({ strangeness: 5 })

  test('the order of results gives the first with the highest total, or the fallback', () =>
    fc.assert(
      fc.property(taken, ({ snapshot, replies }) => {
        const version = ruled({ ...snapshot, quiz_mode: 'profils' }, {})
        const totals = profileTotals(version, replies)
        const [first] = inResultOrder(version.results)
          .filter(({ id }) => totals.has(id))
          .sort((a, b) => (totals.get(b.id) ?? 0) - (totals.get(a.id) ?? 0))
        const expected = version.quiz.type === 'sondage' ? null : (first ?? null)
        assert.equal(computeResult(version, replies, PREVIEW_RULES), expected)
        const fallback = version.quiz.type === 'sondage' ? null : version.results[0]
        assert.equal(computeResult(version, replies, PUBLIC_RULES), expected ?? fallback)
      }),
    ))

  test('the tie question gives a tied result, and without a tie it changes nothing', () =>
    fc.assert(
      fc.property(taken, fc.nat(7), ({ snapshot, replies }, rank) => {
        const tie_question_id = snapshot.questions[rank]?.id ?? 'gone'
        const version = ruled(snapshot, { tie_rule: 'question', tie_question_id })
        const given = computeResult(version, replies, PUBLIC_RULES)
        const equals = tiedResults(version, replies)
        if (equals.length > 1) assert.ok(equals.some((result) => result === given))
        else assert.equal(given, computeResult(ruled(snapshot, {}), replies, PUBLIC_RULES))
      }),
    ))

  test('the shown results begin with the given result, and the rule both shows all tied results in order', () =>
    fc.assert(
      fc.property(taken, ({ snapshot, replies }) => {
        for (const rules of [PUBLIC_RULES, PREVIEW_RULES]) {
          const given = computeResult(snapshot, replies, rules)
          const shown = shownResults(snapshot, replies, rules)
          assert.equal(shown[0] ?? null, given)
          if (snapshot.quiz.tie_rule !== 'both') assert.equal(shown.length, given ? 1 : 0)
          const both = ruled(snapshot, BOTH)
          const equals = tiedResults(both, replies)
          if (equals.length > 0) assert.deepEqual(shownResults(both, replies, rules), equals)
        }
      }),
    ))
})
