import type { computeDimensionOdds } from '#domain/odds/dimension-odds.ts'
import { JUMP_TO_END } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { ScoredQuiz } from '#domain/run/scoring.ts'

/** Properties of a measured quiz. */
export type Kind = {
  name: string
  quiz_mode: 'score' | 'profils'
  nb_questions: number
  nb_answers: number
  nb_results: number
  /** Maximum number of chosen answers; null means any number. */
  max_choices?: number | null
  /** True if some answers jump over the next page. */
  has_jumps?: boolean
}

/** Measured quizzes. */
export const KINDS: Kind[] = [
  {
    name: '30 questions, 6 profiles',
    quiz_mode: 'profils',
    nb_questions: 30,
    nb_answers: 4,
    nb_results: 6,
  },
  {
    name: '12 questions, score',
    quiz_mode: 'score',
    nb_questions: 12,
    nb_answers: 4,
    nb_results: 3,
  },
  {
    name: '12 questions, 4 profiles',
    quiz_mode: 'profils',
    nb_questions: 12,
    nb_answers: 4,
    nb_results: 4,
  },
  {
    name: '30 questions, 6 profiles, branching',
    quiz_mode: 'profils',
    nb_questions: 30,
    nb_answers: 4,
    nb_results: 6,
    has_jumps: true,
  },
  {
    name: '20 questions, score, branching',
    quiz_mode: 'score',
    nb_questions: 20,
    nb_answers: 4,
    nb_results: 4,
    has_jumps: true,
  },
  {
    name: '20 questions of 20 answers, any number',
    quiz_mode: 'profils',
    nb_questions: 20,
    nb_answers: 20,
    nb_results: 6,
    max_choices: null,
  },
  {
    name: '20 questions of 20 answers, 5 at most',
    quiz_mode: 'profils',
    nb_questions: 20,
    nb_answers: 20,
    nb_results: 6,
    max_choices: 5,
  },
  {
    name: '300 questions of 6 answers, 6 profiles',
    quiz_mode: 'profils',
    nb_questions: 300,
    nb_answers: 6,
    nb_results: 6,
  },
]

/** Properties of a measured quiz with dimensions. Each question has a page of its own. */
export type DimensionKind = {
  name: string
  /** Number of pages after the question to which the answer of this rank leads; null for an answer without a jump. */
  jumpOf: (question: number, rank: number) => number | null
  nb_answers?: number
  max_choices?: number | null
  /** True if each dimension has consecutive questions; otherwise the dimensions take turns. */
  is_clustered?: boolean
}

/** Measured quizzes of 30 questions in 8 dimensions. */
export const DIMENSION_KINDS: DimensionKind[] = [
  { name: 'no jumps', jumpOf: () => null },
  { name: 'a jump of two pages on every question', jumpOf: (_, rank) => (rank === 0 ? 2 : null) },
  {
    name: 'a jump on every question, 2 to 8 pages',
    jumpOf: (question, rank) => (rank === 0 ? 2 + anyOf(7, question, rank, 9) : null),
  },
  {
    name: 'a jump on every answer, 1 to 28 pages',
    jumpOf: (question, rank) => 1 + anyOf(28, question, rank, 9),
  },
  {
    name: 'a jump on every answer, 1 to 8 pages, dimensions one after the other',
    jumpOf: (question, rank) => 1 + anyOf(8, question, rank, 9),
    is_clustered: true,
  },
  {
    name: 'a jump on every question, any number of 8 answers',
    nb_answers: 8,
    max_choices: null,
    jumpOf: (question, rank) => (rank === 0 ? 2 + anyOf(7, question, rank, 9) : null),
  },
  {
    name: 'a jump on every answer, any number of 10 answers',
    nb_answers: 10,
    max_choices: null,
    jumpOf: (question, rank) => 1 + anyOf(12, question, rank, 9),
  },
]

const idOf = (kind: string, ...ranks: number[]): string => `${kind}${ranks.join('.')}`

