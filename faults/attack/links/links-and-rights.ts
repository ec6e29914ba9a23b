import { randomUUID } from 'node:crypto'
import { MAPPING_SOURCES } from '#domain/deliveries/field-mappings.ts'
import { uuidBytes } from '#server/runtime/signed-links.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import { callApi, callPage, type LinksScene, openLinksScene, submitAs } from './links-scene.ts'

/** Variant of an attack; returns true if the attacker has success. */
type Variant = [name: string, succeeds: (scene: LinksScene) => Promise<boolean>]

const LINK = /\/(rapport|attestation|ma-page)\/[\w-]{20,}|"documents"/
const hasLink = ({ text }: { text: string }): boolean => LINK.test(text)
const opens = async (scene: LinksScene, path: string): Promise<boolean> =>
  (await callPage(scene, path)).status === 200

/** Ways to use the id of a participant, which keys may read. */
const ID_USES: Variant[] = [
  ['the id is submitted again', async (scene) => hasLink(await submitAs(scene, scene))],
  [
    'the id is submitted again with a guessed secret',
    async (scene) =>
      hasLink(await submitAs(scene, { ...scene, run_secret: 'x'.repeat(RUN_SECRET.length) })),
  ],
  [
    'the id is its own secret',
    async (scene) =>
      hasLink(await submitAs(scene, { ...scene, run_secret: scene.participant_uuid })),
  ],
  [
    'the id is submitted with wrong replies, which are refused',
    async (scene) => hasLink(await submitAs(scene, scene, {})),
  ],
  [
    'the id is submitted again after the withdrawal of the quiz',
    async (scene) => {
      await scene.client.quizzes.update({ id: scene.quiz.id, body: { status: 'Brouillon' } })
      const answer = await submitAs(scene, scene)
      await scene.client.quizzes.publish({ id: scene.quiz.id })
      return hasLink(answer)
    },
  ],
  [
    'the id opens the result without scripts',
    async (scene) => opens(scene, `/resultat?participant=${scene.participant_uuid}`),
  ],
  [
    'the id and a guessed secret open the result without scripts',
    async (scene) =>
      opens(scene, `/resultat?participant=${scene.participant_uuid}&secret=${'x'.repeat(32)}`),
  ],
  [
    'a form without scripts carries the id of the victim',
    async (scene) => {
      const form = { ...scene.answers, participant_uuid: scene.participant_uuid }
      const page = await callPage(scene, '/resultat?version=1', {
        body: new URLSearchParams(form),
        follows_redirects: true,
      })
      return hasLink(page)
    },
  ],
  [
    'a repeated submission tells the replies of the victim',
    async (scene) => {
      const own = { ...scene.answers, [scene.quiz.first_name_id]: 'Curieux' }
      return (await submitAs(scene, scene, own)).text.includes('Victime')
    },
  ],
]

/** Calls with an API key that may read; an answer must not contain links of participants. */
const KEY_READS: Variant[] = [
  ...MAPPING_SOURCES.map(
    (source): Variant => [
      `dry run of ${source}`,
      async (scene) => {
        const path = `/dry-run?source=${source}&question_id=${scene.quiz.question_id}`
        return hasLink(await callApi(scene, path, { token: scene.key }))
      },
    ],
  ),
  [
    'list of replies',
    async (scene) => hasLink(await callApi(scene, '/responses', { token: scene.key })),
  ],
  ...(['csv', 'json', 'csv_excel'] as const).map(
    (format): Variant => [
      `file of replies (${format})`,
      async (scene) => {
        const body = { format, choices: 'joined' }
        const link = await callApi(scene, '/exports', { token: scene.key, body })
        const file = await send(scene.origin + String(link.json.url))
        assertPrecondition(file.text.includes('victime@exemple.fr'), 'the file has no replies')
        return hasLink(file)
      },
    ],
  ),
  [
    'data of a person',
    async ({ origin, key }) => {
      const body = { email: 'victime@exemple.fr' }
      return hasLink(await send(`${origin}/api/v1/people/find`, { token: key, body }))
    },
  ],
]

const SEGMENTS = { report: 'rapport', certificate: 'attestation', own_page: 'ma-page' } as const
type Kind = keyof typeof SEGMENTS
const KINDS = Object.keys(SEGMENTS) as Kind[]

/** Ways to compute one link from another one. */
const LINK_FORGERIES: Variant[] = [
  ...KINDS.flatMap((other) =>
    KINDS.filter((kind) => kind !== other).map(
      (kind): Variant => [
        `the link of the ${other} is used at the address of the ${kind}`,
        async (scene) => opens(scene, `/${SEGMENTS[kind]}/${scene.tokens[other]}`),
      ],
    ),
  ),
  ...KINDS.map(
    (kind): Variant => [
      `the link of the ${kind} shows the id of its participant`,
      async ({ tokens, participant_uuid }) =>
        Buffer.from(tokens[kind], 'base64url').includes(uuidBytes(participant_uuid)),
    ],
  ),
  [
    'the halves of two links are joined',
    async (scene) => {
      const { report, certificate } = scene.tokens
      const [one, other] = [report, certificate].map((token) => Buffer.from(token, 'base64url'))
      const joined = [one, other].flatMap((first) =>
        [one, other].map((last) =>
          Buffer.concat([
            first?.subarray(0, 16) ?? Buffer.of(),
            last?.subarray(16) ?? Buffer.of(),
          ]).toString('base64url'),
        ),
      )
      const forged = joined.filter((token) => token !== report && token !== certificate)
      const paths = forged.flatMap((token) =>
        Object.values(SEGMENTS).map((segment) => `/${segment}/${token}`),
      )
      return (await Promise.all(paths.map((path) => opens(scene, path)))).some(Boolean)
    },
  ],
]

