import type { FrameLocator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishReportQuiz } from '../../src/server/testing/quizzes/report-quiz.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect } from '../support/fixtures.ts'
import { answerInFrame, quizIn, test } from '../support/host-site.ts'

test.use({ creatorIs: 'away' })

const SANDBOXES = [
  'allow-scripts',
  'allow-scripts allow-forms',
  'allow-scripts allow-same-origin',
  'allow-scripts allow-forms allow-same-origin',
]
/** Sandbox of a site builder whose code element is a frame. */
const BUILDER = 'allow-scripts allow-forms allow-same-origin allow-popups'
const ELSEWHERE = 'https://exemple.fr/suite'

const inSandbox = (code: string, sandbox: string): string =>
  code.replace('<iframe', `<iframe sandbox="${sandbox}"`)
/** Returns a frame that contains the code, as site builders make for pasted code. */
const inCodeElement = (code: string, sandbox: string): string =>
  `<iframe sandbox="${sandbox}" width="700" height="900" srcdoc="${code.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`
const countParticipants = async (client: Client, id: string): Promise<number> =>
  (await client.quizzes.get({ id })).quiz.nb_responses
const refusalIn = (quiz: FrameLocator) => quiz.locator('.q-refused')

test('a reply is stored in every sandbox that allows scripts, in the page and in a code element', async ({
  visitor,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const code = site.codeOf(id)
  let stored = 0
  for (const sandbox of SANDBOXES)
    await test.step(sandbox, async () => {
      await site.show(visitor, inSandbox(code, sandbox))
      await answerInFrame(quizIn(visitor))
      await expect.poll(() => countParticipants(creator.client, id)).toBe(++stored)
      await expect(refusalIn(quizIn(visitor))).toHaveText('')
      const inner = () =>
        quizIn(visitor)
          .locator('body')
          .evaluate((body) => body.clientHeight)
      const outer = () => visitor.locator('iframe').evaluate((frame) => frame.clientHeight)
      await expect.poll(async () => (await outer()) - (await inner())).toBe(0)

      await site.show(visitor, inCodeElement(code, sandbox))
      const quiz = quizIn(visitor).frameLocator('iframe')
      await answerInFrame(quiz)
      await expect.poll(() => countParticipants(creator.client, id)).toBe(++stored)
      await expect(refusalIn(quiz)).toHaveText('')
    })
})

test('a frame without an origin reads phone numbers', { tag: '@rare' }, async ({
  visitor,
  creator,
  site,
}) => {
  const { client } = creator
  const { quiz } = await client.quizzes.create({ body: { name: 'Rappel', type: 'sondage' } })
  const questions = [{ type: 'phone' as const, text: 'Votre téléphone ?' }]
  await client.questions.saveDraft({ id: quiz.id, body: { questions } })
  await client.quizzes.publish({ id: quiz.id })
  await site.show(visitor, inSandbox(site.codeOf(quiz.id), 'allow-scripts'))
  const phone = quizIn(visitor).getByLabel('Votre téléphone ?')
  await phone.fill('06 12 34 56 78')
  await phone.blur()
  await expect(quizIn(visitor).locator('.q-reading')).toHaveText(
    'Numéro compris : +33 6 12 34 56 78',
  )
})

/** Publishes a quiz whose second result has a button, and a redirect if asked. */
const publishLeadingQuiz = async (client: Client, redirect_url: string | null): Promise<string> => {
  const { id } = await readyScoreQuiz(client)
  const { results } = await client.results.list({ id })
  for (const { id: resultId } of results)
    await client.results.update({
      resultId,
      body: { button_text: 'Réserver', button_url: ELSEWHERE, redirect_url },
    })
  await client.quizzes.publish({ id })
  return id
}

const serveElsewhere = async (page: Page): Promise<void> => {
  await page
    .context()
    .route('https://exemple.fr/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Suite</title>' }),
    )
}

