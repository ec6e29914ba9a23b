import { clientOf } from '../../../scripts/http-client.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { callInParallel, send } from '../runner/requests.ts'
import type { SceneAttack } from '../runner/scene-attacks.ts'
import {
  type AdminScene,
  countAccounts,
  disable,
  type Person,
  setSignUp,
  tokenOf,
} from './administration-scene.ts'
import { cookiesOf, createAuthClient, createEmail, followLink } from './auth-client.ts'

/** Attacks on an account that was disabled; each returns true if the account can still be used. */
const DISABLED_USES: Record<
  string,
  (scene: AdminScene, person: Person, prepared: { key: string; link: string }) => Promise<boolean>
> = {
  'its access token': async ({ origin }, { access_token }) =>
    (await send(`${origin}/api/v1/quizzes`, { token: access_token })).status === 200,
  'its refresh token': async ({ origin }, { refresh_token }) =>
    (await createAuthClient(origin).refresh(refresh_token)).status === 200,
  'its password': async ({ origin }, { email, password }) =>
    (await createAuthClient(origin).signIn(email, password)).status === 200,
  'its API key': async ({ origin }, _person, { key }) =>
    (await send(`${origin}/api/v1/quizzes`, { token: key })).status === 200,
  'a link that was mailed before': async (_scene, _person, { link }) =>
    (await followLink(link)).access_token !== '',
  'a sign-up with its address': async ({ origin }, { email }) =>
    (await createAuthClient(origin).signUp(email, 'un autre mot de passe')).status === 200,
  'a provider that verified its address': async ({ context: { provider }, origin }, { email }) => {
    provider.person = { sub: email, email, email_verified: true }
    const { headers } = await send(`${origin}/auth/v1/authorize?provider=maison`)
    const back = await provider.visit(headers.get('location') ?? '')
    const cookie = cookiesOf(headers)
    return (await followLink(back.href, { headers: { cookie } })).access_token !== ''
  },
  'a new code by mail': async ({ context, origin }, { email }) => {
    await createAuthClient(origin).post('/otp', { email })
    const mail = await Promise.race([
      context.mailTo(email),
      new Promise<undefined>((resolve) => setTimeout(resolve, 3_000)),
    ])
    return mail !== undefined && (await followLink(mail.link)).access_token !== ''
  },
  'sign-ins that run while it is disabled': async (scene, { id, email, password }) => {
    const { origin, callAdmin } = scene
    await callAdmin(`/accounts/${id}/enable`, { method: 'POST', ...tokenOf(scene) })
    const signIns = callInParallel(20, () => createAuthClient(origin).signIn(email, password))
    await callAdmin(`/accounts/${id}/disable`, { method: 'POST', ...tokenOf(scene) })
    const tokens = (await signIns).map(({ json }) => String(json.access_token ?? ''))
    const answers = await Promise.all(
      tokens.filter(Boolean).map((token) => send(`${origin}/api/v1/quizzes`, { token })),
    )
    return answers.some(({ status }) => status === 200)
  },
}

/** Attacks with what a disabled account had. */
export const disabledUses = Object.entries(DISABLED_USES).map(
  ([what, succeeds]): SceneAttack<AdminScene> => [
    `a disabled account is used by ${what}`,
    async (scene) => {
      const person = await scene.openAccount()
      const client = clientOf(scene.origin, person.access_token)
      const body = { name: 'Porte', scope: 'écriture', expires_in_days: null } as const
      const { secret: key } = await client.apiKeys.create({ body })
      await createAuthClient(scene.origin).post('/otp', { email: person.email })
      const link = (await scene.context.mailTo(person.email))?.link ?? ''
      const { status } = await disable(scene, person)
      assertPrecondition(status === 200 && link !== '', `disabling was answered ${status}`)
      return (await succeeds(scene, person, { key, link })) ? [`${what} works`] : []
    },
  ],
)

/** Ways in which a person gets an account without an invitation. */
const SIGN_UPS: Record<string, (scene: AdminScene) => Promise<unknown>> = {
  'a password': ({ origin }) =>
    createAuthClient(origin).signUp(createEmail(), 'un mot de passe assez long'),
  'a code by mail': ({ origin }) =>
    createAuthClient(origin).post('/otp', { email: createEmail(), create_user: true }),
  'a provider': async ({ context: { provider }, origin }) => {
    const email = createEmail()
    provider.person = { sub: email, email, email_verified: true }
    const { headers } = await send(`${origin}/auth/v1/authorize?provider=maison`)
    const back = await provider.visit(headers.get('location') ?? '')
    await followLink(back.href, { headers: { cookie: cookiesOf(headers) } })
  },
  'a body that asks for it': ({ origin }) =>
    createAuthClient(origin).post('/signup', {
      email: createEmail(),
      password: 'un mot de passe assez long',
      sign_up_mode: 'open',
      invited_at: '2026-01-01T00:00:00Z',
      data: { invited: true },
    }),
}

/** Attacks on the rule for new accounts. */
export const closedSignUps = Object.entries(SIGN_UPS).map(
  ([way, signUp]): SceneAttack<AdminScene> => [
    `an account is created by ${way} although sign-ups are closed`,
    async (scene) => {
      const successes: string[] = []
      for (const mode of ['invitation', 'closed']) {
        await setSignUp(scene, mode)
        const before = await countAccounts(scene)
        await signUp(scene)
        if ((await countAccounts(scene)) !== before) successes.push(`an account with ${mode}`)
      }
      await setSignUp(scene, 'open')
      return successes
    },
  ],
)
