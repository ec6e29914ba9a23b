import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

type Changes = Omit<Parameters<Client['drafts']['save']>[0]['body'], 'based_on'>

/** Returns the changes that add one part to a quiz; `rank` is the number of the part. */
type CreatePart = (rank: number, result_ids: string[]) => Changes

/** Letter of two bytes in UTF-8. */
const LETTER = 'é'
/** Puts a rank before a text without making it longer, because equal texts are parsed only once. */
const putRankBefore = (rank: number, text: string): string =>
  `${rank.toString(36)} ${text}`.slice(0, text.length)
/** Number of items of one page; a quiz can have 100 pages. */
const ITEMS_PER_PAGE = 6
const pageOf = (rank: number): number => Math.min(100, Math.floor(rank / ITEMS_PER_PAGE) + 1)

const createQuestion = (
  rank: number,
  nb_answers: number,
  { text = 'Choix', result_ids = [] as string[], nb_letters = 10 } = {},
): Changes => {
  const id = randomUUID()
  const answers = Array.from({ length: nb_answers }, (_, position) => ({
    id: randomUUID(),
    question_id: id,
    text: putRankBefore(rank * nb_answers + position, LETTER.repeat(nb_letters)),
    position,
  }))
  return {
    questions: [
      { id, type: 'multiple_choice', text, page_number: pageOf(rank), global_position: rank },
    ],
    answers,
    associations: answers.flatMap((answer) =>
      result_ids.map((result_id) => ({
        answer_id: answer.id,
        result_id,
        weight: 1,
        is_checked: true,
      })),
    ),
  }
}

const createBlock = (rank: number, content: string): Changes => ({
  text_blocks: [
    { id: randomUUID(), content, page_number: pageOf(rank), global_position: 1_000 + rank },
  ],
})

/** Kinds of parts with which a quiz grows. Each part is within the limits of its kind. */
export const GROWTH_KINDS: Record<string, CreatePart> = {
  questions: (rank, result_ids) =>
    createQuestion(rank, 2, { result_ids: result_ids.slice(0, 1), nb_letters: 1 }),
  'long questions': (rank, result_ids) =>
    createQuestion(rank, 2, {
      text: putRankBefore(rank, LETTER.repeat(1_000)),
      result_ids: result_ids.slice(0, 1),
      nb_letters: 500,
    }),
  answers: (rank, result_ids) =>
    createQuestion(rank, 100, { result_ids: result_ids.slice(0, 1), nb_letters: 500 }),
  'short answers': (rank, result_ids) =>
    createQuestion(rank, 100, { result_ids: result_ids.slice(0, 1), nb_letters: 1 }),
  links: (rank, result_ids) => createQuestion(rank, 10, { result_ids }),
  'long texts': (rank) => createBlock(rank, putRankBefore(rank, LETTER.repeat(5_000))),
  lists: (rank) => createBlock(rank, `- ${rank}\n${'- a\n'.repeat(497)}`),
  marks: (rank) => createBlock(rank, `**${rank}** ${'**a** '.repeat(239)}`),
  insertions: (rank) => createBlock(rank, `${rank} ${'{{p}}'.repeat(998)}`),
}

/** Quiz that has grown, with the number of added parts and its revision. */
export type GrownQuiz = SampleQuiz & { nb_parts: number; revision: number }

const NB_RESULTS = 100
const FIRST_BATCH = 64

const mergeChanges = (parts: Changes[]): Changes => {
  const all = <K extends keyof Changes>(key: K) =>
    parts.flatMap((part) => (part[key] as unknown[] | undefined) ?? [])
  return {
    questions: all('questions'),
    answers: all('answers'),
    associations: all('associations'),
    text_blocks: all('text_blocks'),
  } as Changes
}

/** Creates a quiz by profiles with 100 results, and adds parts until the product refuses one more part. */
export const growQuiz = async (client: Client, createPart: CreatePart): Promise<GrownQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Le plus grand', type: 'quiz' } })
  const { id } = quiz
  const result_ids = Array.from({ length: NB_RESULTS }, () => randomUUID())
  const question_id = randomUUID()
  const open_id = randomUUID()
  const answer_ids = [randomUUID(), randomUUID()]
  let { revision } = await client.drafts.get({ id })
  const save = async (changes: Changes): Promise<void> => {
    const saved = await client.drafts.save({ id, body: { ...changes, based_on: revision } })
    revision = saved.revision
  }
  await save({
    quiz_mode: 'profils',
    results: result_ids.map((result_id, rank) => ({
      id: result_id,
      name: `Profil ${rank}`,
      description: 'Bravo.',
      priority_order: rank,
    })),
    questions: [
      { id: question_id, type: 'multiple_choice', text: 'Votre agenda ?', global_position: 0 },
      { id: open_id, type: 'textarea', text: 'Et vous ?', label: 'p', global_position: 1 },
    ],
    answers: answer_ids.map((answer_id, position) => ({
      id: answer_id,
      question_id,
      text: 'Oui',
      position,
    })),
    associations: answer_ids.map((answer_id) => ({
      answer_id,
      result_id: result_ids[0] ?? '',
      weight: 1,
      is_checked: true,
    })),
  })
  let nb_parts = 0
  for (let batch = FIRST_BATCH; batch >= 1; ) {
    const parts = Array.from({ length: batch }, (_, at) => createPart(nb_parts + at, result_ids))
    try {
      await save(mergeChanges(parts))
      nb_parts += batch
    } catch {
      // The product refused the parts because of a limit of the body or of the quiz.
      batch = Math.floor(batch / 2)
    }
  }
  return { id, question_id, open_id, answer_ids, result_ids, nb_parts, revision }
}
