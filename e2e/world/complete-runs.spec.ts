import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import {
  expectCompleteEnd,
  expectCompleteReplies,
  takeCompleteQuiz,
} from '../support/complete-run.ts'
import { expect } from '../support/fixtures.ts'
import { quizIn, test } from '../support/host-site.ts'
import { openInSurrounding, VISITOR_SURROUNDINGS } from '../support/visitor-surroundings.ts'

/** Runs through everything that visitors see, once in each surrounding of docs/world.md. */

test.use({ creatorIs: 'away' })

for (const [name, surrounding] of Object.entries(VISITOR_SURROUNDINGS))
  test(`a run meets every part of a quiz: ${name}`, async ({ creator, browser }) => {
    const id = await publishCompleteQuiz(creator.client)
    const { page, errors } = await openInSurrounding(browser, surrounding, `/q/${id}`)
    await takeCompleteQuiz(page)
    await expectCompleteEnd(page)
    await expectCompleteReplies(creator.client, { id })
    expect(errors).toEqual([])
    await page.context().close()
  })

const SANDBOXES = ['allow-scripts', 'allow-scripts allow-same-origin allow-forms allow-popups']

test('a run meets every part of a quiz: in the frame of another site, in each sandbox', async ({
  visitor,
  creator,
  site,
}) => {
  const id = await publishCompleteQuiz(creator.client)
  const code = site.codeOf(id)
  for (const [rank, sandbox] of ['', ...SANDBOXES].entries())
    await test.step(sandbox || 'none', async () => {
      await site.show(
        visitor,
        sandbox ? code.replace('<iframe', `<iframe sandbox="${sandbox}"`) : code,
      )
      await takeCompleteQuiz(quizIn(visitor))
      await expectCompleteEnd(quizIn(visitor))
      await expectCompleteReplies(creator.client, { id, nb_participants: rank + 1 })
    })
})
