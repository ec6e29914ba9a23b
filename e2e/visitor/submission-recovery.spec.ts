import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectEmptyLocalStorage,
  expectParticipants,
  expectResult,
  interceptSubmissions,
  resumeRun,
} from '../support/visitor-steps.ts'

const LIBRE = `${CAMILLE}: Libre → Grand saut`
const REMPLI = 'dominique@exemple.fr: Rempli → Pas à pas'

/** Kills the tab, so that it cannot send the requests of a closing page. */
const crash = async (page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  session.send('Page.crash').catch(() => undefined)
  await crashed
}

test('a visitor whose network fails at any step sees the result immediately, and the answers arrive later', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const context = visitor.context()
  const stored: string[] = []
  for (const step of ['the first page', 'the second page', 'the end'])
    await test.step(step, async () => {
      await visitor.goto(`/q/${id}`)
      if (step === 'the first page') await context.setOffline(true)
      await choose(visitor, 'Libre')
      if (step === 'the second page') await context.setOffline(true)
      await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
      await context.setOffline(true)
      await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
      await expectResult(visitor, 'Grand saut')
      await expectParticipants(creator.client, id, stored)
      await context.setOffline(false)
      stored.push(LIBRE)
      await expectParticipants(creator.client, id, stored)
      await expectEmptyLocalStorage(visitor)
    })
})

test('a restored tab resumes the run, and a new tab starts a new run', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const context = visitor.context()
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await visitor.getByLabel('Où vous écrire ?').fill('cam')
  const session = await context.newCDPSession(visitor)
  await crash(visitor)
  // Playwright abandons a crashed page: its content after the reload is read through the protocol.
  await session.send('Page.reload')
  const shownEmail = async (): Promise<unknown> => {
    const expression = `document.querySelector('button.q-next[type=button]')?.click() ?? document.querySelector('input[type=email]')?.value`
    return (await session.send('Runtime.evaluate', { expression })).result.value
  }
  await expect.poll(shownEmail).toBe('cam')
  const second = await context.newPage()
  await second.goto(`/q/${id}`)
  await expect(second.getByText('1 / 2', { exact: true })).toBeVisible()
  await expect(second.getByRole('radio', { checked: true })).toHaveCount(0)
  await choose(second, 'Libre')
  await enterEmail(second)
  await expectResult(second, 'Grand saut')
  await expectParticipants(creator.client, id, [LIBRE])
  await expectEmptyLocalStorage(second)
})

test('a visit to another quiz sends the answers that a crashed tab did not send', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const other = await publishedScoreQuiz(creator.client, 'Un autre quiz')
  const context = visitor.context()
  let isCut = true
  const sent = await interceptSubmissions(visitor, Number.POSITIVE_INFINITY, (route) =>
    isCut ? route.abort() : route.continue(),
  )
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await crash(visitor)
  await expectParticipants(creator.client, id, [])
  isCut = false
  const next = await context.newPage()
  await next.goto(`/q/${other.id}`)
  await expectParticipants(creator.client, id, [LIBRE])
  await expectParticipants(creator.client, other.id, [])
  expect(new Set(sent.map(({ participant_uuid }) => participant_uuid)).size).toBe(1)
  await expectEmptyLocalStorage(next)
})

test('after ten refusals with status 500 the eleventh attempt stores the answers once', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.clock.install()
  const sent = await interceptSubmissions(visitor, 10, (route) =>
    route.fulfill({ status: 500, body: '{}' }),
  )
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  const afterAnotherMinute = async () => {
    await visitor.clock.runFor(60_000)
    return sent.length
  }
  await expect.poll(afterAnotherMinute).toBe(11)
  await expectParticipants(creator.client, id, [LIBRE])
  expect(sent.length).toBe(11)
  expect(new Set(sent.map(({ participant_uuid }) => participant_uuid)).size).toBe(1)
  await expectEmptyLocalStorage(visitor)
})

