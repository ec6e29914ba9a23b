import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { copyIn } from '#server/backup/backup-format.ts'
import { quarterOf } from '#server/db/counter-families.ts'
import { pastUuid } from '#server/testing/quizzes/past-uuid.ts'

const CHOICES = 8
const ANSWERS = 4
const DAYS = 90

/** Creates and publishes a score quiz with eight choices, an email and a number. */
export const makeQuiz = async (client: Client): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Mesure', type: 'quiz' } })
  const { id } = quiz
  const [low, high] = [randomUUID(), randomUUID()]
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'Bas' },
        { id: high, name: 'Haut' },
      ],
    },
  })
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        ...Array.from({ length: CHOICES }, (_, question) => ({
          text: `Question ${question}`,
          type: 'multiple_choice' as const,
          answers: Array.from({ length: ANSWERS }, (_, score) => ({
            text: `Réponse ${score}`,
            score,
          })),
        })),
        { text: 'Votre email', type: 'email' },
        { text: 'Votre âge', type: 'number' },
      ],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 11 },
        [high]: { min_score: 12, max_score: 24 },
      },
    },
  })
  await client.quizzes.publish({ id })
  return id
}

function* lines(quiz_id: string, size: number): Generator<string> {
  const end = Date.now()
  for (let rank = 0; rank < size; rank++) {
    const choices = Array.from({ length: CHOICES }, (_, place) =>
      // The last answer of the last question is rare: one in ten thousand participants chooses it.
      place === CHOICES - 1 ? rareAnswer(rank) : (rank * (place + 3) + (rank >> 5)) % ANSWERS,
    )
    const score = choices.reduce((sum, choice) => sum + choice, 0)
    const email = `prenom.nom${rank}@exemple${rank % 1_000}.fr`
    const at = new Date(end - (rank / size) * DAYS * 86_400_000).toISOString()
    const texts = `{"${email}","${18 + (rank % 70)}"}`
    yield `${[quiz_id, pastUuid(Date.parse(at)), 1, at, email, score > 11 ? 1 : 0, score, `{${choices}}`, texts, 20 + (rank % 600)].join('\t')}\n`
  }
}

const rareAnswer = (rank: number): number =>
  rank % 10_000 === 0 ? ANSWERS - 1 : rank % (ANSWERS - 1)

const FILL = [
  'update quiz_versions set nb_responses = $2 where quiz_id = $1',
  `insert into choice_counts
    select quiz_id, version, question_position, answer, count from (
      select quiz_id, version, rank, answer, count(*) from responses
      cross join lateral unnest(choices) with ordinality as choice(answer, rank)
      where quiz_id = $1 and $2 > 0 group by 1, 2, 3, 4
    ) as rank_counts join version_questions using (quiz_id, version, rank) where is_choice`,
  `insert into text_counts
    select quiz_id, question_id, sha256(convert_to(text, 'UTF8')), text, sum(count) from (
      select quiz_id, version, rank, text, count(*) from responses
      cross join lateral unnest(texts) with ordinality as reply(text, rank)
      where quiz_id = $1 and $2 > 0 group by 1, 2, 3, 4
    ) as rank_counts join version_questions using (quiz_id, version, rank) where not is_choice
    group by 1, 2, 3, 4`,
  `insert into result_counts select quiz_id, version, result_position, count(*)
    from responses where quiz_id = $1 and $2 > 0 group by 1, 2, 3`,
  `insert into score_counts select quiz_id, score, count(*)
    from responses where quiz_id = $1 and $2 > 0 group by 1, 2`,
  `insert into quarter_counts
    select quiz_id, version, ${quarterOf('created_at')}, count(*)
    from responses where quiz_id = $1 and $2 > 0 group by 1, 2, 3`,
  `insert into duration_counts select quiz_id, least(elapsed_seconds, 7200), count(*)
    from responses where quiz_id = $1 and $2 > 0 group by 1, 2`,
]

/** Yields the rows in blocks. */
async function* blocks(quiz_id: string, size: number): AsyncGenerator<Buffer> {
  let block = ''
  for (const line of lines(quiz_id, size)) {
    block += line
    if (block.length < BLOCK_LENGTH) continue
    yield Buffer.from(block)
    block = ''
  }
  yield Buffer.from(block)
}
const BLOCK_LENGTH = 65_536

/** Copies participants into the tables, then computes their counters. */
export const fill = async (
  client: pg.Client,
  { quiz_id, size }: { quiz_id: string; size: number },
): Promise<void> => {
  await copyIn(
    client,
    'copy responses (quiz_id, participant_uuid, version, created_at, email, result_position, score, choices, texts, elapsed_seconds) from stdin',
    blocks(quiz_id, size),
  )
  for (const statement of FILL) await client.query(statement, [quiz_id, size])
}
