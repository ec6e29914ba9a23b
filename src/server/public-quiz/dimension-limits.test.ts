import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Changes } from '#domain/editing/changes.ts'
import { computeDimensionOdds } from '#domain/odds/dimension-odds.ts'
import { computeTextOdds } from '#domain/odds/text-odds.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { listRuns } from '#domain/testing/enumerable-quizzes.ts'
import { percentByHand } from '#domain/testing/percent-by-hand.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { type DimensionQuiz, publishDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'

// Runs in test:all, because its quiz has the maximum number of dimensions.

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const save = async (id: string, changes: Partial<Changes>): Promise<void> => {
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({ id, body: { based_on: revision, ...changes } })
}

/** Takes a quiz without scripts, and returns the text of the end. */
const endOf = async (id: string, version: number, fields: Record<string, string>) => {
  const url = `/q/${id}/resultat?version=${version}&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`
  const stored = await postForm(app.app, { url, fields })
  const { statusCode, body } = await app.app.inject(String(stored.headers.location))
  assert.equal(statusCode, 200)
  const [main = ''] = body.match(/<main.*<\/main>/s) ?? []
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

const KB = 1_024
const BOUNDS = [0, 20, 40, 60, 80]

/** Publishes 12 dimensions of 5 tiers with 30 questions of 4 answers. */
const publishLargest = async (): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Douze domaines', type: 'quiz' } })
  const { id } = quiz
  const [low, high] = [randomUUID(), randomUUID()]
  const results = [
    { id: low, name: 'Bilan fragile' },
    { id: high, name: 'Beau bilan' },
  ]
  await client.results.saveAll({ id, body: { results } })
  const questions = Array.from({ length: 30 }, (_, rank) => ({
    id: randomUUID(),
    text: `Question ${rank}`,
    type: 'multiple_choice' as const,
    page_number: Math.floor(rank / 3) + 1,
    answers: [0, 1, 3, 4].map((score) => ({ id: randomUUID(), text: `Réponse ${score}`, score })),
  }))
  await client.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions,
      score_thresholds: {
        [low]: { min_score: 0, max_score: 60 },
        [high]: { min_score: 61, max_score: 120 },
      },
    },
  })
  const dimensions = Array.from({ length: LIMITS.dimensions }, (_, rank) => ({
    id: randomUUID(),
    name: `Domaine ${rank}`,
    description: `Le domaine *${rank}*`,
    tiers: BOUNDS.map((from_percent, at) => ({
      id: randomUUID(),
      title: `Palier ${rank}-${at}`,
      text: `Texte ${rank}-${at}`,
      from_percent,
      to_percent: at === 4 ? 100 : from_percent + 19,
    })),
  }))
  const assigned = questions.map((question, rank) => ({
    id: question.id,
    dimension_id: dimensions[rank % LIMITS.dimensions]?.id ?? null,
  }))
  await save(id, { dimensions, questions: assigned })
  await client.quizzes.publish({ id })
  return id
}

const snapshotOf = async (id: string): Promise<Snapshot> =>
  (await client.versions.get({ id, version: '1' })).snapshot

const largest = await publishLargest()
const snapshot = await snapshotOf(largest)
const { questions, dimensions = [] } = snapshot
const runs = Array.from({ length: 6 }, (_, run) =>
  Object.fromEntries(
    questions.map((question, rank) => [
      question.id,
      question.answers[(rank * run + run) % 4]?.id ?? '',
    ]),
  ),
)
const percents = dimensions.map((dimension) =>
  runs.map((replies) => percentByHand(questions, replies, dimension.id) ?? Number.NaN),
)

