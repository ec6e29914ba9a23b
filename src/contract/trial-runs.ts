import { z } from 'zod'
import { CHANNELS } from '#domain/common/vocabulary.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'
import { taking } from './public-quiz.ts'

const { testRuns: at } = calls
/** Signed, of an id and a moment. */
const LONGEST_TOKEN = 200

const run = z.object({
  id: uuid,
  created_at: timestamp,
  version: z.int(),
  email: z.string().nullable(),
  result_name: z.string().nullable(),
})

/** A tool or a webhook, and what it would have been sent. */
const place = z.object({
  provider: z.enum(CHANNELS),
  connection_id: uuid,
  /** The address of a webhook; null of a tool. */
  url: z.string().nullable(),
  /** Why nothing would be sent, what would come before or be waited for, in a sentence. */
  message: z.string().nullable(),
  /** Of the two mails: what would be written, with words in place of the link that ends such mails. */
  mail: z.object({ to: z.string(), subject: z.string(), text: z.string() }).nullable(),
  /**
   * In their order, exactly as they would be sent, without secrets: of a tool for a person whom it does not know. What
   * an answer of the tool gives is in capitals (CONTACT_ID, TAG_ID). None where nothing would be sent.
   */
  requests: z.array(
    z.object({
      method: z.string(),
      /** The whole address of a webhook; of a tool the path. */
      address: z.string(),
      /** Of a webhook, but the signature. */
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
    }),
  ),
})

/** Runs that are counted nowhere and sent nowhere (docs/decisions/046). */
export const testRuns = group({
  link: {
    ...at.link,
    access: 'creator',
    answer: z.object({ url: z.url(), expires_at: z.iso.datetime() }),
    summary:
      'Une adresse qui ouvre pendant 24 heures la version publiée en mode test : rien n’est compté ni envoyé',
  },
  submit: {
    ...at.submit,
    access: 'anyone',
    limits: 'test_submit',
    creates: true,
    repeats: true,
    params: z.object({ token: z.string().max(LONGEST_TOKEN) }),
    body: taking.submit.body,
    answer: taking.submit.answer,
    summary:
      'Terminer un test : donne le résultat comme à un participant ; 201, ou 200 s’il l’était déjà',
  },
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ runs: z.array(run) }),
    summary: 'Les réponses de test d’un quiz, les plus récentes d’abord',
  },
  get: {
    ...at.get,
    access: 'creator',
    answer: z.object({
      run: run.extend({
        score: z.int().nullable(),
        replies: z.array(z.object({ question: z.string(), answer: z.string() })),
      }),
      places: z.array(place),
    }),
    summary:
      'Une réponse de test, et ce que chaque outil et chaque webhook aurait reçu si elle comptait',
  },
})

export type TestPlace = z.output<typeof place>
export type ListedTestRun = z.output<typeof run>
