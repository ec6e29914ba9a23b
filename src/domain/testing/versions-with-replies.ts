import fc from 'fast-check'
import {
  MAX_OTHER_TEXT_LENGTH,
  QUESTION_TYPES,
  QUIZ_MODES,
  QUIZ_TYPES,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  TIE_RULES,
} from '#domain/common/vocabulary.ts'
import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import {
  type Snapshot,
  type SnapshotQuestion,
  takeSnapshot,
} from '#domain/questionnaire/snapshot.ts'
import { canChooseSeveral, maxChoicesOf, OTHER, scaleOf } from '#domain/run/replies.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf, textBlockOf } from './drafts.ts'

/** Random versions with every kind of question, and random replies to them. */

const NB_RESULTS = 3
const uuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const answers = fc.array(
  fc.record({
    score: fc.option(fc.integer({ min: -5, max: 9 })),
    // Some jumps lead back, to their own page, to no page or beyond the last. Every run ends nevertheless.
    jump_to: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.integer({ min: -1, max: 6 })),
    weights: fc.array(fc.nat(3), { maxLength: NB_RESULTS }),
  }),
  { minLength: 1, maxLength: 4 },
)

const questions = fc.record({
  type: fc.oneof(fc.constant('multiple_choice' as const), fc.constantFrom(...QUESTION_TYPES)),
  isOnNextPage: fc.boolean(),
  hasTextBefore: fc.boolean(),
  options: fc.record({
    is_required: fc.boolean(),
    max_choices: fc.constantFrom(1, 1, 2, 3, null),
    has_other: fc.boolean(),
    shuffles_answers: fc.boolean(),
    scale_min: fc.constantFrom(...SCALE_MINIMA),
    scale_max: fc.constantFrom(...SCALE_MAXIMA),
    counts_in_score: fc.boolean(),
  }),
  answers,
})
type QuestionSpec = typeof questions extends fc.Arbitrary<infer One> ? One : never

/** Removes the options of a question that the specification does not have. */
const reduceToSpecification = (asked: QuestionSpec): QuestionSpec => ({
  ...asked,
  type: asked.type === 'scale' || asked.type === 'date' ? 'text' : asked.type,
  options: { ...asked.options, is_required: true, max_choices: 1, has_other: false },
  answers: asked.answers.map((answer) => ({ ...answer, jump_to: null })),
})

/** Maximum number of questions. `is_plain` limits questions to the features of the specification. */
type SnapshotOptions = { max_questions?: number; is_plain?: boolean }

/** Random versions with questions of every type on several pages, with jumps. Ids are UUIDs. */
export const randomSnapshots = ({
  max_questions = 7,
  is_plain = false,
}: SnapshotOptions = {}): fc.Arbitrary<Snapshot> =>
  fc
    .record({
      type: fc.constantFrom(...QUIZ_TYPES, 'quiz' as const),
      shows_detail: fc.boolean(),
      quiz_mode: fc.constantFrom(null, ...QUIZ_MODES),
      tie_rule: fc.constantFrom(...TIE_RULES),
      tied: fc.nat(6),
      asked: fc.array(questions, { minLength: 1, maxLength: max_questions }),
    })
    .map(({ type, shows_detail, quiz_mode, tie_rule, tied, asked: drawn }) => {
      const asked = is_plain ? drawn.map(reduceToSpecification) : drawn
      let id = 0
      let page_number = 1
      let global_position = 0
      const results = Array.from({ length: NB_RESULTS }, (_, rank) =>
        resultOf(uuid(++id), {
          min_score: rank * 6,
          max_score: rank * 6 + 5,
          priority_order: rank,
        }),
      )
      const draft = draftOf({ quiz: quizOf({ type, shows_detail }), quiz_mode, results })
      for (const [position, spec] of asked.entries()) {
        if (spec.isOnNextPage && position > 0) page_number++
        const block = { page_number, content: 'Et puis.' }
        if (spec.hasTextBefore)
          draft.text_blocks.push(
            textBlockOf(uuid(++id), { ...block, global_position: global_position++ }),
          )
        draft.questions.push(
          questionOf(uuid(++id), {
            position,
            page_number,
            global_position: global_position++,
            type: spec.type,
            ...spec.options,
            answers: spec.answers.map(({ score, jump_to, weights }) =>
              answerOf(uuid(++id), {
                score,
                jump_to,
                counts_for: Object.fromEntries(
                  weights.map((weight, rank) => [results[rank]?.id, weight]),
                ),
              }),
            ),
          }),
        )
      }
      const tie_question_id = draft.questions[tied]?.id ?? null
      if (!is_plain) Object.assign(draft.quiz, { tie_rule, tie_question_id })
      return takeSnapshot(draft)
    })

