import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf } from '../../../scripts/http-client.ts'
import { type Attack, assertPrecondition } from '../runner/attack.ts'
import { visitInBrowser } from '../runner/browser.ts'
import { callInParallel, send } from '../runner/requests.ts'
import { createSceneAttacks, type SceneAttack, sendEach } from '../runner/scene-attacks.ts'
import { ACCESS_ATTACKS } from './administration-access.ts'
import { closedSignUps, disabledUses } from './administration-accounts.ts'
import { HOSTILE_INPUTS } from './administration-inputs.ts'
import {
  type AdminScene,
  countAccounts,
  disable,
  enable,
  invite,
  openAdminScene,
  setSignUp,
  tokenOf,
} from './administration-scene.ts'
import { createAuthClient, createEmail, followLink } from './auth-client.ts'

/** Attacks on what administrators change, and on each other. */
const CHANGES: SceneAttack<AdminScene>[] = [
  [
    'an invitation is used twice',
    async (scene) => {
      const email = createEmail()
      await invite(scene, email)
      const link = (await scene.context.mailTo(email))?.link ?? ''
      const first = await followLink(link)
      assertPrecondition(first.access_token !== '', 'the invitation does not sign in')
      return (await followLink(link)).access_token ? ['the link signs in twice'] : []
    },
  ],
  [
    'an invitation that a newer one replaced is used',
    async (scene) => {
      const email = createEmail()
      await invite(scene, email)
      const link = (await scene.context.mailTo(email))?.link ?? ''
      await invite(scene, email)
      assertPrecondition((await scene.context.mailTo(email)) !== undefined, 'no second mail')
      return (await followLink(link)).access_token ? ['the first link signs in'] : []
    },
  ],
  [
    'an invitation is used by two people at once',
    async (scene) => {
      const email = createEmail()
      await invite(scene, email)
      const link = (await scene.context.mailTo(email))?.link ?? ''
      const sessions = await callInParallel(10, () => followLink(link))
      const { length } = sessions.filter(({ access_token }) => access_token)
      return length > 1 ? [`${length} sessions`] : []
    },
  ],
  [
    'an invitation replaces the account of somebody',
    async (scene) => {
      const person = await scene.openAccount()
      const { status } = await invite(scene, person.email.toUpperCase())
      const { user } = createAuthClient(scene.origin)
      if ((await user(person.access_token)).status !== 200) return ['the account lost its session']
      return status === 409 ? [] : [`the invitation was answered ${status}`]
    },
  ],
  [
    'people are invited although sign-ups are closed',
    async (scene) => {
      await setSignUp(scene, 'closed')
      const { status } = await invite(scene, createEmail())
      await setSignUp(scene, 'open')
      return status === 409 ? [] : [`the invitation was answered ${status}`]
    },
  ],
  [
    'sign-ups that run while sign-ups are closed create accounts afterwards',
    async (scene) => {
      const { signUp } = createAuthClient(scene.origin)
      const running = callInParallel(20, () => signUp(createEmail(), 'un mot de passe assez long'))
      await setSignUp(scene, 'closed')
      await running
      const before = await countAccounts(scene)
      const { status } = await signUp(createEmail(), 'un mot de passe assez long')
      const after = await countAccounts(scene)
      await setSignUp(scene, 'open')
      return status === 422 && before === after ? [] : [`${after - before} accounts afterwards`]
    },
  ],
  [
    'an administrator disables and deletes their own account',
    async (scene) => {
      const { id, email } = scene.administrator
      const answers = [
        await disable(scene, scene.administrator),
        await scene.callAdmin(`/accounts/${id.toUpperCase()}/delete`, {
          body: { email },
          ...tokenOf(scene),
        }),
      ]
      return answers.flatMap(({ status }) => (status === 409 ? [] : [`status ${status}`]))
    },
  ],
  [
    'two administrators disable each other at once',
    async (scene) => {
      const { administrator, second, callAdmin, origin } = scene
      const { post } = createAuthClient(origin)
      const successes: string[] = []
      for (let round = 0; round < 5; round += 1) {
        const pair = [administrator, second]
        const tokens = await Promise.all(
          pair.map(async (person) => {
            const { json } = await post('/token?grant_type=password', person)
            return String(json.access_token)
          }),
        )
        await Promise.all(
          tokens.map((token, index) =>
            callAdmin(`/accounts/${pair[1 - index]?.id}/disable`, { method: 'POST', token }),
          ),
        )
        const remaining: number[] = []
        for (const [index, token] of tokens.entries())
          if ((await callAdmin('/overview', { token })).status === 200) remaining.push(index)
        if (remaining.length !== 1) {
          successes.push(`${remaining.length} administrators remain`)
          break
        }
        const [winner = 0] = remaining
        await callAdmin(`/accounts/${pair[1 - winner]?.id}/enable`, {
          method: 'POST',
          token: tokens[winner],
        })
        const { json } = await post('/token?grant_type=password', administrator)
        administrator.access_token = String(json.access_token)
      }
      return successes
    },
  ],
  [
    'an account is deleted whose address is not the confirmed one',
    async (scene) => {
      const { id } = await scene.openAccount()
      return sendEach(
        [createEmail(), null, '', undefined, [], { email: 'x' }],
        (email) =>
          scene.callAdmin(`/accounts/${id}/delete`, { body: { email }, ...tokenOf(scene) }),
        ({ status }) => (status < 300 ? 'the account is deleted' : undefined),
      )
    },
  ],
  [
    'a page of another site changes accounts in the browser of an administrator',
    async (scene) => {
      const { id } = await scene.openAccount()
      const before = await countAccounts(scene)
      const successes = await visitInBrowser(async ({ page, openHostPage }) => {
        await page.goto(`${scene.origin}/login`)
        await page.evaluate(
          (session) => localStorage.setItem('quizaine-session', session),
          JSON.stringify({ access_token: scene.administrator.access_token }),
        )
        await openHostPage(
          `<form method="post" enctype="text/plain" action="${scene.origin}/api/v1/admin/accounts/${id}/disable"><input name='{"a":"' value='"}'></form>`,
        )
        const [answer] = await Promise.all([
          page.waitForResponse(/\/disable$/),
          page.evaluate(() => document.forms[0]?.submit()),
        ])
        return answer.status() === 404 ? [] : [`a form is answered ${answer.status()}`]
      })
      if ((await countAccounts(scene)) !== before) successes.push('an account changed')
      return successes
    },
  ],
  [
    'a published quiz shows that its account is disabled',
    async (scene) => {
      const person = await scene.openAccount()
      const quiz = await publishedScoreQuiz(clientOf(scene.origin, person.access_token))
      const read = () => send(`${scene.origin}/q/${quiz.id}`)
      const before = await read()
      await disable(scene, person)
      const after = await read()
      await enable(scene, person)
      return before.status === 200 && before.text === after.text ? [] : [`status ${after.status}`]
    },
  ],
  [
    'many readings of the used space delay everybody',
    async (scene) => {
      const answers = await callInParallel(
        100,
        () => scene.callAdmin('/storage', tokenOf(scene)),
        50,
      )
      const slowest = Math.max(...answers.map(({ ms }) => ms))
      return slowest > 10_000 || answers.some(({ status }) => status !== 200)
        ? [`the slowest answer took ${Math.round(slowest)} ms`]
        : []
    },
  ],
  [
    'addresses, names and errors run scripts on the page of the administration',
    async (scene) => {
      const { origin, administrator } = scene
      const email = `"'\`{x}&a=b/${randomUUID()}@exemple.fr`.replace('"', '')
      await createAuthClient(origin).post('/signup', {
        email,
        password: 'un mot de passe assez long',
        data: { full_name: '<img src=x onerror=alert(1)>' },
      })
      const { json } = await createAuthClient(origin).post(
        '/token?grant_type=password',
        administrator,
      )
      return visitInBrowser(async ({ page, errors }) => {
        await page.addInitScript(
          (session) => localStorage.setItem('quizaine-session', session),
          JSON.stringify(json),
        )
        await page.goto(`${origin}/admin`)
        await page.getByText(email).first().waitFor()
        return errors
      })
    },
  ],
]

/** Attacks on the administration of an installation. */
export const administrationAttacks: Attack[] = createSceneAttacks(openAdminScene, [
  ...ACCESS_ATTACKS,
  ...disabledUses,
  ...closedSignUps,
  ...HOSTILE_INPUTS,
  ...CHANGES,
])
