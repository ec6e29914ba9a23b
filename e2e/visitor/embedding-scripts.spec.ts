import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect } from '../support/fixtures.ts'
import { answerInFrame, quizIn, test } from '../support/host-site.ts'

test.use({ creatorIs: 'away' })

const TEXT = '<p>Un texte du site.</p>'.repeat(50)

/** Presses the button of a quiz, answers the quiz in its dialog, and waits until the frame is as high as its content. */
const answerInDialog = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Répondre au quiz' }).click()
  const quiz = quizIn(page)
  const inner = () => quiz.locator('body').evaluate((body) => body.clientHeight)
  const outer = () => page.locator('iframe').evaluate((element) => element.clientHeight)
  await expect.poll(async () => (await outer()) - (await inner())).toBe(0)
  await answerInFrame(quiz)
}

test('a script that a site copies, merges, defers, inlines or injects later opens the quiz', {
  tag: '@rare',
}, async ({ page, creator, site, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const [button = ''] = site.codeOf(id, { opening: 'button' }).split('\n')
  const address = `${baseURL}/embed.js`
  const ours = await (await fetch(address)).text()
  const policy = `default-src 'none'; script-src ${baseURL} ${site.origin} 'unsafe-inline'; frame-src ${baseURL}; style-src 'none'`
  const scripts = {
    '/cache/embed.js': ours,
    '/cache/tout-1f3a.js': `var avant = 1;\n${ours}\n;var apres = 2;`,
    '/chargeur.js': `addEventListener('load', () => setTimeout(() => document.body.append(Object.assign(document.createElement('script'), { src: '${address}' }))))`,
  }
  const ways = {
    'a copy on the site': '<script src="/cache/embed.js"></script>',
    'a merged and deferred file': '<script src="/cache/tout-1f3a.js" defer></script>',
    'a module': '<script type="module" src="/cache/embed.js"></script>',
    'an inlined script': `<script>${ours}</script>`,
    'an injected script': '<script src="/chargeur.js"></script>',
  }
  for (const [way, script] of Object.entries(ways))
    await test.step(way, async () => {
      await site.show(page, button + script, { policy, scripts })
      await page.evaluate(() => sessionStorage.clear())
      if (script.includes('chargeur'))
        await expect(page.locator(`script[src="${address}"]`)).toBeAttached()
      await answerInDialog(page)
      await page.getByRole('button', { name: 'Fermer' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(Object.keys(ways).length)
})

test('settings work on an element, in the address of the script, and on a script of an older code', {
  tag: '@rare',
}, async ({ page, creator, site, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const framed = `${baseURL}/q/${id}?embed=1`
  const script = (query = '', attributes = '') =>
    `<script src="${baseURL}/embed.js${query}" ${attributes} async></script>`
  const ways = {
    'the code of the share dialog': site.codeOf(id, { opening: 'delay' }),
    'an element without a script before it': `<div data-quizaine="${framed}" data-quizaine-open="delay:10" title="Quel rythme ?"></div>${script()}`,
    'the address of the script': script(`?quiz=${id}&open=delay:10&title=Quel+rythme%20%3F`),
    'an older code': script(
      '',
      `data-quizaine="${framed}" data-quizaine-open="delay:10" title="Quel rythme ?"`,
    ),
  }
  await page.clock.install()
  for (const [way, code] of Object.entries(ways))
    await test.step(way, async () => {
      await site.show(page, TEXT + code)
      await page.evaluate(() => sessionStorage.clear())
      await page.clock.fastForward(11_000)
      await expect(page.getByRole('dialog', { name: 'Quel rythme ?' })).toBeVisible()
      await expect(quizIn(page).getByText('Votre agenda ?')).toBeVisible()
    })
  await test.step('a corner button from the address of the script', async () => {
    await site.show(page, TEXT + script(`?quiz=${id}&open=corner&title=Le+quiz&datalayer=1`))
    await page.getByRole('button', { name: 'Le quiz' }).click()
    await answerInFrame(quizIn(page))
    const steps = () =>
      page.evaluate(() =>
        ((window as unknown as { dataLayer?: { event: string }[] }).dataLayer ?? []).map(
          ({ event }) => event,
        ),
      )
    await expect.poll(steps).toContain('quizaine:finish')
  })
})

test('an address of another site opens nothing', async ({ page, creator, site, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const other = (address: string) =>
    `<button type="button" data-quizaine="${address}">Ailleurs</button>`
  const addresses = [
    `${site.origin}/q/${id}?embed=1`,
    `${baseURL}.exemple.fr/q/${id}?embed=1`,
    'javascript:alert(1)',
    `/q/${id}`,
  ]
  const [, script = ''] = site.codeOf(id, { opening: 'button' }).split('\n')
  await site.show(page, addresses.map(other).join('') + script)
  await expect(page.locator('script')).toBeAttached()
  for (const button of await page.getByRole('button', { name: 'Ailleurs' }).all()) {
    await button.click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('an image of the site that is named like the script gives no other site a dialog', {
  tag: '@rare',
}, async ({ page, creator, site, baseURL }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const elsewhere = `<button type="button" data-quizaine="${site.origin}/q/${id}">Ailleurs</button>`
  const image = `<img alt="" name="currentScript" src="${site.origin}/embed.js">`
  const policy = `default-src 'none'; script-src ${baseURL}; frame-src *; img-src ${site.origin}`
  await site.show(page, image + elsewhere + site.codeOf(id, { opening: 'button' }), { policy })
  await expect(page.locator('script')).toBeAttached()
  await page.getByRole('button', { name: 'Ailleurs' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Répondre au quiz' }).click()
  await expect(quizIn(page).getByText('Votre agenda ?')).toBeVisible()
  await expect(page.locator('iframe')).toHaveAttribute('src', `${baseURL}/q/${id}?embed=1`)
})

test('the address of the script opens no other page of the installation', { tag: '@rare' }, async ({
  page,
  creator,
  site,
  baseURL,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  for (const [quiz, path] of [
    ['../settings', '/q/settings?embed=1'],
    ['%2e%2e/%2e%2e/login', '/q/login?embed=1'],
    ['..', undefined],
    [`${id}%20.`, `/q/${id}?embed=1`],
  ] as const)
    await test.step(quiz, async () => {
      const script = `<script src="${baseURL}/embed.js?quiz=${quiz}&open=corner"></script>`
      await site.show(page, script)
      const button = page.getByRole('button', { name: 'Questionnaire' })
      if (path === undefined) return expect(button).toHaveCount(0)
      await button.click()
      return expect(page.locator('iframe')).toHaveAttribute('src', baseURL + path)
    })
})
