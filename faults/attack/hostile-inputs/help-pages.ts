import { request } from 'node:http'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, callInParallel, send } from '../runner/requests.ts'
import { createSceneAttacks, type SceneAttack, sendEach } from '../runner/scene-attacks.ts'
import { CHARACTERS, LONG, MARKUP, ODD_SLUGS, TRAVERSALS } from './help-values.ts'

/** Attacks on the help, its search and the gallery of templates, which answer everybody. */

type Scene = { origin: string }

const openScene = async ({ configuredSite }: AttackContext): Promise<Scene> => ({
  origin: (await configuredSite('without_confirmation')).origin,
})

const PAGE = '/aide/premier-quiz'
const MODEL = '/modeles/roue-de-la-vie'
const BROWSER = { accept: 'text/html' }
const MAX_PAGE_BYTES = 65_536
const MAX_SEARCH_MS = 1_000

/** Sends a GET request with a path that a browser would clean, such as one with `..`. */
const sendRawPath = (origin: string, path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    request(origin, { path, headers: BROWSER }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
      response.on('error', reject)
    })
      .on('error', reject)
      .end()
  })

/** Returns a line if a page has more than its own text: scripts, files of the server, or a size that grows. */
const findForeignContent = ({ text, bytes, headers }: Answer): string | undefined => {
  if (/root:x:0|"dependencies"|PRIVATE KEY|createPageStore|import assert/.test(text))
    return 'a file of the server'
  if (
    /<script(?! type="application\/ld\+json")|<img src=x|onerror=alert|(?:href|src|action)="javascript:/i.test(
      unmarked(text),
    )
  )
    return 'markup of the attacker'
  if (bytes.length > MAX_PAGE_BYTES) return `${bytes.length} bytes`
  const policy = headers.get('content-security-policy') ?? ''
  return /script-src 'none'|default-src 'none'/.test(policy) ? undefined : `the policy ${policy}`
}

/** Returns a page without the escaped text of the search, which shows what was typed. */
const unmarked = (text: string): string =>
  text.replaceAll(/&lt;.*?&gt;/gs, '').replaceAll(/value="[^"]*"/g, '')

const search = (origin: string, typed: string): Promise<Answer> =>
  send(`${origin}/aide?q=${encodeURIComponent(typed)}`, { headers: BROWSER })

const findSlowSearch = (answer: Answer): string | undefined =>
  answer.ms > MAX_SEARCH_MS ? `${Math.round(answer.ms)} ms` : findForeignContent(answer)

