import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Job } from '#server/heavy-work/job-limits.ts'
import { findPerson } from '#server/statistics/participants/find-person.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createViewReader } from './read-view.ts'

const app = await createTestApp()
after(() => app.close())
const { client, user_id: creator_id } = await app.signUp()
const quiz = await publishedScoreQuiz(client)

/** Scheduler that runs each job at once and records it. */
const recordJobs = () => {
  const jobs: Pick<Job, 'kind' | 'owner'>[] = []
  const run = <T>({ kind, owner }: Job, task: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    jobs.push({ kind, owner })
    return task(new AbortController().signal)
  }
  return { jobs, run }
}
const TURN = [{ kind: 'figures', owner: creator_id }]

test('the statistics of a quiz with many answered versions are read in the turn of their creator', async () => {
  const heavyReads = { run: () => assert.fail('no count was asked for') }
  const readVersions = async () => {
    const { jobs, run } = recordJobs()
    const readView = createViewReader({ db: app.db, heavyReads, heavyWork: { run } } as never)
    const asked = { quiz_id: quiz.id, creator_id, filters: {} }
    return {
      jobs,
      nb_versions: await readView(
        asked,
        async (_db, { answeredVersions }) => answeredVersions.length,
      ),
    }
  }
  assert.deepEqual(await readVersions(), { jobs: [], nb_versions: 0 })
  await app.pool.query(
    `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions, nb_responses)
     select quiz_id, rank, snapshot, image_ids, choice_questions, text_questions, 1
     from quiz_versions, generate_series(2, 13) as rank where quiz_id = $1 and version = 1`,
    [quiz.id],
  )
  assert.deepEqual(await readVersions(), { jobs: TURN, nb_versions: 12 })
})

test('the search for a person is made in the turn of the creator', async () => {
  const { jobs, run } = recordJobs()
  const person = { creator_id, email: 'ada@exemple.fr' }
  const deps = { db: app.db, heavyWork: { run } }
  const { responses } = await findPerson(deps, person, new AbortController().signal)
  assert.deepEqual({ responses, jobs }, { responses: [], jobs: TURN })
})
