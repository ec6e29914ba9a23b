import {
  type PrefilledSondage,
  publishPrefilledSondage,
} from '#server/testing/quizzes/prefilled-sondage.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks through the values of prefilled links, with scripts and without them. */

type Scene = QuizScene & { sondage: PrefilledSondage; page: string }

const openScene = async (context: AttackContext): Promise<Scene> => {
  const scene = await openQuizScene(context)
  const sondage = await publishPrefilledSondage(scene.client)
  return { ...scene, sondage, page: `${scene.origin}/q/${sondage.id}` }
}

const repliesOf = ({ text }: Answer): Record<string, unknown> => {
  const [, data] = /id="prefilled">([^<]*)</.exec(text) ?? []
  assertPrecondition(data !== undefined, 'the page has no data of a prefilled link')
  return (JSON.parse(data ?? '{}') as { replies: Record<string, unknown> }).replies
}

/** Returns a check for `sendEach`: a page that fills in anything is a success of the attacker. */
const expectNothing = (answer: Answer): string | undefined => {
  const filled = JSON.stringify(repliesOf(answer))
  return filled === '{}' ? undefined : `fills in ${filled.slice(0, 200)}`
}

const MARKUP = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus=alert(1) autofocus='",
  '</noscript><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '\u2028</script\u2029>',
]
const MAX_TIME_MS = 500

const isMarkup = ({ text }: Answer): string | undefined =>
  /<script>alert|<img src=x|<!--<script/.exec(text.replaceAll('\\u003c', ''))?.[0]

/** Query of about the longest address that the server accepts. */
const LONG = 15_000

