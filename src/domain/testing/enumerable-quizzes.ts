import fc from 'fast-check'
import type { LikelihoodsByQuestion } from '#domain/odds/run-sums.ts'
import { DIMENSION_RULE, type SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type {
  SnapshotAnswer,
  SnapshotQuestion,
  SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import type { Likelihoods } from '#domain/run/choice-weights.ts'
import { maxChoicesOf, OTHER, scaleOf } from '#domain/run/replies.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'

/** Random quizzes with so few possible runs that tests can list every run. */

const QUIZ: ScoredQuiz['quiz'] = {
  name: 'Quel rythme ?',
  type: 'quiz',
  status: 'Brouillon',
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
}

const tiers = fc.array(
  fc.record({
    from: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 6 }),
    width: fc.option(fc.integer({ min: -1, max: 6 }), { freq: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
)

const answer = fc.record({
  score: fc.integer({ min: -2, max: 4 }),
  links: fc.array(
    fc.record({ rank: fc.nat({ max: 3 }), weight: fc.nat({ max: 3 }), is_checked: fc.boolean() }),
    { maxLength: 2 },
  ),
  jump: fc.option(fc.nat({ max: 5 }), { nil: undefined, freq: 3 }),
  is_correct: fc.boolean(),
})

const question = fc.record({
  kind: fc.constantFrom('one', 'several', 'scale', 'text'),
  answers: fc.array(answer, { minLength: 1, maxLength: 3 }),
  is_required: fc.boolean(),
  has_other: fc.boolean(),
  max_choices: fc.constantFrom(2, null),
  counts_in_score: fc.boolean(),
  turns_page: fc.boolean(),
  all_or_nothing: fc.boolean(),
})
type QuestionSpec = typeof question extends fc.Arbitrary<infer One> ? One : never

const answerOf = (
  { score, links, jump, is_correct }: QuestionSpec['answers'][number],
  id: string,
  position: number,
): SnapshotAnswer => ({
  id,
  text: 'A',
  score,
  position,
  ...(jump !== undefined && { jump_to: jump }),
  ...(is_correct && { is_correct }),
  associations: [...new Map(links.map((link) => [link.rank, link])).values()].map(
    ({ rank, weight, is_checked }) => ({ result_id: `r${rank}`, weight, is_checked }),
  ),
})

const questionOf = (
  spec: QuestionSpec,
  position: number,
  page_number: number,
): SnapshotQuestion => {
  const id = `q${position}`
  const place = { position, global_position: position, page_number }
  const common = {
    id,
    text: `Q${position}`,
    ...place,
    ...(!spec.is_required && { is_required: false }),
  }
  if (spec.kind === 'text') return { ...common, type: 'text', answers: [] }
  if (spec.kind === 'scale') {
    const { counts_in_score } = spec
    return { ...common, type: 'scale', scale_max: 5, counts_in_score, answers: [] }
  }
  return {
    ...common,
    type: 'multiple_choice',
    ...(spec.has_other && { has_other: true }),
    ...(spec.kind === 'several' && { max_choices: spec.max_choices }),
    ...(spec.kind === 'several' &&
      spec.all_or_nothing &&
      spec.answers.some(({ is_correct }) => is_correct) && { all_or_nothing: true }),
    answers: spec.answers.map((given, rank) => answerOf(given, `${id}a${rank}`, rank)),
  }
}

/** Small quizzes by score and by profiles, with every kind of question and every tie rule. */
export const enumerableQuizzes: fc.Arbitrary<ScoredQuiz> = fc
  .record({
    quiz_mode: fc.constantFrom('score' as const, 'profils' as const),
    tie_rule: fc.constantFrom('priority' as const, 'question' as const, 'both' as const),
    settling: fc.nat({ max: 3 }),
    tiers,
    questions: fc.array(question, { minLength: 1, maxLength: 4 }),
  })
  .map(({ quiz_mode, tie_rule, settling, tiers, questions }) => {
    let page_number = 1
    return {
      quiz: {
        ...QUIZ,
        ...(tie_rule !== 'priority' && { tie_rule }),
        ...(tie_rule === 'question' && { tie_question_id: `q${settling}` }),
      },
      quiz_mode,
      results: tiers.map(
        ({ from, width }, rank): SnapshotResult => ({
          id: `r${rank}`,
          name: `R${rank}`,
          description: null,
          priority_order: rank,
          min_score: quiz_mode === 'score' ? from : null,
          max_score: quiz_mode === 'score' && width !== null ? (from ?? 0) + width : null,
        }),
      ),
      questions: questions.map((spec, position) => {
        if (spec.turns_page && position > 0) page_number++
        return questionOf(spec, position, page_number)
      }),
    }
  })

const dimension_tiers = fc.array(
  fc.record({
    from_percent: fc.integer({ min: 0, max: 80 }),
    width: fc.integer({ min: 0, max: 60 }),
  }),
  { maxLength: 3 },
)

/** Small quizzes by score with one to three dimensions, whose tiers may overlap or leave gaps. */
export const enumerableDimensions: fc.Arbitrary<
  ScoredQuiz & { dimensions: SnapshotDimension[]; dimension_rule?: number }
> = fc
  .record({
    quiz: enumerableQuizzes,
    tiers: fc.array(dimension_tiers, { minLength: 1, maxLength: 3 }),
    assigned: fc.array(fc.option(fc.nat({ max: 2 }), { freq: 5 }), { minLength: 4, maxLength: 4 }),
  })
  .map(({ quiz, tiers, assigned }) => ({
    ...quiz,
    quiz_mode: 'score' as const,
    dimension_rule: DIMENSION_RULE,
    questions: quiz.questions.map((question, rank) =>
      typeof assigned[rank] === 'number' && question.type !== 'text'
        ? { ...question, dimension_id: `d${assigned[rank]}` }
        : question,
    ),
    dimensions: tiers.map((of, rank) => ({
      id: `d${rank}`,
      name: `D${rank}`,
      description: null,
      tiers: of.map(({ from_percent, width }, index) => ({
        id: `d${rank}t${index}`,
        from_percent,
        to_percent: Math.min(100, from_percent + width),
        title: `T${index}`,
        text: null,
      })),
    })),
  }))

/** Likelihoods for some questions of these quizzes; some replies have likelihood 0. */
export const randomLikelihoods: fc.Arbitrary<LikelihoodsByQuestion> = fc
  .array(
    fc.record({
      replies: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 }),
      blank: fc.nat({ max: 2 }),
    }),
    { maxLength: 4 },
  )
  .map((all) => new Map(all.map((likelihoods, rank) => [`q${rank}`, likelihoods])))

const setsOf = (ranks: readonly number[], max: number): number[][] =>
  ranks
    .reduce<number[][]>((sets, rank) => sets.concat(sets.map((set) => [...set, rank])), [[]])
    .filter(({ length }) => length > 0 && length <= max)

type WeightedReply = { parts: string[]; weight: number }

/**
 * Returns the possible replies to a question with their weights. A reply is a list of parts, empty if the question is
 * left blank.
 */
const repliesTo = (
  question: SnapshotQuestion,
  likelihoods: Likelihoods | undefined,
): WeightedReply[] => {
  if (question.type === 'text') return [{ parts: ['Texte'], weight: 1 }]
  const { from, to } = scaleOf(question)
  const parts = isChoice(question)
    ? [...question.answers.map(({ id }) => id), ...(question.has_other ? [`${OTHER}Texte`] : [])]
    : Array.from({ length: to - from + 1 }, (_, rank) => `${from + rank}`)
  const sets = setsOf([...parts.keys()], isChoice(question) ? maxChoicesOf(question) : 1)
  if (question.is_required === false) sets.push([])
  const weightOf = (set: readonly number[]): number => {
    if (!likelihoods) return 1
    if (set.length === 0) return likelihoods.blank
    return set.reduce((product, rank) => product * (likelihoods.replies[rank] ?? 0), 1)
  }
  const all = sets.map((set) => ({
    parts: set.map((rank) => parts[rank] ?? ''),
    weight: weightOf(set),
  }))
  return all.some(({ weight }) => weight > 0) ? all : repliesTo(question, undefined)
}

/** Replies of a possible run with their probability. */
export type Run = { replies: Replies; share: number }

/**
 * Returns all runs with their probabilities, in which skipped questions have no influence. Null if there are more
 * than 2,000.
 */
export const listRuns = (
  { questions }: Pick<ScoredQuiz, 'questions'>,
  given: LikelihoodsByQuestion = new Map(),
): Run[] | null => {
  const all = questions.map((question) => ({
    question,
    of: repliesTo(question, given.get(question.id)),
  }))
  if (all.reduce((product, { of }) => product * of.length, 1) > 2_000) return null
  return all.reduce<Run[]>(
    (runs, { question, of }) => {
      const sum = of.reduce((total, { weight }) => total + weight, 0)
      return runs.flatMap(({ replies, share }) =>
        of.map(({ parts, weight }) => ({
          replies: parts.length === 0 ? replies : { ...replies, [question.id]: parts },
          share: (share * weight) / sum,
        })),
      )
    },
    [{ replies: {}, share: 1 }],
  )
}
