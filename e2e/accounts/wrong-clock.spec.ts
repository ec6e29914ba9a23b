import { expect, signIn, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'away' })

const HOUR_MS = 3_600_000

for (const [name, hours] of [
  ['fast', 3],
  ['slow', -3],
] as const)
  test(`a browser whose clock is three hours ${name} does not renew a token early`, {
    tag: '@rare',
  }, async ({ page, creator }) => {
    await page.clock.install({ time: Date.now() + hours * HOUR_MS })
    const renewals: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('grant_type=refresh_token')) renewals.push(request.url())
    })
    const expectSettings = () => expect(page.getByText(creator.email).first()).toBeVisible()
    await signIn(page, creator)
    await page.goto('/settings')
    await expectSettings()
    // The client checks the token twice in this time.
    await page.clock.runFor(61_000)
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await expect(other.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
    expect(renewals).toEqual([])

    // The token is about to expire after 59 minutes.
    const renewed = page.waitForResponse(/grant_type=refresh_token/)
    await page.clock.fastForward(59 * 60_000)
    await page.clock.runFor(31_000)
    expect((await renewed).status()).toBe(200)
    await page.reload()
    await expectSettings()
    await page.clock.runFor(61_000)
    expect(renewals).toHaveLength(1)
  })