/** Ways to use the id or a link of a participant who was erased. */
const ID_USES_AFTER_ERASURE: Variant[] = [
  [
    'the erased id is submitted again',
    async (scene) => (await submitAs(scene, scene)).status < 300,
  ],
  [
    'the erased id is submitted again with its secret and another name',
    async (scene) => {
      const forged = { ...scene.answers, [scene.quiz.first_name_id]: 'Nom Inventé' }
      return (await submitAs(scene, { ...scene, run_secret: RUN_SECRET }, forged)).status < 300
    },
  ],
  ...KINDS.map(
    (kind): Variant => [
      `the link of the ${kind} shows the forged participant`,
      async (scene) => opens(scene, `/${SEGMENTS[kind]}/${scene.tokens[kind]}`),
    ],
  ),
]

const CONTENT = /Votre agenda|Rempli|Libre|Où vous écrire|Pas à pas|Grand saut/
/** Calls for a quiz that is not open; an answer must not contain its texts. */
const CLOSED_QUIZ_CALLS: Variant[] = [
  ...[{}, { [randomUUID()]: 'x' }].map(
    (answers, index): Variant => [
      `wrong replies ${index + 1}`,
      async (scene) =>
        CONTENT.test((await submitAs(scene, { participant_uuid: randomUUID() }, answers)).text),
    ],
  ),
  ['snapshot', async (scene) => CONTENT.test((await callApi(scene, '/snapshot')).text)],
  ['page', async (scene) => CONTENT.test((await callPage(scene)).text)],
  ...[1, 2].map(
    (rank): Variant => [
      `card of result ${rank}`,
      async (scene) => {
        const { headers } = await callPage(scene, `/image-1-r${rank}.png`)
        return headers.get('content-type')?.includes('image') === true
      },
    ],
  ),
]

const runVariants = async (
  context: AttackContext,
  variants: readonly Variant[],
  prepare: (scene: LinksScene) => Promise<unknown> = async () => undefined,
): Promise<string[]> => {
  const scene = await openLinksScene(context)
  await prepare(scene)
  const successes: string[] = []
  for (const [name, succeeds] of variants) if (await succeeds(scene)) successes.push(name)
  context.note(`${variants.length} variants`)
  return successes
}

const SOLUTIONS = /"is_correct"|"explanation|Parce que/

/** Attacks on the links and rights of participants, and on quizzes that are not open. */
export const linksAndRights: Attack[] = [
  {
    name: 'somebody with the id of a participant gets their links',
    run: (context) => runVariants(context, ID_USES),
  },
  {
    name: 'a key for reading gets links of participants',
    run: (context) => runVariants(context, KEY_READS),
  },
  {
    name: 'the holder of one link of a participant opens another one',
    run: (context) => runVariants(context, LINK_FORGERIES),
  },
  {
    name: 'the id of an erased participant is used again',
    run: (context) =>
      runVariants(
        context,
        ID_USES_AFTER_ERASURE,
        ({ client, quiz, participant_uuid: participantId }) =>
          client.participants.remove({ id: quiz.id, participantId }),
      ),
  },
  {
    name: 'a quiz that is not open yet tells its content',
    run: (context) =>
      runVariants(context, CLOSED_QUIZ_CALLS, ({ client, quiz: { id } }) =>
        client.quizzes.update({ id, body: { opens_at: '2900-12-03T08:00:00Z' } }),
      ),
  },
  {
    name: 'a withdrawn quiz tells its content',
    run: (context) =>
      runVariants(context, CLOSED_QUIZ_CALLS, ({ client, quiz: { id } }) =>
        client.quizzes.update({ id, body: { status: 'Brouillon' } }),
      ),
  },
  {
    name: 'a quiz without corrections tells the right answers',
    run: (context) =>
      runVariants(
        context,
        [
          ['snapshot', async (scene) => SOLUTIONS.test((await callApi(scene, '/snapshot')).text)],
          ['page', async (scene) => SOLUTIONS.test((await callPage(scene)).text)],
        ],
        async ({ client, quiz: { id, question_id, answer_ids } }) => {
          const { revision } = await client.drafts.get({ id })
          const body = {
            based_on: revision,
            questions: [{ id: question_id, explanation: 'Parce que oui.' }],
            answers: [{ id: answer_ids[1] ?? '', question_id, is_correct: true }],
          }
          await client.drafts.save({ id, body })
          await client.quizzes.publish({ id })
        },
      ),
  },
]
