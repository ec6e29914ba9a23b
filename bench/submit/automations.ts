import pg from 'pg'
import {
  automate,
  connectTools,
  type OtherSides,
  type Rule,
} from '#server/testing/quizzes/automated-quiz.ts'
import { signUp } from '../creator.ts'
import { type Comparing, compareRates } from './compare.ts'
import { makeQuiz, makeQuizOf, type Quiz } from './quiz.ts'
import { createRequests } from './requests.ts'

/** How much of its rate a quiz keeps that has every part there is, beside one that has none, one ratio a round. */
export const compareParts = async (comparing: Comparing): Promise<number[]> =>
  compareRates(comparing, {
    name: 'every part',
    plain: createRequests(await makeQuiz(comparing.origin)),
    whole: createRequests(await makeQuiz(comparing.origin, true)),
  })

/** As a link in a newsletter says where its readers come from. */
const QUERY = 'utm_source=lettre&utm_medium=email&ref=rentree'

/** A label for each result and for the first answer of each of three questions. */
const rulesOf = ({ result_ids, choices }: Quiz): Rule[] => [
  ...result_ids.map((result_id, rank) => ({ result_id, label_name: `Profil ${rank}` })),
  ...choices.slice(0, 3).map(({ id, answer_ids }, rank) => ({
    ...{ question_id: id, answer_id: answer_ids[0] ?? '' },
    label_name: `Réponse ${rank}`,
  })),
]

/**
 * How much of its rate a quiz keeps that does all that there is for each participant (three tools with rules, two webhooks,
 * both mails, and parameters where asked), beside the same quiz with none of it, one ratio a round. The product delivers what is due
 * meanwhile, as one process does in production; what is left of it waits while the other quiz is measured.
 */
export const compareAutomations = async (
  comparing: Comparing,
  {
    sides,
    connection,
    has_parameters,
  }: { sides: OtherSides; connection: pg.ClientConfig; has_parameters: boolean },
): Promise<number[]> => {
  const { origin } = comparing
  const plain = await makeQuizOf((await signUp(origin)).client)
  const creator = { origin, ...(await signUp(origin)) }
  const whole = await makeQuizOf(creator.client)
  await connectTools(sides, creator)
  await automate(sides, creator, { id: whole.id, rules: rulesOf(whole) })
  const database = new pg.Client(connection)
  await database.connect()
  try {
    return await compareRates(comparing, {
      name: 'three tools, two webhooks, mails',
      plain: createRequests(plain),
      whole: createRequests(whole, has_parameters ? QUERY : undefined),
      prepare: async (which) => {
        await database.query('update integration_connections set paused_until = $1', [
          which === 'whole' ? null : 'infinity',
        ])
      },
    })
  } finally {
    await database.end()
  }
}
