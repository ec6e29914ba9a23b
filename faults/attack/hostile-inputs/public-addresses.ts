import { createServer } from 'node:http'
import { contractCalls } from '#server/testing/app/contract-calls.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  expectStatus,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks on oEmbed descriptions, and on calls of pages of other sites and of sandboxed frames. */

/** Names of cookies in which a browser might keep the session. */
const SESSION_COOKIES = ['access_token', 'sb-access-token', 'session', 'quizaine:session', 'token']

const oembed = (origin: string, query: [string, string][]) =>
  send(`${origin}/oembed?${new URLSearchParams(query)}`)
const pageOf = ({ origin, quiz }: QuizScene): string => `${origin}/q/${quiz.id}`
const htmlOf = (text: string): string => String((JSON.parse(text) as { html?: string }).html ?? '')

const INVALID_SIZES = [
  '0',
  '-1',
  'NaN',
  '1e9',
  '1e308',
  '0x10',
  '"><script>',
  '１００',
  '',
  '9'.repeat(400),
]
const HOSTILE_NAMES = [
  '" onload="alert(1)',
  '"></iframe><script>alert(1)</script>',
  "' onload='alert(1)",
  '&quot; onload=alert(1)',
  '\u2028</script>',
  '\u202e" srcdoc="<script>"',
]

const OEMBED_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'oEmbed describes a page of another host, or calls it',
    async (scene) => {
      const { origin, quiz } = scene
      let nb_calls = 0
      const port = await freePort()
      const listener = createServer((_, response) => {
        nb_calls += 1
        response.end()
      }).listen(port)
      const here = new URL(origin)
      const path = `/q/${quiz.id}`
      const addresses = [
        `http://127.0.0.1:${port}${path}`,
        `${origin}@127.0.0.1:${port}${path}`,
        `http://${here.host}@127.0.0.1:${port}${path}`,
        `http://${here.host}\\@127.0.0.1:${port}${path}`,
        `http://127.0.0.1:${port}#@${here.host}${path}`,
        `http://127.0.0.1:${port}/?${origin}${path}`,
        `http://[::ffff:127.0.0.1]:${port}${path}`,
        `http://0x7f000001:${port}${path}`,
        `http://${here.hostname}.:${here.port}${path}`,
        `https://${here.host}${path}`,
        `//127.0.0.1:${port}${path}`,
        'file:///etc/passwd',
        `javascript:${origin}${path}`,
        'http://169.254.169.254/latest/meta-data/',
      ]
      const successes = await sendEach(
        addresses,
        (url) => oembed(origin, [['url', url]]),
        ({ status, text }) => {
          if (status !== 200) return undefined
          const isOurs = htmlOf(text).startsWith(`<iframe src="${pageOf(scene)}?embed=1"`)
          return isOurs ? undefined : `a frame of ${text.slice(0, 200)}`
        },
      )
      listener.closeAllConnections()
      listener.close()
      return nb_calls > 0 ? [...successes, `${nb_calls} calls of another host`] : successes
    },
  ],
  [
    'oEmbed returns an address with user data or with escaped slashes',
    (scene) =>
      sendEach(
        [
          pageOf(scene).replace('://', '://eve:secret@'),
          `${scene.origin}/q%2F${scene.quiz.id}`,
          `${pageOf(scene)}%2F..%2F..%2Flogin`,
          `${pageOf(scene)}/../../login`,
          `${scene.origin}/login#/q/${scene.quiz.id}`,
          `${scene.origin}/login?x=/q/${scene.quiz.id}`,
          `${pageOf(scene)}"onload="alert(1)`,
          `${pageOf(scene)}?embed=1"onload="alert(1)`,
        ],
        (url) => oembed(scene.origin, [['url', url]]),
        ({ status, text }) => {
          if (status !== 200) return undefined
          const html = htmlOf(text)
          return /secret|login|onload|\.\./.test(html) ? html : undefined
        },
      ),
  ],
  [
    'oEmbed takes long or repeated parameters, other formats or a callback',
    ({ origin, quiz }) => {
      const url: [string, string] = ['url', `${origin}/q/${quiz.id}`]
      return sendEach<[string, string][]>(
        [
          [['url', `${origin}/q/${quiz.id}?${'a'.repeat(100_000)}`]],
          [['url', `${'http://'.repeat(15_000)}x`]],
          [url, url, ['url', 'http://127.0.0.1:9/q/abc']],
          [url, ['format', 'xml']],
          [url, ['format', 'jsonp']],
          [url, ['format', '__proto__']],
          [url, ['callback', 'alert']],
          [url, ['jsonp', 'alert(1)//']],
          [url, ['__proto__', 'x'], ['constructor', 'y']],
        ],
        (query) => oembed(origin, query),
        ({ status, text, headers }) => {
          if (!headers.get('content-type')?.startsWith('application/json'))
            return status === 431 || status === 414 ? undefined : 'an answer that is not JSON'
          return /alert|127\.0\.0\.1:9\b/.test(text) ? text.slice(0, 200) : undefined
        },
      )
    },
  ],
  [
    'oEmbed takes a size that is no size',
    ({ origin, quiz }) =>
      sendEach(
        INVALID_SIZES,
        (size) =>
          oembed(origin, [
            ['url', `${origin}/q/${quiz.id}`],
            ['maxwidth', size],
            ['maxheight', size],
          ]),
        ({ status, text }) => {
          if (status !== 200) return undefined
          const { width, height } = JSON.parse(text) as Record<string, unknown>
          const isSize = [width, height].every((size) => Number.isInteger(size) && Number(size) > 0)
          return isSize ? undefined : text.slice(0, 200)
        },
      ),
  ],
  [
    'the name of a quiz leaves its attribute in the code of oEmbed',
    async ({ origin, client }) => {
      const { id } = await publishedScoreQuiz(client)
      return sendEach(
        HOSTILE_NAMES,
        async (name) => {
          await client.quizzes.update({ id, body: { name } })
          await client.quizzes.publish({ id })
          return oembed(origin, [['url', `${origin}/q/${id}`]])
        },
        ({ status, text }) => {
          assertPrecondition(status === 200, `oEmbed answers ${status}`)
          const isOneTag =
            /^<iframe src="[^"<>]+" title="[^"<>]*" width="\d+" height="\d+" frameborder="0" loading="lazy"><\/iframe>$/
          return isOneTag.test(htmlOf(text)) ? undefined : htmlOf(text)
        },
      )
    },
  ],
]