test('the button of a result opens in the window, or else in a tab, or else shows its address', {
  tag: '@rare',
}, async ({ visitor, creator, site }) => {
  const id = await publishLeadingQuiz(creator.client, null)
  const code = site.codeOf(id)
  await serveElsewhere(visitor)
  const button = () => quizIn(visitor).getByRole('link', { name: 'Réserver' })
  const address = () => quizIn(visitor).locator('.q-address')
  const end = async (sandbox?: string): Promise<void> => {
    await site.show(visitor, sandbox === undefined ? code : inSandbox(code, sandbox))
    await answerInFrame(quizIn(visitor))
  }

  await test.step('without a sandbox, and with the permission to navigate, the whole window', async () => {
    for (const sandbox of [undefined, `${BUILDER} allow-top-navigation-by-user-activation`]) {
      await end(sandbox)
      await button().click()
      await visitor.waitForURL(ELSEWHERE)
    }
  })
  await test.step('in a sandbox that allows tabs, a tab', async () => {
    for (const sandbox of [BUILDER, 'allow-scripts allow-popups']) {
      await end(sandbox)
      const [tab] = await Promise.all([visitor.waitForEvent('popup'), button().click()])
      await tab.waitForURL(ELSEWHERE)
      await tab.close()
      await expect(address()).toHaveCount(0)
    }
  })
  await test.step('in a sandbox that allows neither, the address in words', async () => {
    for (const sandbox of SANDBOXES) {
      await end(sandbox)
      await button().click()
      await expect(address()).toHaveText(
        /^Cette page n’autorise pas l’ouverture du lien\. Adresse à copier\s: https:\/\/exemple\.fr\/suite$/,
      )
      await button().click()
      await expect(address()).toHaveCount(1)
    }
  })
})

test('a redirect that a frame refuses becomes a link', { tag: '@rare' }, async ({
  visitor,
  creator,
  site,
}) => {
  const id = await publishLeadingQuiz(creator.client, ELSEWHERE)
  await serveElsewhere(visitor)
  await site.show(visitor, inSandbox(site.codeOf(id), BUILDER))
  const quiz = quizIn(visitor)
  const next = quiz.getByRole('link', { name: 'Continuer vers exemple.fr' })
  await answerInFrame(quiz)
  await expect(next).toBeVisible()
  await expect(quiz.getByText('La suite s’ouvre dans un instant.')).toHaveCount(0)
  await expect(quiz.getByRole('link', { name: 'Rester sur cette page' })).toHaveCount(0)
  const opened = visitor.context().pages()
  if (opened.length === 1) {
    const [tab] = await Promise.all([visitor.waitForEvent('popup'), next.click()])
    await tab.waitForURL(ELSEWHERE)
  } else await opened[1]?.waitForURL(ELSEWHERE)
})

test('the documents and the page of a participant open in a tab, so that a course stays open', {
  tag: '@rare',
}, async ({ visitor, creator, site }) => {
  const { id } = await publishReportQuiz(creator.client)
  await creator.client.quizzes.update({ id, body: { keeps_page: true } })
  await creator.client.quizzes.publish({ id })
  const code = site.codeOf(id, { opening: 'frame' })
  for (const page of [
    code,
    inSandbox(code, BUILDER),
    inSandbox(code, 'allow-scripts allow-popups'),
  ]) {
    await site.show(visitor, page)
    const quiz = quizIn(visitor)
    await answerInFrame(quiz)
    const own_page = quiz.getByRole('link', { name: 'Ouvrir ma page' })
    const [tab] = await Promise.all([visitor.waitForEvent('popup'), own_page.click()])
    await expect(tab.getByRole('heading', { name: 'Mes réponses' })).toBeVisible()
    await tab.close()
    await expect(quiz.getByText(/^S’ouvre dans un nouvel onglet\./)).toContainText('/ma-page/')
    const report = quiz.getByRole('link', { name: 'Télécharger mon rapport (PDF)' })
    // The sandbox of the frame may refuse the download, which no script learns.
    await report.click()
    await expect(quiz.locator('.q-address').first()).toContainText('/rapport/')
    expect(visitor.url()).toContain(site.origin)
    await expect(own_page).toBeVisible()
  }
})

test('in a sandbox without forms, the pages of a run go on by pointer and by keyboard', {
  tag: '@rare',
}, async ({ visitor, creator, site }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await site.show(visitor, inSandbox(site.codeOf(id), 'allow-scripts'))
  const quiz = quizIn(visitor)
  await quiz.getByRole('radio', { name: 'Libre' }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).press('Enter')
  await quiz.getByLabel('Où vous écrire ?').fill('camille@exemple.fr')
  await quiz.getByRole('button', { name: 'Précédent' }).click()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByLabel('Où vous écrire ?').press('Enter')
  await expect(quiz.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
  await expect.poll(() => countParticipants(creator.client, id)).toBe(1)
})
