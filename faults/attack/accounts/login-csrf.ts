import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { launchBrowser, MAX_SHOWN_MS } from '../runner/browser.ts'
import { send } from '../runner/requests.ts'
import {
  type AccountOwner,
  cookiesOf,
  createAuthClient,
  createEmail,
  createOwner,
  followLink,
} from './auth-client.ts'

const UNEXPECTED_PARAMETERS = {
  request: 'x',
  request_uri: 'https://x.example',
  claims: '{}',
  response_mode: 'x',
}

const finishSignInInOtherBrowser = async (context: AttackContext): Promise<string[]> => {
  const { configuredSite, provider } = context
  const { origin } = await configuredSite('with_confirmation')
  const successes: string[] = []
  const startSignIn = async () => {
    const email = createEmail()
    provider.person = { sub: email, email, email_verified: true }
    const { headers } = await send(`${origin}/auth/v1/authorize?provider=maison`)
    const back = await provider.visit(headers.get('location') ?? '')
    return { cookie: cookiesOf(headers), back: back.href }
  }
  const own = await startSignIn()
  const { access_token } = await followLink(own.back, { headers: { cookie: own.cookie } })
  assertPrecondition(access_token !== '', 'a normal sign-in through the provider does not work')
  const foreign = await followLink((await startSignIn()).back)
  if (foreign.access_token)
    successes.push('a browser is signed in by a sign-in that another browser started')

  const thief = await createOwner(context, origin)
  const { user } = createAuthClient(origin)
  const linking = `${origin}/auth/v1/user/identities/authorize?provider=maison&skip_http_redirect=true`
  const victim = createEmail()
  const linkIdentity = async (isOwn: boolean) => {
    const { headers, json } = await send(linking, { token: thief.access_token })
    const back = await provider.visit(String(json.url))
    await followLink(back.href, isOwn ? { headers: { cookie: cookiesOf(headers) } } : {})
    const { identities = [] } = (await user(thief.access_token)).json as { identities?: object[] }
    return identities.length
  }
  provider.person = { sub: victim, email: victim, email_verified: true }
  if ((await linkIdentity(false)) > 1)
    successes.push('the identity of the victim is linked to the account of the attacker')
  else assertPrecondition((await linkIdentity(true)) > 1, 'linking an identity does not work')

  const query = new URLSearchParams({ provider: 'maison', ...UNEXPECTED_PARAMETERS })
  const { headers } = await send(`${origin}/auth/v1/authorize?${query}`)
  const provider_parameters = new URL(headers.get('location') ?? '').searchParams
  const forwarded = Object.keys(UNEXPECTED_PARAMETERS).filter((name) =>
    provider_parameters.has(name),
  )
  if (forwarded.length > 0)
    successes.push(`the provider receives the parameters ${forwarded.join(', ')}`)
  return successes
}

const LAYOUT_SETTLE_MS = 2_000
/** Screens that read a session from the fragment of their URL. */
const SCREENS = ['confirmation', 'new-password', 'login']

/** Returns the email address, out of `people`, that the settings screen shows. */
const findSignedInPerson = async (context: BrowserContext, origin: string, people: string[]) => {
  const page = await context.newPage()
  await page.goto(`${origin}/settings`)
  const found = people.map((email) =>
    page.getByText(email).first().waitFor({ timeout: MAX_SHOWN_MS }),
  )
  await Promise.any(found).catch(() => undefined)
  const text = (await page.locator('body').textContent()) ?? ''
  await page.close()
  return people.find((email) => text.includes(email))
}

const replaceSessionByLink = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('with_confirmation')
  const [victim, thief] = [await createOwner(context, origin), await createOwner(context, origin)]
  const browser = await launchBrowser()
  try {
    return await replaceSessions(browser, origin, { victim, thief, ...createAuthClient(origin) })
  } finally {
    await browser.close()
  }
}

type TwoPeople = ReturnType<typeof createAuthClient> & Record<'victim' | 'thief', AccountOwner>

const replaceSessions = async (
  browser: Browser,
  origin: string,
  { victim, thief, signIn }: TwoPeople,
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
  const empty_context = await browser.newContext({ locale: 'fr-FR' })
  await open(await empty_context.newPage(), 'confirmation')
  const signed_in = await findSignedInPerson(empty_context, origin, people)
  assertPrecondition(
    signed_in === thief.email,
    'such a link does not sign in a browser without a session',
  )
  await empty_context.close()

  const successes: string[] = []
  for (const screen of SCREENS) {
    const context = await browser.newContext({ locale: 'fr-FR' })
    const page = await context.newPage()
    await page.goto(`${origin}/login`)
    await page.getByLabel('Email').fill(victim.email)
    await page.getByLabel('Mot de passe', { exact: true }).fill(victim.password)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.waitForURL(/dashboard/, { timeout: MAX_SHOWN_MS })
    await page.goto('about:blank')
    await open(page, screen)
    const person = await findSignedInPerson(context, origin, people)
    assertPrecondition(person !== undefined, 'the settings show no account')
    if (person === thief.email)
      successes.push(`/${screen} replaces the session of the victim by that of the attacker`)
    await context.close()
  }
  return successes
}

/** Attacks that sign a victim in to the account of the attacker, or the attacker in to the account of the victim. */
export const loginCsrf: Attack[] = [
  {
    name: 'another browser finishes a sign-in through a provider',
    run: finishSignInInOtherBrowser,
  },
  { name: 'a link replaces the session of a signed-in person', run: replaceSessionByLink },
]