/** Returns the address of a call of the contract, with `id` for each parameter of the path. */
const addressOf = (origin: string, path: string, id: string): string =>
  `${origin}/api/v1${path.replaceAll(/\{\w+\}/g, id)}`

const ORIGIN_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'a sandboxed frame or another site may read the answer to a call of a creator',
    async ({ origin, quiz, access_token }) => {
      const closed_calls = contractCalls.filter(([, endpoint]) => !endpoint.allows_sandboxed_frames)
      const successes: string[] = []
      for (const [name, { method, path }] of closed_calls)
        for (const from of ['null', 'https://evil.example']) {
          const url = addressOf(origin, path, quiz.id)
          const headers = { origin: from, authorization: `Bearer ${access_token}` }
          const preflight = await send(url, {
            method: 'OPTIONS',
            headers: { origin: from, 'access-control-request-method': method },
          })
          // A deletion would remove the quiz of the scene.
          const response_to_call = method === 'GET' ? await send(url, { headers }) : preflight
          const allowed = [preflight, response_to_call].map((response) =>
            response.headers.get('access-control-allow-origin'),
          )
          if (
            allowed.some(
              (origin_header) =>
                origin_header !== null && (origin_header !== '*' || !/oembed|docs/.test(path)),
            )
          )
            successes.push(`${name} allows ${from}`)
        }
      return successes
    },
  ],
  [
    'a cookie or a form of another site makes a call of a creator',
    ({ origin, quiz, access_token }) =>
      sendEach(
        [
          ['POST', '/quizzes', 'application/json'],
          ['POST', `/quizzes/${quiz.id}/publish`, 'application/json'],
          ['POST', `/quizzes/${quiz.id}/publish`, 'application/x-www-form-urlencoded'],
          ['DELETE', `/quizzes/${quiz.id}`, 'application/json'],
          ['PUT', '/account/preferences', 'text/plain'],
          ['POST', '/account/delete', 'application/json'],
        ] as const,
        ([method, path, type]) => {
          const names = SESSION_COOKIES.map(encodeURIComponent)
          const cookie = names.map((name) => `${name}=${access_token}`).join('; ')
          return send(`${origin}/api/v1${path}`, {
            method,
            body: '{"name":"x","country":"BE","confirmation":"SUPPRIMER"}',
            headers: { origin: 'null', 'content-type': type, cookie },
          })
        },
        expectStatus(401),
      ),
  ],
  [
    'a page of another site submits replies without asking first',
    ({ origin, quiz }) =>
      sendEach(
        ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''],
        (type) =>
          send(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
            body: Buffer.from(
              JSON.stringify({ answers: { [quiz.question_id]: quiz.answer_ids[0] } }),
            ),
            headers: { origin: 'https://evil.example', ...(type && { 'content-type': type }) },
          }),
        ({ status }) => (status === 201 || status === 200 ? 'the replies are stored' : undefined),
      ),
  ],
  [
    'a frame without an origin may send tokens, cookies or other methods',
    ({ origin, quiz }) =>
      sendEach(
        ['authorization', 'cookie', 'x-http-method-override', 'content-type, authorization'],
        (header) =>
          send(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
            method: 'OPTIONS',
            headers: {
              origin: 'null',
              'access-control-request-method': 'DELETE',
              'access-control-request-headers': header,
            },
          }),
        ({ headers }) => {
          const allowed = ['methods', 'headers', 'credentials'].map((name) =>
            headers.get(`access-control-allow-${name}`),
          )
          return /authorization|cookie|override|\*|DELETE|true/i.test(allowed.join())
            ? allowed.join()
            : undefined
        },
      ),
  ],
  [
    'an odd origin is taken for a sandboxed frame',
    ({ origin, quiz }) =>
      sendEach(
        ['NULL', 'null ', 'null.example', 'null, null', '"null"', 'file://', 'data:', '*'],
        (from) =>
          send(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
            body: { answers: {} },
            headers: { origin: from },
          }),
        ({ headers }, from) => {
          const allowed = headers.get('access-control-allow-origin')
          // A final space is not part of a header's value.
          return allowed === null || from.trim() === 'null' ? undefined : `allows ${allowed}`
        },
      ),
  ],
]

/** Attacks through public addresses and through pages of other sites. */
export const publicAddresses = createSceneAttacks(openQuizScene, [
  ...OEMBED_ATTACKS,
  ...ORIGIN_ATTACKS,
])
