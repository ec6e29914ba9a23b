import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '../../src/contract/client/client.ts'
import {
  COMPLETE_END,
  publishCompleteQuiz,
} from '../../src/server/testing/quizzes/complete-quiz.ts'
import { type EmbedChoice, embedSnippet } from '../../src/web/editor/sharing/embed-snippet.ts'
import { poll } from './drivers/child-process.ts'
import { journey, ORIGIN } from './fixtures.ts'
import { button, createPage, field, heading, type Page } from './page.ts'

/** A quiz on another site, in Firefox and WebKit. */

const snippetOf = (id: string, opening: EmbedChoice['opening']): string =>
  embedSnippet(
    { opening, number: 0, has_data_layer: false },
    { link: `${ORIGIN}/q/${id}`, quiz: { name: 'Ma semaine', type: 'quiz' } },
  )

/** Serves a page of another origin while `use` runs. */
const onHostPage = async (html: string, use: (address: string) => Promise<void>): Promise<void> => {
  const server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html lang="fr"><title>Un autre site</title><body>${html}</body></html>`,
      ),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Takes the quiz in the first frame of the page up to its last part. */
const takeInFrame = async (page: Page): Promise<void> => {
  const quiz = createPage(await page.enterFrame())
  await quiz.waitFor({ css: '.q-page[novalidate]' })
  await quiz.use(field('Souvent'))
  for (const [index, number] of ['5', '4'].entries())
    await quiz.use({ css: `tr.q-row:nth-of-type(${index + 1}) input`, name: number })
  await quiz.use(button('Suivant'))
  for (const [name, value] of [
    ['Ton prénom ?', 'Zoé'],
    ['Ton email ?', 'zoe@exemple.fr'],
    ['Ton téléphone ?', '0470 12 34 56'],
    ['Ta note ?', '9.5'],
    ['Depuis le ?', '2025-12-24'],
  ] as const)
    await quiz.use(field(name), value)
  await quiz.use(button('Voir le résultat'))
  await quiz.waitFor(heading(COMPLETE_END.result))
  await quiz.expectText(COMPLETE_END.conditional)
  await quiz.expectText(COMPLETE_END.own_page)
}

const expectParticipants = (client: Client, id: string, count: number) =>
  poll(
    async () => ((await client.quizzes.get({ id })).quiz.nb_responses === count ? true : undefined),
    () => `There are not ${count} participants`,
  )

journey(
  'a quiz in the page of another site is as high as its content, and its replies are stored',
  async ({ creator, openPage }) => {
    const id = await publishCompleteQuiz(creator.client)
    const page = await openPage('phone')
    await onHostPage(snippetOf(id, 'inline'), async (address) => {
      await page.open(address)
      await page.waitFor({ css: 'iframe' }, ({ height }) => height > 0 && height !== 600)
      await takeInFrame(page)
      await expectParticipants(creator.client, id, 1)
    })
  },
)

journey(
  'replies are stored from sandboxes that allow scripts alone, and those of site builders',
  async ({ creator, openPage }) => {
    const id = await publishCompleteQuiz(creator.client)
    const page = await openPage('phone')
    for (const [rank, sandbox] of [
      'allow-scripts',
      'allow-scripts allow-forms allow-same-origin allow-popups',
    ].entries())
      await onHostPage(
        snippetOf(id, 'inline').replace('<iframe', `<iframe sandbox="${sandbox}"`),
        async (address) => {
          await page.open(address)
          await takeInFrame(page)
          await expectParticipants(creator.client, id, rank + 1)
        },
      )
  },
)

journey('a button opens the quiz in a dialog', async ({ creator, openPage }) => {
  const id = await publishCompleteQuiz(creator.client)
  const page = await openPage('desktop')
  await onHostPage(snippetOf(id, 'button'), async (address) => {
    await page.open(address)
    await page.click({ css: 'button' })
    await page.waitFor({ css: 'dialog[open] iframe' })
    await takeInFrame(page)
    await expectParticipants(creator.client, id, 1)
  })
})
