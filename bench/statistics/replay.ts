import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Client } from '#contract/client/client.ts'
import { publishSizedQuiz } from '#server/testing/quizzes/sized-quiz.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, timeOf } from './timing.ts'

const QUESTIONS = 30
/** Numbers of dimensions of the measured quizzes. */
const DIMENSIONS = [0, 8]
const PARTICIPANTS = 20_000
const RUNS = 5
const NS_PER_MS = 1e6
const US_PER_MS = 1e3

/** SQL that inserts participants of the newest version with random answers and random percents of $3 dimensions. */
const FILL = `
insert into responses (
  quiz_id, participant_uuid, version, created_at, result_position, choices, texts, dimension_percents)
select quiz_id, gen_random_uuid(), version, now() - rank * interval '1 minute', rank % 3,
  array(select floor(random() * 4 + 0 * rank)::smallint from generate_subscripts(choice_questions, 1)),
  array(select 'Un mot ' || rank from generate_subscripts(text_questions, 1)),
  case when $3::integer > 0 then
    array(select floor(random() * 101 + 0 * rank)::smallint from generate_series(1, $3::integer)) end
from quiz_versions, generate_series(1, $2::integer) as rank
where quiz_id = $1 and version = (select max(version) from quiz_versions where quiz_id = $1)`

/** Publishes a version with dimensions of three tiers, whose questions take turns. The draft then has other bounds. */
const addDimensions = async (client: Client, id: string, count: number): Promise<void> => {
  const ids = Array.from({ length: count }, () => [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ])
  const save = async (bound: number, rows: object = {}): Promise<void> => {
    const { revision } = await client.drafts.get({ id })
    const dimensions = ids.map(([own = '', ...tier_ids], rank) => ({
      id: own,
      name: `Domaine ${rank + 1}`,
      tiers: tier_ids.map((tier_id, at) => ({
        id: tier_id,
        title: `Palier ${at + 1}`,
        text: null,
        from_percent: at === 0 ? 0 : bound * at + 1,
        to_percent: at === 2 ? 100 : bound * (at + 1),
      })),
    }))
    await client.drafts.save({ id, body: { based_on: revision, dimensions, ...rows } })
  }
  const { questions } = await client.questions.list({ id })
  const assigned = questions
    .filter(({ type }) => type === 'multiple_choice')
    .map((question, rank) => ({ id: question.id, dimension_id: ids[rank % count]?.[0] ?? null }))
  await save(33, { questions: assigned })
  await client.quizzes.publish({ id })
  await save(40)
}

/** Measures the largest possible replay of a quiz of 30 questions, and how long it blocks the event loop. */
export const measureReplay = async (server: MeasuredServer): Promise<void> => {
  for (const nb_dimensions of DIMENSIONS) await measureQuiz(server, nb_dimensions)
}

const measureQuiz = async (
  { client, session }: MeasuredServer,
  nb_dimensions: number,
): Promise<void> => {
  const id = await publishSizedQuiz(client, QUESTIONS)
  if (nb_dimensions > 0) await addDimensions(client, id, nb_dimensions)
  await session.query(FILL, [id, PARTICIPANTS, nb_dimensions])
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
      `replay of ${PARTICIPANTS} participants, ${QUESTIONS} questions, ${nb_dimensions} dimensions: ${formatMs(took)}, ${formatMs((user + system) / US_PER_MS)} of processor time; the event loop stood still for ${formatMs(loop.max / NS_PER_MS)} at most, p99 ${formatMs(loop.percentile(99) / NS_PER_MS)}`,
    )
  }
  // Kept data must not contain its participants, because no counter has them.
  await client.quizzes.remove({ id, permanently: '1' })
}