/** Returns a pseudo-random integer from 0 to `count` - 1 that depends only on `ranks`. */
const anyOf = (count: number, ...ranks: number[]): number =>
  ranks.reduce((mixed, rank) => (Math.imul(mixed ^ rank, 0x9e_37_79_b1) >>> 7) + rank, 20_26) %
  count

const answerOf = (kind: Kind, question: number, rank: number, page: number): SnapshotAnswer => {
  const first = anyOf(kind.nb_results, question, rank, 1)
  const second = anyOf(kind.nb_results, question, rank, 2)
  const links = first === second ? [first] : [first, second]
  const isLinked = kind.quiz_mode === 'profils'
  return {
    id: idOf('a', question, rank),
    text: 'Réponse',
    position: rank,
    score: isLinked ? null : rank,
    ...(kind.has_jumps && rank === 0 && question % 4 === 1 && { jump_to: page + 2 }),
    associations: isLinked
      ? links.map((of) => ({
          result_id: idOf('r', of),
          is_checked: true,
          weight: 1 + anyOf(2, question, rank, of),
        }))
      : [],
  }
}

/** Creates the quiz of a kind, identical on each call. */
export const quizOf = (kind: Kind): ScoredQuiz => ({
  quiz: {
    name: kind.name,
    type: 'quiz',
    status: 'Brouillon',
    bg_color: null,
    text_color: null,
    accent_color: null,
    button_color: null,
    button_text_color: null,
  },
  quiz_mode: kind.quiz_mode,
  questions: Array.from({ length: kind.nb_questions }, (_, position): SnapshotQuestion => {
    const page_number = Math.floor(position / 2) + 1
    return {
      id: idOf('q', position),
      text: 'Question',
      type: 'multiple_choice',
      position,
      global_position: position,
      page_number,
      ...(kind.max_choices !== undefined && { max_choices: kind.max_choices }),
      answers: Array.from({ length: kind.nb_answers }, (_, rank) =>
        answerOf(kind, position, rank, page_number),
      ),
    }
  }),
  results: Array.from({ length: kind.nb_results }, (_, rank) => ({
    id: idOf('r', rank),
    name: `Résultat ${rank + 1}`,
    description: null,
    priority_order: rank,
    min_score: rank * 12,
    max_score: rank * 12 + 11,
  })),
})

const NB_DIMENSIONS = 8
const NB_DIMENSION_QUESTIONS = 30

/** Creates the quiz of a kind with dimensions, identical on each call. */
export const dimensionQuizOf = ({
  jumpOf,
  nb_answers = 5,
  max_choices = 1,
  is_clustered = false,
}: DimensionKind): Parameters<typeof computeDimensionOdds>[0] => ({
  questions: Array.from({ length: NB_DIMENSION_QUESTIONS }, (_, position): SnapshotQuestion => {
    const rank = is_clustered
      ? Math.floor((position * NB_DIMENSIONS) / NB_DIMENSION_QUESTIONS)
      : position % NB_DIMENSIONS
    return {
      id: idOf('q', position),
      text: 'Question',
      type: 'multiple_choice',
      position,
      global_position: position,
      page_number: position + 1,
      dimension_id: idOf('d', rank),
      max_choices,
      answers: Array.from({ length: nb_answers }, (_, at): SnapshotAnswer => {
        const distance = jumpOf(position, at)
        const to = position + 1 + (distance ?? 0)
        return {
          id: idOf('a', position, at),
          text: 'Réponse',
          position: at,
          associations: [],
          score: anyOf(11, position, at, 5),
          ...(distance !== null && { jump_to: to > NB_DIMENSION_QUESTIONS ? JUMP_TO_END : to }),
        }
      }),
    }
  }),
  dimensions: Array.from({ length: NB_DIMENSIONS }, (_, rank) => ({
    id: idOf('d', rank),
    name: `Domaine ${rank + 1}`,
    description: null,
    tiers: [0, 34, 67].map((from_percent, at) => ({
      id: idOf('t', rank, at),
      title: `Palier ${at + 1}`,
      text: null,
      from_percent,
      to_percent: [33, 66, 100][at] ?? 100,
    })),
  })),
})
