import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../../scripts/chromium.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { authOf, call, cookiesOf, follow, newAddress, newPerson, type Person } from './people.ts'

/** Attacks with links that lead a person into a sign-in or action that another person began. */

const STRANGE = { request: 'x', request_uri: 'https://x.example', claims: '{}', response_mode: 'x' }

const finishSignInInOtherBrowser = async (context: AttackContext): Promise<string[]> => {
  const { site, provider } = context
  const { origin } = await site('confirming')
  const got: string[] = []
  const begin = async () => {
    const email = newAddress()
    provider.person = { sub: email, email, email_verified: true }
    const { headers } = await call(`${origin}/auth/v1/authorize?provider=maison`)
    const back = await provider.visit(headers.get('location') ?? '')
    return { cookie: cookiesOf(headers), back: back.href }
  }
  const own = await begin()
  const { access_token } = await follow(own.back, { headers: { cookie: own.cookie } })
  assertPrecondition(access_token !== '', 'the browser that began does not arrive')
  const strange = await follow((await begin()).back)
  if (strange.access_token)
    got.push('another browser is signed in by a sign-in that it never began')

  const thief = await newPerson(context, origin)
  const { user } = authOf(origin)
  const linking = `${origin}/auth/v1/user/identities/authorize?provider=maison&skip_http_redirect=true`
  const victim = newAddress()
  const link = async (isOwn: boolean) => {
    const { headers, json } = await call(linking, { access_token: thief.access_token })
    const back = await provider.visit(String(json.url))
    await follow(back.href, isOwn ? { headers: { cookie: cookiesOf(headers) } } : {})
    const { identities = [] } = (await user(thief.access_token)).json as { identities?: object[] }
    return identities.length
  }
  provider.person = { sub: victim, email: victim, email_verified: true }
  if ((await link(false)) > 1) got.push('the victim’s identity is linked to the thief’s account')
  else assertPrecondition((await link(true)) > 1, 'linking does not work')

  const query = new URLSearchParams({ provider: 'maison', ...STRANGE })
  const { headers } = await call(`${origin}/auth/v1/authorize?${query}`)
  const led = new URL(headers.get('location') ?? '').searchParams
  const passed = Object.keys(STRANGE).filter((name) => led.has(name))
  if (passed.length > 0) got.push(`the provider is told ${passed.join(', ')}`)
  return got
}

const OPTIONS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const SHOWN_MS = 15_000
const LAYOUT_SETTLE_MS = 2_000
/** Screens that read a session from their address. */
const SCREENS = ['confirmation', 'new-password', 'login']

/** Returns which of two people the settings screen shows. */
const findSignedInPerson = async (context: BrowserContext, origin: string, people: string[]) => {
  const page = await context.newPage()
  await page.goto(`${origin}/settings`)
  const found = people.map((email) => page.getByText(email).first().waitFor({ timeout: SHOWN_MS }))
  await Promise.any(found).catch(() => undefined)
  const text = (await page.locator('body').textContent()) ?? ''
  await page.close()
  return people.find((email) => text.includes(email))
}

const linkOverSession = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.site('confirming')
  const [victim, thief] = [await newPerson(context, origin), await newPerson(context, origin)]
  const browser = await chromium.launch({ executablePath: findChromium(), args: OPTIONS })
  try {
    return await replaceSessions(browser, origin, { victim, thief, ...authOf(origin) })
  } finally {
    await browser.close()
  }
}

type Two = ReturnType<typeof authOf> & Record<'victim' | 'thief', Person>

const replaceSessions = async (
  browser: Browser,
  origin: string,
  { victim, thief, signIn }: Two,
): Promise<string[]> => {
  const people = [victim.email, thief.email]
  const addressOf = async (screen: string) => {
    const { json } = await signIn(thief.email, thief.password)
    const fragment = new URLSearchParams({
      access_token: String(json.access_token),
      refresh_token: String(json.refresh_token),
      token_type: 'bearer',
      expires_in: '3600',
      type: 'signup',
    })
    return `${origin}/${screen}#${fragment}`
  }
  const open = async (page: Page, screen: string) => {
    await page.goto(await addressOf(screen))
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(LAYOUT_SETTLE_MS)
  }
  const nobodys = await browser.newContext({ locale: 'fr-FR' })
  await open(await nobodys.newPage(), 'confirmation')
  const alone = await findSignedInPerson(nobodys, origin, people)
  assertPrecondition(alone === thief.email, 'such a link opens nothing where nobody is signed in')
  await nobodys.close()

  const got: string[] = []
  for (const screen of SCREENS) {
    const context = await browser.newContext({ locale: 'fr-FR' })
    const page = await context.newPage()
    await page.goto(`${origin}/login`)
    await page.getByLabel('Email').fill(victim.email)
    await page.getByLabel('Mot de passe', { exact: true }).fill(victim.password)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.waitForURL(/dashboard/, { timeout: SHOWN_MS })
    await page.goto('about:blank')
    await open(page, screen)
    const who = await findSignedInPerson(context, origin, people)
    assertPrecondition(who !== undefined, 'the settings name nobody')
    if (who === thief.email) got.push(`/${screen} signs the victim in to the thief’s account`)
    await context.close()
  }
  return got
}

/** Attacks that sign a person in to an account of the attacker, or the attacker in to hers. */
export const waysIn: Attack[] = [
  {
    name: 'another browser finishes a sign-in through a provider',
    run: finishSignInInOtherBrowser,
  },
  { name: 'a link replaces the session of a signed-in person', run: linkOverSession },
]
