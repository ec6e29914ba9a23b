import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type ReplayInput, replayParticipants } from '#server/version-tasks/replay-participants.ts'
import { createReplayDraft } from './replay-draft.ts'

// Runs in test:all, because it replays thousands of participants.

const app = await createTestApp()
after(() => app.close())
const { client, user_id: creator_id } = await app.signUp()

/** Publishes a quiz and stores participants with texts of this length. */
const publishAnswered = async (count: number, length: number): Promise<string> => {
  const { id } = await publishedScoreQuiz(client)
  await app.pool.query(
    `insert into responses (quiz_id, participant_uuid, version, created_at, choices, texts)
      select $1, gen_random_uuid(), 1, now() - rank * interval '1 second', '{0}', array[repeat('p', $3::integer)]
      from generate_series(1, $2::integer) as rank`,
    [id, count, length],
  )
  return id
}

/** Replays a quiz and returns the calls of threads, which run at once. */
const replay = async (quiz_id: string) => {
  const calls: { kind: string; owner: string; input: ReplayInput }[] = []
  const runInThread = async (
    { kind, owner }: { kind: string; owner: string },
    name: string,
    input: ReplayInput,
  ) => {
    assert.equal(name, 'replay_participants')
    calls.push({ kind, owner, input: structuredClone(input) })
    return replayParticipants(input)
  }
  const replayDraft = createReplayDraft({ runInThread } as unknown as Pick<
    HeavyWork,
    'runInThread'
  >)
  return { calls, result: await replayDraft(app.db, { quiz_id, creator_id }) }
}

describe('the replay of many participants', () => {
  test('participants are replayed in threads for their creator, in pieces of about 1 MB', async () => {
    const { calls, result } = await replay(await publishAnswered(1_200, 4_000))
    assert.deepEqual([result.nb_replayed, result.results?.nb_changed], [1_200, 1_200])
    const pieces = calls.map(({ input: { groups } }) => groups.flatMap(({ rows }) => rows))
    assert.equal(pieces.flat().length, 1_200)
    assert.ok(calls.every(({ kind, owner }) => kind === 'replay' && owner === creator_id))
    const sizes = pieces.map((rows) => JSON.stringify(rows).length)
    assert.ok(Math.max(...sizes) < 1_300_000, `pieces of ${sizes}`)
    assert.ok(calls.every(({ input }) => JSON.stringify(replayParticipants(input)).length < 2_000))
  })

  test('a few participants are replayed without a thread', async () => {
    const { calls, result } = await replay(await publishAnswered(3, 10))
    assert.deepEqual([calls.length, result.nb_replayed], [0, 3])
  })
})
