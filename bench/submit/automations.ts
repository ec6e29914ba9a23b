import pg from 'pg'
import {
  connectTools,
  type ExternalServices,
  enableAutomations,
  type Rule,
} from '#server/testing/quizzes/external-services.ts'
import { signUp } from '../creator.ts'
import { type ComparisonSettings, compareRates } from './compare.ts'
import { makeQuiz, makeQuizOf, type Quiz } from './quiz.ts'
import { createRequests } from './requests.ts'

/** Returns the submission rate of a quiz with all optional parts, relative to a plain quiz, for each round. */
export const measureOptionalParts = async (settings: ComparisonSettings): Promise<number[]> =>
  compareRates(settings, {
    name: 'every part',
    plain: createRequests(await makeQuiz(settings.origin)),
    extended: createRequests(await makeQuiz(settings.origin, true)),
  })

/** Query string of a link in a newsletter. */
const QUERY = 'utm_source=lettre&utm_medium=email&ref=rentree'

/** Returns rules that apply a label for each result and for the first answer of three questions. */
const rulesOf = ({ result_ids, choices }: Quiz): Rule[] => [
  ...result_ids.map((result_id, rank) => ({ result_id, label_name: `Profil ${rank}` })),
  ...choices.slice(0, 3).map(({ id, answer_ids }, rank) => ({
    ...{ question_id: id, answer_id: answer_ids[0] ?? '' },
    label_name: `Réponse ${rank}`,
  })),
]

/**
 * Returns the relative submission rate of a quiz with three tools, rules, two webhooks, both mails and optional
 * parameters, for each round. The reference is a quiz without these parts. Deliveries run in the same process, and
 * pause while the reference is measured.
 */
export const measureAutomations = async (
  settings: ComparisonSettings,
  {
    external_services,
    connection,
    has_parameters,
  }: { external_services: ExternalServices; connection: pg.ClientConfig; has_parameters: boolean },
): Promise<number[]> => {
  const { origin } = settings
  const plain = await makeQuizOf((await signUp(origin)).client)
  const creator = { origin, ...(await signUp(origin)) }
  const extended = await makeQuizOf(creator.client)
  await connectTools(external_services, creator)
  await enableAutomations(external_services, creator, { id: extended.id, rules: rulesOf(extended) })
  const database = new pg.Client(connection)
  await database.connect()
  try {
    return await compareRates(settings, {
      name: 'three tools, two webhooks, mails',
      plain: createRequests(plain),
      extended: createRequests(extended, has_parameters ? QUERY : undefined),
      prepare: async (which) => {
        await database.query('update integration_connections set paused_until = $1', [
          which === 'extended' ? null : 'infinity',
        ])
      },
    })
  } finally {
    await database.end()
  }
}