describe('12 dimensions of 5 tiers with 30 questions', () => {
  test('the page stays within the limit of a hundred questions', async () => {
    const { rawPayload } = await app.app.inject({
      url: `/q/${largest}`,
      headers: { 'accept-encoding': 'br' },
    })
    assert.ok(rawPayload.length <= 22 * KB, `${rawPayload.length} bytes`)
  })

  test('each end and the statistics have the percents and tiers of a count by hand', async () => {
    for (const [run, replies] of runs.entries()) {
      const end = await endOf(largest, 1, replies)
      for (const [rank] of dimensions.entries()) {
        const percent = percents[rank]?.[run] ?? Number.NaN
        const at = Math.min(4, Math.floor(percent / 20))
        assert.ok(end.includes(`Domaine ${rank} ${percent} % Palier ${rank}-${at} `), end)
        assert.ok(end.includes(`Texte ${rank}-${at} `))
      }
    }
    const { figures } = await client.statistics.responses({ id: largest, figures: '1' })
    assert.deepEqual(
      figures?.dimensions.map(({ mean, tiers }) => [mean, tiers.map(({ count }) => count)]),
      percents.map((all) => [
        all.reduce((sum, percent) => sum + percent, 0) / all.length,
        BOUNDS.map(
          (from) => all.filter((percent) => Math.min(80, percent - (percent % 20)) === from).length,
        ),
      ]),
    )
  })

  test('the odds are exact, and equal to a count run by run', () => {
    const odds = computeDimensionOdds(snapshot)
    for (const { id: dimension_id, is_exact, tiers } of odds) {
      assert.ok(is_exact)
      const own = questions.filter((question) => question.dimension_id === dimension_id)
      const all = listRuns({ questions: own }) ?? []
      for (const { from_percent, to_percent, probability } of tiers) {
        const share = all.reduce((sum, { replies, share }) => {
          const percent = percentByHand(own, replies, dimension_id) ?? Number.NaN
          return percent >= from_percent && percent <= to_percent ? sum + share : sum
        }, 0)
        assert.ok(all.length > 0 && Math.abs(share - probability) < 1e-12)
      }
    }
  })
})

type Conditions = Changes['text_variants'][number]['conditions']
const variantOf = (text: string, conditions: Conditions) => ({
  id: randomUUID(),
  place: 'every_result' as const,
  text,
  conditions,
})

describe('a publication is refused in French', () => {
  const reasonsAfter = async (
    edit: (quiz: DimensionQuiz) => Partial<Changes>,
  ): Promise<string[] | undefined> => {
    const quiz = await publishDimensionQuiz(client)
    await save(quiz.id, edit(quiz))
    return (await refusalOf(client.quizzes.publish({ id: quiz.id }))).validation_errors
  }
  const tierOf = (id: string, from_percent: number, to_percent: number, title: string) => ({
    id,
    from_percent,
    to_percent,
    title,
    text: null,
  })
  const textOf = (conditions: Conditions) => ({ text_variants: [variantOf('Bravo', conditions)] })
  const cases: [string, (quiz: DimensionQuiz) => Partial<Changes>, string[]][] = [
    [
      'a dimension without questions',
      ({ way }) => ({ questions: [{ id: way, dimension_id: null }] }),
      ['La dimension « Santé » n’a aucune question'],
    ],
    [
      'a dimension with a range of 0',
      ({ on, past, out, way }) => ({
        answers: [on, past, out].map((id) => ({ id, question_id: way, score: 1 })),
      }),
      [
        'Les réponses aux questions de la dimension « Santé » donnent toutes le même nombre de points',
      ],
    ],
    [
      'a dimension whose questions are always skipped',
      ({ on, past, out, way }) => ({
        answers: [on, past, out].map((id) => ({ id, question_id: way, jump_to: 0 })),
      }),
      ['Les questions de la dimension « Argent » ne sont jamais atteintes'],
    ],
    [
      'tiers that overlap and leave a gap',
      ({ health, weak, strong }) => ({
        dimensions: [
          { id: health, tiers: [tierOf(weak, 0, 60, 'Faible'), tierOf(strong, 60, 90, 'Forte')] },
        ],
      }),
      [
        'Les paliers « Faible » et « Forte » de la dimension « Santé » contiennent tous deux 60 %',
        'Aucun palier de la dimension « Santé » ne contient 91 à 100 %',
      ],
    ],
    [
      'a condition on a deleted answer',
      ({ several, a }) => ({
        removed: [a],
        ...textOf([{ kind: 'answer_chosen', question_id: several, answer_id: a }]),
      }),
      [
        'Le texte conditionnel « Bravo » : la condition porte sur une réponse supprimée : choisissez-en une autre',
      ],
    ],
    [
      'a condition on a dimension without tiers',
      ({ health, weak }) => ({
        dimensions: [{ id: health, tiers: [] }],
        ...textOf([{ kind: 'dimension_tier', dimension_id: health, tier_id: weak }]),
      }),
      [
        'Le texte conditionnel « Bravo » : la condition porte sur une dimension sans palier : ajoutez-lui des paliers, ou changez la condition',
      ],
    ],
    [
      'an insertion of a dimension that does not exist',
      ({ result }) => ({ results: [{ id: result, description: '{{dimension Amis}}' }] }),
      [
        'La description du résultat « Roue fragile » : {{dimension Amis}} ne correspond à aucune dimension',
      ],
    ],
  ]
  for (const [name, edit, reasons] of cases)
    test(`for ${name}`, async () => assert.deepEqual(await reasonsAfter(edit), reasons))
})

