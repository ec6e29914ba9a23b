import { randomUUID } from 'node:crypto'
import { assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import { type SceneAttack, sendEach } from '../runner/scene-attacks.ts'
import { type AdminScene, countAccounts, invite, tokenOf } from './administration-scene.ts'
import { createAuthClient, createEmail } from './auth-client.ts'

const SEARCHES = [
  ...["' or 1=1 --", "'; drop table users; --", '%', '_', '\\', '\\%', '$$', '#{7*7}', '{{7*7}}'],
  ...['\u202e', '\u0000', 'a'.repeat(254), '%'.repeat(254), '('.repeat(254), '😀', '<script>'],
  ...['?', '&order=email', '\r\nX-Evil: 1', "' union select encrypted_password from users --"],
]
const POSITIONS = [
  ...['x', '_', '1_', '_1', '-1_', "1_'", `1_${randomUUID()}'`, `${'9'.repeat(18)}_x`],
  ...['0_00000000-0000-0000-0000-000000000000', '1e9_x', 'null', '[]', '9'.repeat(55)],
]
const ADDRESSES = [
  ...['', 'a', '@', 'a@', '@b.fr', 'a@b@c.fr', 'a b@c.fr', '<img src=x onerror=alert(1)>@b.fr'],
  ...['a@b.fr\r\nBcc: c@d.fr', 'a@b.fr,c@d.fr', '"a b"@c.fr', 'a@[127.0.0.1]', 'a@127.0.0.1'],
  ...['é@b.fr', `${'a'.repeat(250)}@b.fr`, 'a@b.fr\u0000', '\ud800@b.fr', 'javascript:alert(1)'],
]
const SECRETS = /argon2|\$2[aby]\$|encrypted_password|secret|refresh_token|metadata/

const PATHS = [
  '//api/v1/admin/overview',
  '/api//v1/admin/overview',
  '/api/v1/%61dmin/overview',
  '/api/v1/admin%2Foverview',
  '/api/v1/admin/./overview',
  '/api/v1/quizzes/../admin/overview',
  '/api/v1/ADMIN/overview',
  '/api/v1/admin/overview/',
  '/api/v1/admin/overview;x',
  '/api/v1/admin/overview%00',
  '/api/v1/admin/overview?access=administrator',
]

/** Attacks with inputs that a browser of an administrator could be made to send. */
export const HOSTILE_INPUTS: SceneAttack<AdminScene>[] = [
  [
    'spellings of the paths of administrators are tried by a creator',
    async ({ origin, creator }) => {
      const successes: string[] = []
      for (const path of PATHS) {
        const { status, text } = await send(origin + path, { token: creator.access_token })
        if (status === 200 && text.includes('known_schema')) successes.push(path)
      }
      return successes
    },
  ],
  [
    'hostile texts are searched among the accounts',
    (scene) =>
      sendEach(
        SEARCHES,
        (search) => {
          const query = new URLSearchParams({ search })
          return scene.callAdmin(`/accounts?${query}`, tokenOf(scene))
        },
        ({ text, headers }) => {
          if (SECRETS.test(text)) return 'a secret is answered'
          return headers.get('x-evil') ? 'a header is set' : undefined
        },
      ),
  ],
  [
    'hostile positions are asked from the list of accounts',
    (scene) =>
      sendEach(
        POSITIONS,
        (after) => scene.callAdmin(`/accounts?${new URLSearchParams({ after })}`, tokenOf(scene)),
        ({ json }) =>
          Array.isArray(json.accounts) && json.accounts.length > 50 ? 'a huge page' : undefined,
      ),
  ],
  [
    'a page of all accounts is asked for',
    (scene) =>
      sendEach(
        ['per_page=100000', 'limit=100000', 'page=0', 'offset=-1', 'after[]=1', 'order=id;drop'],
        (query) => scene.callAdmin(`/accounts?${query}`, tokenOf(scene)),
        ({ json }) =>
          Array.isArray(json.accounts) && json.accounts.length > 50 ? 'a huge page' : undefined,
      ),
  ],
  [
    'ids that are no accounts are changed',
    (scene) =>
      sendEach(
        [
          'x',
          '..',
          '%00',
          '*',
          'null',
          randomUUID(),
          `${randomUUID()}'`,
          `${randomUUID()},${randomUUID()}`,
        ],
        (id) => scene.callAdmin(`/accounts/${id}/disable`, { method: 'POST', ...tokenOf(scene) }),
        ({ status }) => (status === 404 ? undefined : `status ${status}`),
      ),
  ],
  [
    'hostile addresses are invited',
    async (scene) => {
      const before = await countAccounts(scene)
      const successes = await sendEach(
        ADDRESSES,
        (email) => invite(scene, email),
        ({ status }) => (status < 300 ? 'an invitation' : undefined),
      )
      if ((await countAccounts(scene)) !== before) successes.push('an account was created')
      return successes
    },
  ],
  [
    'fields that no call has are added to the bodies of administrators',
    async (scene) => {
      const email = createEmail()
      const fields = {
        id: scene.administrator.id,
        role: 'service_role',
        email_confirm: true,
        email_proven_by: 'administrator',
        password: 'celui de l’attaquant',
        app_metadata: { role: 'service_role' },
        redirect_to: 'https://evil.example',
      }
      const made = await scene.callAdmin('/accounts', {
        body: { email, ...fields },
        ...tokenOf(scene),
      })
      assertPrecondition(made.status === 201, `an invitation was answered ${made.status}`)
      const mail = await scene.context.mailTo(email)
      const successes: string[] = []
      if (!mail?.link.startsWith(scene.origin) || mail.link.includes('evil'))
        successes.push(`the link of the mail is ${mail?.link}`)
      const { status } = await createAuthClient(scene.origin).signIn(email, fields.password)
      if (status === 200) successes.push('the password of the body signs in')
      if (made.json.account_id === scene.administrator.id) successes.push('the id of the body')
      return successes
    },
  ],
]
