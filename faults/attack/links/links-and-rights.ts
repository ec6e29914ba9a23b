import { randomUUID } from 'node:crypto'
import { MAPPING_SOURCES } from '#domain/deliveries/field-mappings.ts'
import { uuidBytes } from '#server/runtime/signed-links.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { ask, type LinksScene, openLinksScene, submitTo } from './links-scene.ts'

/** Variant of an attack; returns true if the attacker has success. */
type Variant = [name: string, succeeds: (scene: LinksScene) => Promise<boolean>]

const LINK = /\/(rapport|attestation|ma-page)\/[\w-]{20,}|"documents"/
const hasLink = ({ text }: { text: string }): boolean => LINK.test(text)
const opens = async (url: string): Promise<boolean> => (await ask(url)).status === 200
const quizUrl = ({ origin, quiz }: LinksScene): string => `${origin}/q/${quiz.id}`
const apiUrl = ({ origin, quiz }: LinksScene): string => `${origin}/api/v1/quizzes/${quiz.id}`

/** Ways to use the id of a participant, which keys may read. */
const USES_OF_AN_ID: Variant[] = [
  ['the id is submitted again', async (scene) => hasLink(await submitTo(scene, scene))],
  [
    'the id is submitted again with a guessed secret',
    async (scene) =>
      hasLink(await submitTo(scene, { ...scene, run_secret: 'x'.repeat(RUN_SECRET.length) })),
  ],
  [
    'the id is its own secret',
    async (scene) =>
      hasLink(await submitTo(scene, { ...scene, run_secret: scene.participant_uuid })),
  ],
  [
    'the id is submitted with wrong replies, which are refused',
    async (scene) => hasLink(await submitTo(scene, scene, {})),
  ],
  [
    'the id is submitted again after the withdrawal of the quiz',
    async (scene) => {
      await scene.client.quizzes.update({ id: scene.quiz.id, body: { status: 'Brouillon' } })
      const answer = await submitTo(scene, scene)
      await scene.client.quizzes.publish({ id: scene.quiz.id })
      return hasLink(answer)
    },
  ],
  [
    'the id opens the result without scripts',
    async (scene) => opens(`${quizUrl(scene)}/resultat?participant=${scene.participant_uuid}`),
  ],
  [
    'the id and a guessed secret open the result without scripts',
    async (scene) =>
      opens(
        `${quizUrl(scene)}/resultat?participant=${scene.participant_uuid}&secret=${'x'.repeat(32)}`,
      ),
  ],
  [
    'a form without scripts carries the id of the victim',
    async (scene) => {
      const form = { ...scene.answers, participant_uuid: scene.participant_uuid }
      const sent = await fetch(`${quizUrl(scene)}/resultat?version=1`, {
        method: 'POST',
        redirect: 'follow' as const,
        body: new URLSearchParams(form),
      })
      return hasLink({ text: await sent.text() })
    },
  ],
  [
    'a repeated submission tells the replies of the victim',
    async (scene) => {
      const own = { ...scene.answers, [scene.quiz.first_name_id]: 'Curieux' }
      return (await submitTo(scene, scene, own)).text.includes('Victime')
    },
  ],
]

/** Calls with a key for reading that might tell links. */
const READS_OF_A_KEY: Variant[] = [
  ...MAPPING_SOURCES.map(
    (source): Variant => [
      `dry run of ${source}`,
      async (scene) => {
        const url = `${apiUrl(scene)}/dry-run?source=${source}&question_id=${scene.quiz.question_id}`
        return hasLink(await ask(url, scene))
      },
    ],
  ),
  ['list of replies', async (scene) => hasLink(await ask(`${apiUrl(scene)}/responses`, scene))],
  ...(['csv', 'json', 'csv_excel'] as const).map(
    (format): Variant => [
      `file of replies (${format})`,
      async (scene) => {
        const body = { format, choices: 'joined' }
        const { text } = await ask(`${apiUrl(scene)}/exports`, { ...scene, body })
        const file = await ask(scene.origin + JSON.parse(text).url)
        assertPrecondition(file.text.includes('victime@exemple.fr'), 'the file has no replies')
        return hasLink(file)
      },
    ],
  ),
  [
    'data of a person',
    async ({ origin, key }) => {
      const body = { email: 'victime@exemple.fr' }
      return hasLink(await ask(`${origin}/api/v1/people/find`, { key, body }))
    },
  ],
]

