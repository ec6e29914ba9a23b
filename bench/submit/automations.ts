import pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import type { MappingSource } from '#domain/deliveries/field-mappings.ts'
import {
  connectTools,
  type ExternalServices,
  enableAutomations,
  type Rule,
} from '#server/testing/quizzes/external-services.ts'
import { signUp } from '../creator.ts'
import { type ComparisonSettings, compareRates } from './compare.ts'
import { type ContactQuestions, makeQuiz, makeQuizOf, type Quiz } from './quiz.ts'
import { createRequests } from './requests.ts'

/** Returns the submission rate of a quiz with all optional parts, relative to a plain quiz, for each round. */
export const measureOptionalParts = async (settings: ComparisonSettings): Promise<number[]> =>
  compareRates(settings, {
    name: 'every part',
    plain: createRequests(await makeQuiz(settings.origin)),
    extended: createRequests(await makeQuiz(settings.origin, true)),
  })

/** Fake tools and receivers, and the database of the server. */
type AutomationServices = {
  external_services: ExternalServices
  connection: pg.ClientConfig
  has_parameters: boolean
}

/** Query string of a link in a newsletter. */
const QUERY = 'utm_source=lettre&utm_medium=email&ref=rentree'

/** Returns rules that apply a label for each result and for the first answer of three questions. */
const rulesOf = ({ result_ids, choices }: Quiz): Rule[] => [
  ...result_ids.map((result_id, rank) => ({ result_id, label_name: `Profil ${rank}` })),
  ...choices.slice(0, 3).map(({ id, answer_ids }, rank) => ({
    question_id: id,
    answer_id: answer_ids[0] ?? '',
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
  { external_services, connection, has_parameters }: AutomationServices,
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

/**
 * Returns, for each round, the submission rate of a quiz with contact roles and three mapped fields at each tool. The
 * rate is relative to a quiz with equal questions and tools, without roles and mapped fields. Deliveries wait, so that
 * only submissions are measured.
 */
export const measureContact = async (
  settings: ComparisonSettings,
  { external_services, connection }: Pick<AutomationServices, 'external_services' | 'connection'>,
): Promise<number[]> => {
  const { origin } = settings
  const makeForwardingQuiz = async (contact: ContactQuestions): Promise<Quiz> => {
    const creator = { origin, ...(await signUp(origin)) }
    const quiz = await makeQuizOf(creator.client, contact)
    await connectTools(external_services, creator)
    await enableTools(creator, quiz.id)
    if (contact === 'with roles') await addMappings(creator.client, quiz)
    return quiz
  }
  const plain = await makeForwardingQuiz('without roles')
  const extended = await makeForwardingQuiz('with roles')
  return compareWithPausedTools(connection, settings, {
    name: 'contact data and three mapped fields',
    plain: createRequests(plain),
    extended: createRequests(extended),
  })
}

/**
 * Returns, for each round, the submission rate of a quiz that asks to confirm addresses, relative to an equal quiz that
 * does not. Both forward to three tools and mail the result. Deliveries wait, so that only submissions are measured.
 */
export const measureConfirmations = async (
  settings: ComparisonSettings,
  { external_services, connection }: Pick<AutomationServices, 'external_services' | 'connection'>,
): Promise<number[]> => {
  const { origin } = settings
  const makeMailingQuiz = async (confirms_email: boolean): Promise<Quiz> => {
    const creator = { origin, ...(await signUp(origin)) }
    const quiz = await makeQuizOf(creator.client)
    await connectTools(external_services, creator)
    await enableTools(creator, quiz.id)
    await creator.client.quizMails.set({ id: quiz.id, body: { sends_result: true } })
    await creator.client.quizzes.update({ id: quiz.id, body: { confirms_email } })
    return quiz
  }
  const plain = await makeMailingQuiz(false)
  const extended = await makeMailingQuiz(true)
  return compareWithPausedTools(connection, settings, {
    name: 'confirmation of the address',
    plain: createRequests(plain),
    extended: createRequests(extended),
  })
}

/** Compares the submission rates of two quizzes while nothing is sent to tools and mailboxes. */
const compareWithPausedTools = async (
  connection: pg.ClientConfig,
  settings: ComparisonSettings,
  comparison: Omit<Parameters<typeof compareRates>[1], 'prepare'>,
): Promise<number[]> => {
  const database = new pg.Client(connection)
  await database.connect()
  try {
    return await compareRates(settings, {
      ...comparison,
      prepare: async () => {
        await database.query("update integration_connections set paused_until = 'infinity'")
      },
    })
  } finally {
    await database.end()
  }
}

const enableTools = async ({ client }: { client: Client }, id: string): Promise<void> => {
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  const body = { enabled: true, tag_by_result: false }
  await client.integrations.setConvertkit({ id, body })
  await client.integrations.setSystemio({ id, body })
  await client.integrations.setBrevo({ id, body })
}

/** Maps the score, the result and the first choice to a field of each tool. */
const addMappings = async (client: Client, { id, choices }: Quiz): Promise<void> => {
  for (const provider of PROVIDERS) {
    const add = (body: { source: MappingSource; question_id?: string; field_name: string }) =>
      client.fieldMappings.add({ id, body: { provider, ...body } })
    await add({ source: 'score', field_name: 'MESURE_SCORE' })
    await add({ source: 'result', field_name: 'MESURE_PROFIL' })
    await add({
      source: 'question',
      question_id: choices[0]?.id ?? '',
      field_name: 'MESURE_CHOIX',
    })
  }
}
