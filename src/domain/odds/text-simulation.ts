import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { maxChoicesOf, OTHER, scaleOf } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { createRandom, SEED } from './random.ts'

/**
 * Estimates the probability of each text from random runs, with the rule of real runs. All replies and all allowed sets
 * of answers are equally likely.
 */
export const simulateTexts = (
  snapshot: Snapshot,
  text_variants: readonly SnapshotTextVariant[],
  nb_runs: number,
): Map<string, number> => {
  const random = createRandom(SEED)
  const draws = snapshot.questions.map((question) => ({
    id: question.id,
    draw: createDraw(question, random),
  }))
  const counts = new Map(text_variants.map(({ id }) => [id, 0]))
  const simulated = { ...snapshot, text_variants: [...text_variants] }
  for (let run = 0; run < nb_runs; run++) {
    const replies: Replies = Object.fromEntries(draws.map(({ id, draw }) => [id, draw()]))
    const end = finishedRunOf(snapshot, replies, computeResult(snapshot, replies, PUBLIC_RULES))
    for (const surface of ['page', 'mail'] as const)
      for (const { id } of shownTexts(simulated, surface, end))
        counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return new Map([...counts].map(([id, count]) => [id, count / nb_runs]))
}

/** Returns a function that draws a reply to a question as a list of parts, empty for a blank reply. */
const createDraw = (question: SnapshotQuestion, random: () => number): (() => string[]) => {
  const blank = question.is_required === false ? 1 : 0
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    const count = to - from + 1
    return () => {
      const rank = Math.floor(random() * (count + blank))
      return rank < count ? [`${from + rank}`] : []
    }
  }
  if (!isChoice(question)) return () => []
  const parts = question.answers.map(({ id }) => id)
  if (question.has_other) parts.push(`${OTHER}…`)
  const weights = setWeights(parts.length, maxChoicesOf(question), blank)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return () => {
    let left = random() * total
    const size = weights.findIndex((weight) => {
      left -= weight
      return left < 0
    })
    return drawSet(parts, Math.max(0, size), random)
  }
}

/** Returns the number of sets of answers of each size, from 0. */
const setWeights = (count: number, max_size: number, blank: number): number[] => {
  const weights = [blank]
  let sets = 1
  for (let size = 1; size <= Math.min(count, max_size); size++) {
    sets = (sets * (count - size + 1)) / size
    weights.push(sets)
  }
  return weights
}

/** Draws a set of this size. */
const drawSet = (parts: readonly string[], size: number, random: () => number): string[] => {
  const left = [...parts]
  return Array.from(
    { length: size },
    () => left.splice(Math.floor(random() * left.length), 1)[0] ?? '',
  )
}