const ATTACKS: SceneAttack<Scene>[] = [
  [
    'a value of a prefilled link becomes markup of the page',
    ({ page }) =>
      sendEach(MARKUP, (text) => send(`${page}?q.1=${encodeURIComponent(text)}`), isMarkup),
  ],
  [
    'a value of a prefilled link becomes markup of the form without scripts',
    ({ page }) =>
      sendEach(
        MARKUP,
        (text) =>
          send(
            `${page}?q.1=${encodeURIComponent(text)}&q.7=${encodeURIComponent(text)}&noscript=1`,
          ),
        isMarkup,
      ),
  ],
  [
    'another parameter of a prefilled link becomes markup of its way to the form without scripts',
    ({ page }) =>
      sendEach(
        [...MARKUP, '0;url=https://evil.example', 'javascript:alert(1)'],
        (text) => send(`${page}?q.1=a&x=${encodeURIComponent(text)}&${encodeURIComponent(text)}`),
        (answer) => isMarkup(answer) ?? /content="0;url=(?!\/q\/)[^"]*/.exec(answer.text)?.[0],
      ),
  ],
  [
    'a path of a prefilled link leads browsers without scripts to another site',
    ({ origin, sondage }) =>
      sendEach(
        [`//evil.example/q/${sondage.id}`, `/\\evil.example/q/${sondage.id}`, `/q//${sondage.id}`],
        (path) => send(`${origin}${path}?q.1=a`),
        ({ text, headers }) =>
          /url=(?:\/\/|\/\\|http)[^"]*/.exec(text)?.[0] ??
          /^(?:\/\/|https?:\/\/evil).*/.exec(headers.get('location') ?? '')?.[0],
      ),
  ],
  [
    'a prefilled link ticks the consent, or sets the secret or the id of a run',
    ({ page }) =>
      sendEach(
        [
          'consent=1',
          'q.consent=1',
          'run_secret=x',
          'q.run_secret=x',
          'participant_uuid=x',
          'q.participant_uuid=x',
          'website=x',
          'corrected=1',
          'q.corrected=1',
        ],
        (query) => send(`${page}?q.99=x&${query}`),
        expectNothing,
      ),
  ],
  [
    'a name of a prefilled link reaches the properties of objects',
    ({ page }) =>
      sendEach(
        ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '%5F_proto__'],
        (name) => send(`${page}?q.${name}=x&${name}=x&q.${name}.x=y`),
        expectNothing,
      ),
  ],
  [
    'a prefilled link shows a merge tag, an invisible text or broken bytes',
    ({ page }) =>
      sendEach(
        [
          '{{contact.PRENOM}}',
          '%7B%7Bx%7D%7D',
          '{first_name}',
          '%FIRSTNAME%',
          '*|FNAME|*',
          '%E2%80%8B%E2%80%8F',
          '%ED%A0%80',
          '%00%00',
          '%E2%80%AE',
          '+++',
        ],
        (value) => send(`${page}?prenom=${value}&q.7=${value}&email=${value}`),
        expectNothing,
      ),
  ],
  [
    'a prefilled link gives a reply that the question does not accept',
    ({ page, sondage }) =>
      sendEach(
        [
          'q.note=11',
          'q.note=-0',
          'q.note=1e1',
          'q.note=%EF%BC%99',
          `q.3=${sondage.answers.one[0]}`,
          'q.3=Oui|Non',
          'q.3=0',
          'q.5=99|-1|Autre:',
          'q.6=2026-02-30',
          'q.6=99/99/9999',
          'email=a@b',
          'email=a@b.fr,c@d.fr',
          'email=a@b.fr%0Abcc:c@d.fr',
        ],
        (query) => send(`${page}?${query}`),
        expectNothing,
      ),
  ],
  [
    'a long prefilled link, or one with many parameters, keeps the server busy',
    ({ page }) =>
      sendEach(
        [
          'q.1=&'.repeat(LONG / 5),
          `q.1=${'a'.repeat(LONG)}`,
          `q.7=${'%CC%81'.repeat(LONG / 6)}`,
          `q.5=${'|'.repeat(LONG)}`,
          `q.5=${'1|'.repeat(LONG / 2)}`,
          `q.${'a'.repeat(LONG)}=1`,
          `${'%C3%A9'.repeat(LONG / 6)}=1&q.1=a`,
          `q.6=${'1/'.repeat(LONG / 2)}`,
          `email=${'a@'.repeat(LONG / 2)}`,
          `q.1=${'%7B'.repeat(LONG / 3)}`,
          `q.1=${'+'.repeat(LONG)}x`,
        ],
        (query) => send(`${page}?${query}`),
        ({ ms }) => (ms > MAX_TIME_MS ? `an answer after ${Math.round(ms)} ms` : undefined),
      ),
  ],
  [
    'a prefilled page stays in a cache of browsers, CDNs or the server',
    async ({ page, origin }) => {
      const cached = await sendEach(
        ['?q.1=a', '?q.1=a&embed=1', '?q.1=a&noscript=1'],
        (query) => send(page + query),
        ({ headers }) => {
          const caching = `${headers.get('cache-control')} ${headers.get('cdn-cache-control')}`
          return /^(?:no-store|private, no-cache) null$/.test(caching) ? undefined : caching
        },
      )
      const count = async (): Promise<string | undefined> =>
        /page_cache_pages (\d+)/.exec((await send(`${origin}/metrics`)).text)?.[1]
      const before = await count()
      for (let nr = 0; nr < 50; nr++) await send(`${page}?q.1=${nr}&utm_source=${nr}&r=${nr}`)
      const after = await count()
      return before === after ? cached : [...cached, `${before} pages became ${after}`]
    },
  ],
  [
    'a prefilled link changes the page of visitors without values',
    async ({ page }) => {
      const { bytes } = await send(page)
      await send(`${page}?q.1=Secret`)
      return sendEach(
        ['', '?utm_source=x', '?noscript=1', '?q=1', '?q.=', '?prenom'],
        (query) => send(page + query),
        (answer, query) =>
          answer.text.includes('Secret') ||
          (!/q\.|prenom/.test(query) && !answer.bytes.equals(bytes))
            ? 'another page'
            : undefined,
      )
    },
  ],
  [
    'a prefilled link stores a participant, or its values as parameters',
    async ({ client, page, sondage }) => {
      for (const query of ['?prenom=Eve&email=eve@exemple.fr&q.3=Non', '?q.1=Eve&noscript=1'])
        await send(page + query)
      const form = new URLSearchParams({ [sondage.questions.first]: 'Ada' })
      const answer = await send(`${page}?version=1&page=0`, {
        method: 'POST',
        body: form,
        headers: { referer: `${page}?q.1=Eve&utm_source=mail` },
      })
      const { quiz } = await client.quizzes.get({ id: sondage.id })
      const successes = quiz.nb_responses === 0 ? [] : [`${quiz.nb_responses} participants`]
      return answer.text.includes('Eve') ? [...successes, 'a value in the next form'] : successes
    },
  ],
]

/** Attacks through prefilled links. */
export const prefilledLinks = createSceneAttacks(openScene, ATTACKS)