/** Returns a random whole number from 0 to `count` - 1. */
type Draw = (count: number) => number

const DAYS = ['2026-02-28', '2024-02-29', '1999-12-31', '0001-01-01']
const TEXTS = ['Lyon', ' à moi ', 'a,b', 'other:', 'l’été\n', '0']

const chosenOf = (question: SnapshotQuestion, draw: Draw): Reply => {
  const left = question.answers.map(({ id }) => id)
  if (question.has_other) left.push(`${OTHER}${TEXTS[draw(TEXTS.length)]}`)
  const count = 1 + draw(maxChoicesOf(question))
  const parts = Array.from({ length: count }, () => left.splice(draw(left.length), 1)).flat()
  return parts.length > 1 || (canChooseSeveral(question) && draw(3) === 0)
    ? parts
    : (parts[0] ?? '')
}

/** Returns a valid reply, as the fields of a question send it. */
const fittingReply = (question: SnapshotQuestion, draw: Draw): Reply => {
  if (isChoice(question)) return chosenOf(question, draw)
  const { from, to } = scaleOf(question)
  if (question.type === 'scale') return `${from + draw(to - from + 1)}`
  return (question.type === 'date' ? DAYS : TEXTS)[draw(4)] ?? ''
}

/** Returns a reply that is invalid for most questions, or blank. */
const strangeReply = ({ answers }: SnapshotQuestion, draw: Draw): Reply => {
  const ids = answers.map(({ id }) => id)
  const [first = 'x'] = ids
  const strange: Reply[] = [
    '',
    ' \t',
    [],
    ['', ' '],
    `${OTHER}  `,
    `${OTHER}${'x'.repeat(MAX_OTHER_TEXT_LENGTH + 1)}`,
    [first, first],
    [`${OTHER}a`, `${OTHER}b`],
    [first],
    [first, `${OTHER} `],
    [...ids, `${OTHER}tout`],
    ['2026-02-28', '5'],
    'inconnue',
    '11',
    '-1',
    '05',
    '2026-02-31',
  ]
  return strange[draw(strange.length)] ?? ''
}

type TwoReplies = { replies: Replies; others: Replies }

const repliesTo = ({ questions }: Snapshot, draw: Draw, strangeness: number): Replies => {
  const replies: [string, Reply][] = []
  for (const question of questions) {
    if (draw(100) < strangeness) replies.push([question.id, strangeReply(question, draw)])
    else if (question.is_required !== false || draw(3) > 0)
      replies.push([question.id, fittingReply(question, draw)])
  }
  return Object.fromEntries(replies)
}

/** Random versions, each with two sets of replies. `strangeness` is the percentage of invalid replies. */
export const versionsWithReplies = ({
  strangeness = 0,
  ...kind
}: SnapshotOptions & { strangeness?: number } = {}): fc.Arbitrary<
  { snapshot: Snapshot } & TwoReplies
> =>
  fc.tuple(randomSnapshots(kind), fc.infiniteStream(fc.nat(2 ** 30))).map(([snapshot, stream]) => {
    const draw: Draw = (count) => (stream.next().value ?? 0) % Math.max(1, count)
    return {
      snapshot,
      replies: repliesTo(snapshot, draw, strangeness),
      others: repliesTo(snapshot, draw, strangeness),
    }
  })
