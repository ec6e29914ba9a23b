import { monitorEventLoopDelay } from 'node:perf_hooks'
import { publishSizedQuiz } from '#server/testing/quizzes/sized-quiz.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, timeOf } from './timing.ts'

const QUESTIONS = 30
const PARTICIPANTS = 20_000
const RUNS = 5
const NS_PER_MS = 1e6
const US_PER_MS = 1e3

/** SQL that inserts participants with random answers to each question of a version. */
const FILL = `
insert into responses (quiz_id, participant_uuid, version, created_at, result_position, choices, texts)
select quiz_id, gen_random_uuid(), version, now() - rank * interval '1 minute', rank % 3,
  array(select floor(random() * 4 + 0 * rank)::smallint from generate_subscripts(choice_questions, 1)),
  array(select 'Un mot ' || rank from generate_subscripts(text_questions, 1))
from quiz_versions, generate_series(1, $2::integer) as rank where quiz_id = $1`

/** Measures the largest possible replay of a quiz of 30 questions, and how long it blocks the event loop. */
export const measureReplay = async ({ client, session }: MeasuredServer): Promise<void> => {
  const id = await publishSizedQuiz(client, QUESTIONS)
  await session.query(FILL, [id, PARTICIPANTS])
  await session.query('update quiz_versions set nb_responses = $2 where quiz_id = $1', [
    id,
    PARTICIPANTS,
  ])
  await session.query('vacuum analyze responses')
  const { results } = await client.results.list({ id })
  for (const [rank, { id: resultId }] of results.entries())
    await client.results.update({
      resultId,
      body: { min_score: rank * 15, max_score: rank * 15 + 14 },
    })
  const loop = monitorEventLoopDelay({ resolution: 1 })
  for (let run = 0; run < RUNS; run++) {
    loop.reset()
    loop.enable()
    const before = process.cpuUsage()
    const took = await timeOf(() => client.replay.get({ id }))
    const { user, system } = process.cpuUsage(before)
    loop.disable()
    console.log(
      `replay of ${PARTICIPANTS} participants, ${QUESTIONS} questions: ${formatMs(took)}, ${formatMs((user + system) / US_PER_MS)} of processor time; the event loop stood still for ${formatMs(loop.max / NS_PER_MS)} at most, p99 ${formatMs(loop.percentile(99) / NS_PER_MS)}`,
    )
  }
}
