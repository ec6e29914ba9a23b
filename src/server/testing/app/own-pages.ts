import assert from 'node:assert/strict'
import type { Client } from '#contract/client/client.ts'
import type { PageFormAction } from '#domain/participant-pages/page-state.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { TestApp } from './test-app.ts'

/** Secret of the runs that tests submit. */
export const RUN_SECRET = 'secret-of-a-run-in-a-test'

/** Switches the pages of participants on or off. */
export const keepPages = (
  client: Client,
  { id }: Pick<SampleQuiz, 'id'>,
  setting: { keeps_page?: boolean; page_erases_contacts?: boolean } = { keeps_page: true },
) => client.quizzes.update({ id, body: setting })

/** Creates helpers that open the page of a participant and post its forms, as a browser without scripts does. */
export const createOwnPages = ({ client, raw }: Pick<TestApp, 'client' | 'raw'>) => {
  const open = (url: string) => raw({ method: 'GET', url })
  const post = (
    url: string,
    action: PageFormAction | string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) =>
    raw({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ action, ...fields }).toString(),
    })
  /** Submits a response and returns the path of the participant's page. Fails if the answer has no path. */
  const submit = async (quiz: SampleQuiz, email: string, rank = 0) => {
    const answers = { [quiz.question_id]: quiz.answer_ids[rank] ?? '', [quiz.open_id]: email }
    const { participant_uuid, documents } = await client.publicQuiz.submit({
      id: quiz.id,
      body: { answers, run_secret: RUN_SECRET },
    })
    assert.ok(documents?.own_page)
    return { participant_uuid, path: documents.own_page }
  }
  return { open, post, submit }
}

/** Returns the text of a page with plain spaces, without markup. */
export const wordsOf = ({ body }: { body: string }): string =>
  body
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll(/\s+/g, ' ')