test('the insertion of a hidden dimension is blank, and a condition on a page that was not reached is false', async () => {
  const quiz = await publishDimensionQuiz(client)
  const { id, result, high, money, rich, scale, way } = quiz
  const description = 'Argent ({{dimension Argent}}), faible ({{point faible}}).'
  await save(id, {
    results: [result, high].map((id) => ({ id, description })),
    text_variants: [
      variantOf('Page atteinte', [{ kind: 'scale_at_least', question_id: scale, number: 1 }]),
      variantOf('Palier atteint', [{ kind: 'dimension_tier', dimension_id: money, tier_id: rich }]),
    ],
  })
  await client.quizzes.publish({ id })
  const seen = await endOf(id, 2, { [way]: quiz.past, [scale]: '4' })
  assert.match(seen, /Argent \(75\s%\), faible \(Santé\)\./)
  assert.match(seen, /Page atteinte.*Palier atteint/)
  const hidden = await endOf(id, 2, { [way]: quiz.out, [scale]: '4' })
  // Brackets around a blank insertion disappear with it.
  assert.match(hidden, /Argent, faible\./)
  assert.doesNotMatch(hidden, /atteint/)
})

test('200 conditional texts are published, the 201st is refused, and an end shows exactly the texts whose conditions hold', async () => {
  const quiz = await publishDimensionQuiz(client)
  const { id, way, past, out, scale } = quiz
  const variants = Array.from({ length: LIMITS.text_variants }, (_, rank) =>
    variantOf(`Texte ${rank}.`, [
      rank % 2 === 0
        ? { kind: 'answer_chosen' as const, question_id: way, answer_id: past }
        : { kind: 'scale_at_least' as const, question_id: scale, number: 1 + (rank % 5) },
    ]),
  )
  await save(id, { text_variants: variants })
  const [variant] = variants
  assert.ok(variant)
  const refusal = await refusalOf(save(id, { text_variants: [{ ...variant, id: randomUUID() }] }))
  assert.match(refusal.message, /200 textes conditionnels au plus/)
  await client.quizzes.publish({ id })
  const shownIn = (end: string): number[] =>
    [...end.matchAll(/Texte (\d+)\./g)].map(([, rank]) => Number(rank))
  const ranks = [...variants.keys()]
  assert.deepEqual(
    shownIn(await endOf(id, 2, { [way]: past, [scale]: '3' })),
    ranks.filter((rank) => rank % 2 === 0 || 1 + (rank % 5) <= 3),
  )
  assert.deepEqual(shownIn(await endOf(id, 2, { [way]: out })), [])
  const { snapshot } = await client.versions.get({ id, version: '2' })
  const odds = computeTextOdds(snapshot)
  assert.equal(odds.length, LIMITS.text_variants)
  for (const [rank, { probability, is_exact }] of odds.entries()) {
    assert.ok(is_exact)
    // Two of three ways reach the scale, whose five numbers and the blank reply are equally likely.
    const expected = rank % 2 === 0 ? 1 / 3 : (2 / 3) * ((5 - (rank % 5)) / 6)
    assert.ok(Math.abs(probability - expected) < 1e-12, `${rank}: ${probability}`)
  }
})
