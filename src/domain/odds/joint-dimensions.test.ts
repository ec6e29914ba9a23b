import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import {
  enumerableDimensions,
  listRuns,
  randomLikelihoods,
} from '#domain/testing/enumerable-quizzes.ts'
import { computeDimensionOdds } from './dimension-odds.ts'
import { computeExtremeOdds } from './joint-dimensions.ts'

type Quiz = Parameters<typeof dimensionInsertions>[0] & Parameters<typeof computeExtremeOdds>[0]

/** Adds up the probabilities of listed runs that insert nothing for the strong and the weak point. */
const countRunByRun = (quiz: Quiz, runs: ReturnType<typeof listRuns>): number =>
  (runs ?? []).reduce((sum, { replies, share }) => {
    const inserted = new Map(dimensionInsertions(quiz, replies))
    const [strong, weak] = [inserted.get('point fort'), inserted.get('point faible')]
    assert.equal(strong === '', weak === '', 'both are empty, or none')
    if (strong)
      assert.ok(!strong.split(/, | et /).some((name) => weak?.split(/, | et /).includes(name)))
    return strong === '' ? sum + share : sum
  }, 0)

test('the share of runs without a strong and a weak point equals a count run by run, with and without jumps', () => {
  let [nb_between, nb_jumps] = [0, 0]
  fc.assert(
    fc.property(
      enumerableDimensions,
      randomLikelihoods,
      fc.boolean(),
      fc.boolean(),
      (random, given, is_equal, keeps_jumps) => {
        const quiz = keeps_jumps ? random : withoutJumps(random)
        const likelihoods = is_equal ? new Map() : given
        const runs = listRuns(quiz, likelihoods)
        fc.pre(runs !== null)
        const odds = computeDimensionOdds(quiz, likelihoods)
        const found = computeExtremeOdds(quiz, odds, likelihoods)
        const expected = countRunByRun(quiz, runs)
        assert.ok(found?.is_exact)
        assert.ok(Math.abs(found.empty_probability - expected) < 1e-12, `not ${expected}`)
        if (expected > 0 && expected < 1) keeps_jumps ? nb_jumps++ : nb_between++
      },
    ),
    { numRuns: 400, seed: 7 },
  )
  assert.ok(Math.min(nb_between, nb_jumps) > 20, `${nb_between} ${nb_jumps}`)
})

const withoutJumps = <Q extends Quiz>(quiz: Q): Q => ({
  ...quiz,
  questions: quiz.questions.map((question) => ({
    ...question,
    answers: question.answers.map(({ jump_to, ...answer }) => answer),
  })),
})

test('the share is estimated within the margin if the runs are too many to enumerate', () => {
  const limits = {
    max_states: 0,
    max_operations: 0,
    max_listed_choices: 0,
    nb_simulated_runs: 20_000,
  }
  fc.assert(
    fc.property(enumerableDimensions, (quiz) => {
      const exact = computeExtremeOdds(quiz, computeDimensionOdds(quiz))
      const odds = computeDimensionOdds(quiz, new Map(), limits)
      const simulated = computeExtremeOdds(quiz, odds, new Map(), limits)
      assert.ok(exact && simulated && !simulated.is_exact && simulated.margin > 0)
      assert.ok(Math.abs(exact.empty_probability - simulated.empty_probability) < 0.02)
    }),
    { numRuns: 30, seed: 3 },
  )
})

test('twelve dimensions with three optional scales each are computed exactly in less than 150 ms', () => {
  const questions = Array.from({ length: 36 }, (_, position) => ({
    id: `q${position}`,
    text: 'Q',
    type: 'scale' as const,
    position,
    is_required: false,
    global_position: position,
    page_number: 1 + position,
    answers: [],
    scale_min: 1 as const,
    scale_max: 10 as const,
    dimension_id: `d${position % 12}`,
  }))
  const dimensions = Array.from({ length: 12 }, (_, rank) => ({
    id: `d${rank}`,
    name: `D${rank}`,
    description: null,
    tiers: [],
  }))
  const odds = computeDimensionOdds({ questions, dimensions })
  const measure = (): number => {
    const before = process.cpuUsage()
    assert.ok(computeExtremeOdds({ questions, dimensions }, odds)?.is_exact)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const fastest = Math.min(...Array.from({ length: 5 }, measure))
  assert.ok(fastest < 150, `${fastest} ms`)
})
