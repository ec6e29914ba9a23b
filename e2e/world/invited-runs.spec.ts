import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import { createAccount, uniqueEmail } from '../support/accounts.ts'
import { inviteOne } from '../support/campaigns.ts'
import {
  expectCompleteEnd,
  expectCompleteReplies,
  takeCompleteQuiz,
} from '../support/complete-run.ts'
import { expect } from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { openInSurrounding, VISITOR_SURROUNDINGS } from '../support/visitor-surroundings.ts'

/** Runs of invited people through everything that visitors see, once in each surrounding of docs/world.md. */

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })
const LINK = /https?:\/\/\S+\/i\/[\w-]{22}/

for (const [name, surrounding] of Object.entries(VISITOR_SURROUNDINGS))
  test(`an invited person meets every part of a quiz: ${name}`, async ({
    origin,
    catcher,
    browser,
  }) => {
    const { client } = await createAccount(origin)
    const id = await publishCompleteQuiz(client)
    const email = uniqueEmail()
    const campaignId = await inviteOne(client, id, email)
    const [link = ''] = LINK.exec((await catcher.next(email)).text) ?? []
    const { page, errors } = await openInSurrounding(browser, surrounding, link)
    await takeCompleteQuiz(page)
    await expectCompleteEnd(page)
    await expectCompleteReplies(client, { id })
    const { people } = await client.campaigns.people({ id, campaignId })
    expect(people.map((person) => [person.email, person.state])).toEqual([[email, 'replied']])
    expect(errors).toEqual([])
    await page.context().close()
  })
