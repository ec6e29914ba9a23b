import { randomUUID } from 'node:crypto'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import type { AttackContext } from '../runner/attack.ts'
import { type Answer, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks through addresses with typing slips, about which the server asks visitors without scripts. */

/** Published sondage with an address on its first page and a text on its second. */
type Scene = QuizScene & { id: string; email: string; text: string }

const openScene = async (context: AttackContext): Promise<Scene> => {
  const scene = await openQuizScene(context)
  const [email, text] = [randomUUID(), randomUUID()]
  const created = { name: 'Courrier', type: 'sondage' as const }
  const { id } = (await scene.client.quizzes.create({ body: created })).quiz
  const questions = [
    { id: email, type: 'email' as const, text: 'Votre adresse ?' },
    { id: text, type: 'text' as const, text: 'Votre ville ?', page_number: 2, is_required: false },
  ]
  await scene.client.questions.saveDraft({ id, body: { questions } })
  await scene.client.quizzes.publish({ id })
  return { ...scene, id, email, text }
}

/** Posts the first page with an address and other fields, as a browser without scripts does. */
const postPage = (
  { origin, id, email }: Scene,
  address: string,
  fields: [name: string, value: string][] = [],
  query = 'version=1&page=1',
): Promise<Answer> =>
  send(`${origin}/q/${id}?${query}`, {
    body: new URLSearchParams([[email, address], ...fields]),
  })

/** Returns the addresses that the page offers as choices. */
const choicesOf = ({ text }: Answer): string[] =>
  Array.from(text.matchAll(/<input type="radio"[^>]*value="([^"]*)"/g), ([, value = '']) => value)
const MARKUP = /<script>x|<img src=x|"onfocus=x|'onfocus=x/
const findMarkup = ({ text }: Answer): string | undefined => MARKUP.exec(text)?.[0]
const expectNoChoice = (answer: Answer): string | undefined =>
  choicesOf(answer).length > 0 ? `offers ${choicesOf(answer).join(' and ')}` : undefined

const MAX_TIME_MS = 500
const expectFastAnswer = ({ ms }: Answer): string | undefined =>
  ms > MAX_TIME_MS ? `an answer after ${Math.round(ms)} ms` : undefined

const SLIP = 'camille@gmial.com'

const ATTACKS: SceneAttack<Scene>[] = [
  [
    'an address with a typing slip becomes markup of the page with choices',
    (scene) =>
      sendEach(
        [
          '"<script>x</script>"@gmial.com',
          '<img src=x onerror=x>@gmial.com',
          '"onfocus=x autofocus="@gmial.com',
          "'onfocus=x'@gmial.com",
          'a@gmial.com"><script>x',
          'a@<script>x.con',
          'a@x.con"onfocus=x',
        ],
        (address) => postPage(scene, address),
        findMarkup,
      ),
  ],
  [
    'a long address keeps the server busy while it looks for a slip',
    (scene) =>
      sendEach(
        ['a', 'gmail', 'gmial.', '@', '.', ',', 'gm ', 'hotmial@', 'é', '\u0301\u0323'].map(
          (piece) => `a@${piece.repeat(20_000 / piece.length)}`,
        ),
        (address) => postPage(scene, address),
        expectFastAnswer,
      ),
  ],
  [
    'a domain as long as an address may be keeps the server busy',
    (scene) =>
      sendEach(
        ['g', 'gm', 'gmai', 'l.', 'hotmai', 'orang', 'oe', 'wanado', 'o.o', 'x,'].map((piece) =>
          `a@${piece.repeat(LIMITS.email)}`.slice(0, LIMITS.email),
        ),
        (address) => postPage(scene, address),
        expectFastAnswer,
      ),
  ],
  [
    'a text of a stranger as the local part or the domain breaks the page with choices',
    (scene) =>
      sendEach(
        Object.values(STRANGER_TEXTS).flatMap((shape) => [
          `${shape(200)}@gmial.com`,
          `a@${shape(200)}.con`,
        ]),
        (address) => postPage(scene, address),
        ({ status }) => (status >= 500 ? `status ${status}` : undefined),
      ),
  ],
  [
    'a domain reaches the properties of objects',
    (scene) =>
      sendEach(
        [
          '__proto__',
          'constructor',
          'toString',
          'hasOwnProperty',

          'x.constructor',
        ],
        (domain) => postPage(scene, `a@${domain}`),
        expectNoChoice,
      ),
  ],
  [
    'a suggestion leads to another person or to a domain that is no provider',
    (scene) =>
      sendEach(
        ['a@b@gmial.com', 'CAMILLE+x@GMIAL.COM', 'a.b@gmial.com', "o'hara@gmial.com"],
        (address) => postPage(scene, address),
        (answer, address) => {
          const [suggested, ...typed] = choicesOf(answer)
          if (suggested === undefined) return undefined
          const local = address.slice(0, address.lastIndexOf('@'))
          const isSame = suggested.replaceAll('&#x27;', "'") === `${local}@gmail.com`
          return isSame && typed.length === 1 ? undefined : `offers ${suggested}`
        },
      ),
  ],
  [
    'a right address of a rare or an international domain gets a suggestion',
    (scene) =>
      sendEach(
        [
          'a@gmail.com',
          'a@mail.com',
          'a@lacoste.net',
          'a@fre.fr',
          'a@xn--caf-dma.fr',
          'a@café.fr',
          'a@mairie-orange.fr',
          'a@пример.рф',
          'a@例え.jp',
          'a@univ-paris1.fr',
        ],
        (address) => postPage(scene, address),
        expectNoChoice,
      ),
  ],
  [
    'a forged list of asked addresses breaks the run',
    (scene) =>
      sendEach(
        ['0', '999', '-1', '0.0.0', '1e9', `${'0.'.repeat(5_000)}0`, '<script>x', '\0', '[0]', '٠'],
        (asked) => postPage(scene, SLIP, [['asked_emails', asked]]),
        (answer) => findMarkup(answer) ?? (answer.status === 200 ? undefined : `${answer.status}`),
      ),
  ],
  [
    'the question about an address stores a participant or loses one',
    async (scene) => {
      const successes: string[] = []
      const { nb_responses } = (await scene.client.quizzes.get({ id: scene.id })).quiz
      await postPage(scene, SLIP)
      await send(`${scene.origin}/q/${scene.id}/resultat?version=1`, {
        body: new URLSearchParams([[scene.email, SLIP]]),
      })
      const asked = (await scene.client.quizzes.get({ id: scene.id })).quiz.nb_responses
      if (asked !== nb_responses) successes.push('the question stored a participant')
      const uuid = randomUUID()
      const fields = new URLSearchParams([
        [scene.email, SLIP],
        ['asked_emails', '0'],
        ['participant_uuid', uuid],
        ['run_secret', 'a-secret-of-a-run-without-scripts'],
      ])
      for (let nr = 0; nr < 2; nr++)
        await send(`${scene.origin}/q/${scene.id}/resultat?version=1`, { body: fields })
      const stored = (await scene.client.quizzes.get({ id: scene.id })).quiz.nb_responses
      if (stored !== nb_responses + 1) successes.push(`${stored - nb_responses} participants`)
      return successes
    },
  ],
  [
    'the page with choices stays in a cache, is indexed or reaches the log',
    async (scene) => {
      const answer = await postPage(scene, 'jamais-dans-un-journal@gmial.com')
      const caching = answer.headers.get('cache-control') ?? ''
      return /no-store|private/.test(caching) ? [] : [`cache-control: ${caching}`]
    },
  ],
  [
    'a page of another site makes the server ask in the name of a visitor',
    (scene) =>
      sendEach(
        ['cross-site', 'same-site'],
        (site) =>
          send(`${scene.origin}/q/${scene.id}?version=1&page=1`, {
            body: new URLSearchParams([[scene.email, SLIP]]),
            headers: { 'sec-fetch-site': site, origin: 'https://evil.example' },
          }),
        ({ status }) => (status === 403 ? undefined : `status ${status}`),
      ),
  ],
]

/** Attacks through addresses with typing slips. */
export const emailSlipAttacks = createSceneAttacks(openScene, ATTACKS)