const ATTACKS: SceneAttack<Scene>[] = [
  [
    'a path of the help leads to a file of the server',
    async ({ origin }) => {
      const successes: string[] = []
      for (const path of TRAVERSALS) {
        const { status, text } = await sendRawPath(origin, path)
        const isFile = /root:x:0|"dependencies"|import |^Mots : |## Résultats/.test(text)
        if (status >= 500 || isFile) successes.push(`${path}: status ${status}`)
      }
      return successes
    },
  ],
  [
    'an odd name of a page of the help breaks the server or is stored',
    ({ origin }) =>
      sendEach(
        ODD_SLUGS.flatMap((slug) => [`/aide/${slug}`, `/modeles/${slug}`, `/aide/images/${slug}`]),
        (path) => send(origin + path, { headers: BROWSER }),
        (answer) => {
          // A malformed address of a browser leads to the sign-in, as other unknown ones do.
          if (answer.status === 302 && answer.headers.get('location') === '/login') return undefined
          if (![400, 404, 414, 431].includes(answer.status)) return `status ${answer.status}`
          return /no-store/.test(answer.headers.get('cache-control') ?? 'no-store')
            ? undefined
            : 'an answer that caches keep'
        },
      ),
  ],
  [
    'another spelling of a page of the help gets a copy of its own',
    ({ origin }) =>
      sendEach(
        [
          '/aide/%70remier-quiz',
          '/aide//premier-quiz',
          `${PAGE}/`,
          `${PAGE};a=1`,
          '/AIDE',
          '/aide/',
          '/modeles/',
          `${MODEL}/`,
        ],
        (path) => send(origin + path, { headers: BROWSER }),
        ({ status, text }) =>
          status === 200 &&
          /<h1>(?:Votre premier quiz|Votre roue de la vie|Aide|Modèles)/.test(text)
            ? 'a copy'
            : undefined,
      ),
  ],
  [
    'markup in a search of the help becomes part of the page',
    ({ origin }) => sendEach(MARKUP, (typed) => search(origin, typed), findForeignContent),
  ],
  [
    'controls, directions and emoji in a search of the help reach the page or a header',
    ({ origin }) =>
      sendEach(
        CHARACTERS,
        (typed) => send(`${origin}/aide?q=${encodeURIComponent(typed.toWellFormed())}`),
        (answer) => {
          if (answer.headers.get('set-cookie')) return 'a cookie'
          if (/[\0\u202d\u202e\u2066]/.test(answer.text)) return 'a control in the page'
          return findSlowSearch(answer)
        },
      ),
  ],
  [
    'bytes that are no text break the search of the help',
    ({ origin }) =>
      sendEach(
        ['%', '%zz', '%FF', '%C3%28', '%ED%A0%80', '%E2%82', '%00%00'],
        (bytes) => send(`${origin}/aide?q=${bytes}`),
        findSlowSearch,
      ),
  ],
  [
    'a long search of the help takes long or makes a large page',
    ({ origin }) => sendEach(LONG, (typed) => search(origin, typed), findSlowSearch),
  ],
  [
    'a search with repeated or structured parameters breaks the help',
    ({ origin }) =>
      sendEach(
        [
          'q=a&q=b&q=c',
          'q[]=a',
          'q[a]=b',
          'q.length=9',
          '__proto__=q&q=a',
          'constructor[prototype][q]=a',
          Array.from({ length: 900 }, (_, rank) => `q=${rank}`).join('&'),
          'q',
          'q=&q=grille',
        ],
        (query) => send(`${origin}/aide?${query}`),
        findSlowSearch,
      ),
  ],
  [
    'a header changes the addresses in the help',
    ({ origin }) =>
      sendEach(
        [
          ['x-forwarded-host', 'evil.example'],
          ['x-forwarded-proto', 'javascript'],
          ['forwarded', 'host=evil.example'],
          ['x-original-url', '/admin'],
          ['x-rewrite-url', '/admin'],
          ['x-forwarded-prefix', '/evil.example'],
          ['accept-language', '"><script>alert(1)</script>'],
        ] as const,
        ([name, value]) => send(origin + PAGE, { headers: { ...BROWSER, [name]: value } }),
        (answer) =>
          /evil\.example/.test(answer.text) ? 'another host' : findForeignContent(answer),
      ),
  ],
  [
    'a poisoned answer of the help is kept for the next visitor',
    async ({ origin }) => {
      const clean = await send(origin + PAGE, { headers: BROWSER })
      await callInParallel(40, (rank) =>
        send(`${origin}${PAGE}?x=${rank}`, {
          headers: { ...BROWSER, 'x-forwarded-host': 'evil.example', 'accept-encoding': 'br' },
        }),
      )
      const again = await send(origin + PAGE, { headers: BROWSER })
      assertPrecondition(clean.status === 200, `the page answers ${clean.status}`)
      return again.text === clean.text && again.headers.get('etag') === clean.headers.get('etag')
        ? []
        : ['another page']
    },
  ],
  [
    'a search of the help is stored by a cache',
    ({ origin }) =>
      sendEach(
        ['grille', 'zzzz', ''],
        (typed) => search(origin, typed),
        ({ headers }) => {
          const caching = headers.get('cache-control') ?? ''
          const isKept = headers.get('etag') !== null || headers.get('cdn-cache-control') !== null
          return caching === 'no-store' && !isKept ? undefined : `caching ${caching}`
        },
      ),
  ],
  [
    'a conditional request gets a page of the help that does not fit its address',
    async ({ origin }) => {
      const { headers } = await send(origin + PAGE)
      const etag = headers.get('etag') ?? ''
      assertPrecondition(etag !== '', 'the page has no validator')
      return sendEach(
        ['*', `W/${etag}`, `"x", ${etag}`, '"x"', '"'.repeat(6_000), etag.repeat(200)],
        (known) => send(`${origin}/aide/glossaire`, { headers: { 'if-none-match': known } }),
        ({ status }, known) =>
          status === 304 && known !== '*' ? 'an unknown page as unchanged' : undefined,
      )
    },
  ],
  [
    'a HEAD request for the help has a body, or headers of another page',
    async ({ origin }) => {
      const get = await send(origin + PAGE)
      return sendEach(
        [PAGE],
        (path) => send(origin + path, { method: 'HEAD' }),
        (head) => {
          if (head.bytes.length > 0) return 'a body'
          return head.status === 200 && head.headers.get('etag') === get.headers.get('etag')
            ? undefined
            : `status ${head.status}, ${head.headers.get('etag')}`
        },
      )
    },
  ],
  [
    'another method changes or opens something in the help',
    ({ origin }) =>
      sendEach(
        ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].flatMap((method) =>
          ['/aide', PAGE, MODEL, '/sitemap.xml', '/robots.txt'].map(
            (path) => [method, path] as const,
          ),
        ),
        ([method, path]) => send(origin + path, { method }),
        ({ status, headers }) => {
          if (headers.get('access-control-allow-origin')) return 'allowed for other sites'
          return status >= 400 || status === 204 ? undefined : `status ${status}`
        },
      ),
  ],
  [
    'another site shows the help in a frame, or a picture of it as a page',
    ({ origin }) =>
      sendEach(
        ['/aide', PAGE, MODEL, '/aide?q=grille', '/aide/inconnue', '/aide/images/questions.webp'],
        (path) => send(origin + path),
        ({ headers }) => {
          const policy = headers.get('content-security-policy') ?? ''
          if (!policy.includes("frame-ancestors 'none'")) return policy
          if (headers.get('x-content-type-options') !== 'nosniff') return 'a guessed type'
          return headers.get('x-frame-options') === 'DENY' ? undefined : 'a frame'
        },
      ),
  ],
  [
    'many searches of the help at once delay other visitors',
    async ({ origin }) => {
      const searching = callInParallel(
        400,
        (rank) => search(origin, `grille palier webhook dimension email quiz page ${rank}`),
        20,
      )
      const waits: number[] = []
      for (let visit = 0; visit < 10; visit++) waits.push((await send(origin + PAGE)).ms)
      await searching
      const longest = Math.max(...waits)
      return longest > MAX_SEARCH_MS ? [`a page after ${Math.round(longest)} ms`] : []
    },
  ],
]

/** Attacks on the public help and gallery. */
export const helpPages = createSceneAttacks(openScene, ATTACKS)