const SEGMENTS = { report: 'rapport', certificate: 'attestation', own_page: 'ma-page' } as const
type Kind = keyof typeof SEGMENTS
const KINDS = Object.keys(SEGMENTS) as Kind[]

/** Ways to compute one link from another one. */
const OTHER_LINKS: Variant[] = [
  ...KINDS.flatMap((made) =>
    KINDS.filter((kind) => kind !== made).map(
      (kind): Variant => [
        `the link of the ${made} is used at the address of the ${kind}`,
        async (scene) => opens(`${quizUrl(scene)}/${SEGMENTS[kind]}/${scene.tokens[made]}`),
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
      const urls = forged.flatMap((token) =>
        Object.values(SEGMENTS).map((segment) => `${quizUrl(scene)}/${segment}/${token}`),
      )
      return (await Promise.all(urls.map(opens))).some(Boolean)
    },
  ],
]

/** Ways to use the id or a link of a participant who was erased. */
const AFTER_ERASURE: Variant[] = [
  [
    'the erased id is submitted again',
    async (scene) => (await submitTo(scene, scene)).status < 300,
  ],
  [
    'the erased id is submitted again with its secret and another name',
    async (scene) => {
      const forged = { ...scene.answers, [scene.quiz.first_name_id]: 'Nom Inventé' }
      return (await submitTo(scene, { ...scene, run_secret: RUN_SECRET }, forged)).status < 300
    },
  ],
  ...KINDS.map(
    (kind): Variant => [
      `the link of the ${kind} shows the forged participant`,
      async (scene) => opens(`${quizUrl(scene)}/${SEGMENTS[kind]}/${scene.tokens[kind]}`),
    ],
  ),
]

const CONTENT = /Votre agenda|Rempli|Libre|Où vous écrire|Pas à pas|Grand saut/
/** Questions to a quiz that is not open, whose answers might tell its content. */
const QUESTIONS_TO_A_CLOSED_QUIZ: Variant[] = [
  ...[{}, { [randomUUID()]: 'x' }].map(
    (answers, index): Variant => [
      `wrong replies ${index + 1}`,
      async (scene) =>
        CONTENT.test((await submitTo(scene, { participant_uuid: randomUUID() }, answers)).text),
    ],
  ),
  ['snapshot', async (scene) => CONTENT.test((await ask(`${apiUrl(scene)}/snapshot`)).text)],
  ['page', async (scene) => CONTENT.test((await ask(quizUrl(scene))).text)],
  ...[1, 2].map(
    (rank): Variant => [
      `card of result ${rank}`,
      async (scene) => (await ask(`${quizUrl(scene)}/image-1-r${rank}.png`)).type.includes('image'),
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
    run: (context) => runVariants(context, USES_OF_AN_ID),
  },
  {
    name: 'a key for reading gets links of participants',
    run: (context) => runVariants(context, READS_OF_A_KEY),
  },
  {
    name: 'the holder of one link of a participant opens another one',
    run: (context) => runVariants(context, OTHER_LINKS),
  },
  {
    name: 'the id of an erased participant is used again',
    run: (context) =>
      runVariants(context, AFTER_ERASURE, ({ client, quiz, participant_uuid: participantId }) =>
        client.participants.remove({ id: quiz.id, participantId }),
      ),
  },
  {
    name: 'a quiz that is not open yet tells its content',
    run: (context) =>
      runVariants(context, QUESTIONS_TO_A_CLOSED_QUIZ, ({ client, quiz: { id } }) =>
        client.quizzes.update({ id, body: { opens_at: '2900-12-03T08:00:00Z' } }),
      ),
  },
  {
    name: 'a withdrawn quiz tells its content',
    run: (context) =>
      runVariants(context, QUESTIONS_TO_A_CLOSED_QUIZ, ({ client, quiz: { id } }) =>
        client.quizzes.update({ id, body: { status: 'Brouillon' } }),
      ),
  },
  {
    name: 'a quiz without corrections tells the right answers',
    run: (context) =>
      runVariants(
        context,
        [
          [
            'snapshot',
            async (scene) => SOLUTIONS.test((await ask(`${apiUrl(scene)}/snapshot`)).text),
          ],
          ['page', async (scene) => SOLUTIONS.test((await ask(quizUrl(scene))).text)],
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
