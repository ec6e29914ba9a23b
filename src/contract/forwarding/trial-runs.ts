import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { timestamp, uuid } from '#contract/kit/fields.ts'
import { publicQuiz } from '#contract/public-quiz.ts'
import { CHANNELS } from '#domain/common/vocabulary.ts'

const { trialRuns: trialRunCalls } = calls
/** Maximum length of a signed token, which contains an id and a time. */
const MAX_TOKEN_LENGTH = 200

const run = z.object({
  id: uuid,
  created_at: timestamp,
  version: z.int(),
  email: z.string().nullable(),
  result_name: z.string().nullable(),
})

/** Receiver of a trial run with the requests that it would have got. */
const place = z.object({
  provider: z.enum(CHANNELS),
  connection_id: uuid,
  /** Address of the webhook; null for a tool. */
  url: z.string().nullable(),
  /** French sentence: reason why nothing would be sent, or a preceding step. */
  message: z.string().nullable(),
  /** Content of a mail, with a text in place of the unsubscribe link; null for other receivers. */
  mail: z.object({ to: z.string(), subject: z.string(), text: z.string() }).nullable(),
  /**
   * Requests in order, exact except for secrets, for a person that the tool does not know. Values from answers of the
   * tool are in capitals (CONTACT_ID, TAG_ID). Empty if nothing would be sent.
   */
  requests: z.array(
    z.object({
      method: z.string(),
      /** Address of the webhook, or path at the tool. */
      address: z.string(),
      /** Headers of a webhook, without the signature. */
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
    }),
  ),
})

/** Trial runs, which are neither counted nor sent (docs/decisions/045). */
export const trialRuns = group({
  link: {
    ...trialRunCalls.link,
    access: 'quiz_owner',
    answer: z.object({ url: z.url(), expires_at: z.iso.datetime() }),
    summary:
      'Une adresse qui ouvre pendant 24 heures la version publiée en mode test : rien n’est compté ni envoyé',
  },
  submit: {
    ...trialRunCalls.submit,
    access: 'link',
    limits: 'test_submit',
    creates: true,
    repeats: true,
    params: z.object({ token: z.string().max(MAX_TOKEN_LENGTH) }),
    body: publicQuiz.submit.body,
    answer: publicQuiz.submit.answer,
    summary:
      'Terminer un test : donne le résultat comme à un participant ; 201, ou 200 s’il l’était déjà',
  },
  list: {
    ...trialRunCalls.list,
    access: 'quiz_owner',
    answer: z.object({ runs: z.array(run) }),
    summary: 'Les réponses de test d’un quiz, les plus récentes d’abord',
  },
  get: {
    ...trialRunCalls.get,
    access: 'quiz_owner',
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

/** Receiver of a trial run with the requests that it would have got. */
export type DestinationPreview = z.output<typeof place>
/** Trial run in a list. */
export type ListedTrialRun = z.output<typeof run>