test('answers are sent again without a received reply or after a reply of the network, and count once', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const portal = '<!doctype html><title>Connexion au réseau</title>'
  const finish = async (): Promise<void> => {
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Libre')
    await enterEmail(visitor)
    await expectResult(visitor, 'Grand saut')
  }

  await test.step('the server stored the answers, but its reply was lost', async () => {
    const sent = await interceptSubmissions(visitor, 1, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await finish()
    await expect.poll(() => sent.length).toBe(2)
    await expectEmptyLocalStorage(visitor)
    await expectParticipants(creator.client, id, [LIBRE])
  })

  await test.step('the reply of a network portal is no acknowledgement', async () => {
    await visitor.context().unrouteAll()
    const sent = await interceptSubmissions(visitor, 1, (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: portal }),
    )
    await finish()
    await expectParticipants(creator.client, id, [LIBRE, LIBRE])
    expect(sent.length).toBe(2)
  })
})

test('answers that are sent twice, clicked twice and reloaded at the end count as one participant', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  let isCut = true
  const sent = await interceptSubmissions(visitor, Number.POSITIVE_INFINITY, (route) =>
    isCut ? route.abort() : route.continue(),
  )
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).dblclick({ noWaitAfter: true })
  await expectResult(visitor, 'Grand saut')
  await visitor.reload()
  await expectResult(visitor, 'Grand saut')
  isCut = false
  await expectParticipants(creator.client, id, [LIBRE])
  expect(new Set(sent.map(({ participant_uuid }) => participant_uuid)).size).toBe(1)
  await expectEmptyLocalStorage(visitor)
})

test('answers that left with a withdrawn quiz arrive when it is published again', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await creator.client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  const notice = visitor.getByText('Vos réponses n’ont pas été transmises')
  await expect(notice).toHaveText(/\s: ce questionnaire n’est plus publié\.$/)
  await expectParticipants(creator.client, id, [])
  await creator.client.quizzes.update({ id, body: { status: 'Publié' } })
  await expectParticipants(creator.client, id, [LIBRE])
  await expect(notice).toHaveCount(0)
})

test('permanently refused answers are announced as lost, also after a reload', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  let refuse = (): void => undefined
  const may = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const sent = await interceptSubmissions(visitor, 1, async (route) => {
    await may
    await route.fulfill({ status: 413, json: { error: 'Trop long', code: 'too_large' } })
  })
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  const notice = visitor.locator('.q-refused[role=status]')
  await expect(notice).toHaveText('')
  await notice.evaluate((element) => element.setAttribute('data-first', ''))
  refuse()
  await expect(notice).toHaveText('Vos réponses n’ont pas été transmises.')
  await expect(notice).toHaveAttribute('data-first')
  await visitor.reload()
  await expectResult(visitor, 'Grand saut')
  await expect(notice).toHaveText('Vos réponses n’ont pas été transmises.')
  expect(sent.length).toBe(1)
})

test('a run finishes and its answers arrive although the browser storage is full or disabled', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const finishOffline = async (): Promise<void> => {
    await choose(visitor, 'Libre')
    await visitor.context().setOffline(true)
    await enterEmail(visitor)
    await expectResult(visitor, 'Grand saut')
    await visitor.context().setOffline(false)
  }

  await test.step('a full storage', async () => {
    await visitor.goto(`/q/${id}`)
    await visitor.evaluate(() => {
      for (let size = 4_194_304; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let copy = 0; ; copy++)
            localStorage.setItem(`plein ${size} ${copy}`, 'x'.repeat(size))
        } catch {}
      }
    })
    await visitor.reload()
    await finishOffline()
    await expectParticipants(creator.client, id, [LIBRE])
  })

  await test.step('a disabled storage', async () => {
    await visitor.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    })
    await visitor.goto(`/q/${id}`)
    await finishOffline()
    await expectParticipants(creator.client, id, [LIBRE, LIBRE])
  })
})

test('two tabs of one quiz are two runs with separate answers', async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  const second = await visitor.context().newPage()
  await second.goto(`/q/${id}`)
  await expect(second.getByRole('radio', { checked: true })).toHaveCount(0)
  await choose(second, 'Rempli')
  await second.getByLabel('Où vous écrire ?').fill('dominique@exemple.fr')
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await second.reload()
  await resumeRun(second)
  await expect(second.getByLabel('Où vous écrire ?')).toHaveValue('dominique@exemple.fr')
  await visitor.reload()
  await resumeRun(visitor)
  await expect(visitor.getByLabel('Où vous écrire ?')).toHaveValue(CAMILLE)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await second.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(second, 'Pas à pas')
  await expectParticipants(creator.client, id, [LIBRE, REMPLI])
  await expectEmptyLocalStorage(second)
})
