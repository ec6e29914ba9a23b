import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { MAX_SHOWN_MS, visitInBrowser } from '../runner/browser.ts'
import { abbreviate, createSceneAttacks, openQuizScene } from '../runner/scene-attacks.ts'

/** Attacks through the storage of the browser, from which a run is continued. */

/** Returns the storage keys of a run, a pending submission, a run in a frame, and the steps of a run without scripts. */
const storageKeys = (quiz_id: string): string[] => [
  'quizaine:run',
  `quizaine:pending:${quiz_id}`,
  `quizaine:run:${quiz_id}`,
  `quizaine:steps:${quiz_id}`,
]

/** Returns stored runs that no release of the product has written. */
const poisonedRuns = (quiz: SampleQuiz, other: SampleQuiz): unknown[] => {
  const run = { participant_uuid: quiz.id, quiz_id: quiz.id, page_index: 0, version: 1 }
  const answers = { [quiz.question_id]: quiz.answer_ids[0] }
  const typed = { ...answers, [quiz.open_id]: '<img src=x onerror=alert(1)>' }
  return [
    null,
    5,
    'x',
    [],
    {},
    { ...run, replies: null },
    { ...run, replies: typed },
    { ...run, replies: { [quiz.question_id]: { length: 1 } } },
    { ...run, replies: { __proto__: ['x'], constructor: ['x'] } },
    { ...run, replies: answers, page_index: 1e15 },
    { ...run, replies: answers, page_index: -7 },
    { ...run, replies: answers, version: 'x', is_finished: true, result: null },
    { ...run, replies: answers, is_finished: true, result: 5, detail: 'x' },
    { ...run, replies: answers, is_finished: true, result: { id: 'x' }, detail: [] },
    { ...run, replies: answers, is_finished: true, documents: 'x', refusal: 5, submission: 7 },
    {
      ...run,
      replies: answers,
      is_finished: true,
      documents: { report: 'javascript:alert(1)', certificate: 'javascript:alert(1)' },
    },
    { ...run, quiz_id: other.id, replies: { [other.open_id]: 'autre@exemple.fr' } },
    { ...run, replies: answers, used_at: 'x', path: 'x', visited: { a: 1 } },
    { quiz_id: quiz.id, submission: 5 },
    { quiz_id: 5, submission: { participant_uuid: {}, answers: 'x' } },
    { quiz_id: '../../login', submission: { participant_uuid: '../x', answers: {} } },
    { ...run, replies: answers, redirect_url: 'javascript:alert(1)', redirected: {} },
  ]
}

/** Attacks on the saved run of a visitor. */
export const storedRuns = createSceneAttacks(openQuizScene, [
  [
    'a poisoned storage breaks the page, runs a script or shows the replies to another quiz',
    (scene) =>
      visitInBrowser(async ({ page, errors }) => {
        const { origin, quiz, client } = scene
        const other = await publishedScoreQuiz(client)
        const successes: string[] = []
        for (const run of poisonedRuns(quiz, other)) {
          await page.goto(`${origin}/q/${quiz.id}`)
          await page.evaluate(
            ({ stored, keys }) => {
              for (const storage of [sessionStorage, localStorage]) {
                storage.clear()
                for (const key of keys) storage.setItem(key, JSON.stringify(stored))
              }
            },
            { stored: run, keys: storageKeys(quiz.id) },
          )
          await page.reload()
          const isShown = await page
            .locator('h1, h2, legend')
            .first()
            .waitFor({ timeout: MAX_SHOWN_MS })
            .then(
              () => true,
              () => false,
            )
          if (!isShown) successes.push(`${abbreviate(run)}: a blank page`)
          const harm = await page.evaluate(() => {
            const { body } = document
            if (body.querySelector('a[href^="javascript:"]')) return 'a link runs a script'
            if (body.querySelector('img[src="x"]')) return 'a kept text is markup'
            const fields = Array.from(body.querySelectorAll('input'), ({ value }) => value)
            const shown = `${body.textContent} ${fields.join(' ')}`
            return shown.includes('autre@') ? 'a reply to another quiz' : undefined
          })
          if (harm) successes.push(`${abbreviate(run)}: ${harm}`)
        }
        return [...successes, ...errors]
      }),
  ],
])
