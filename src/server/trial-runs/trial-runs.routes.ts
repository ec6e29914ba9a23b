import { randomUUIDv7 } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { DestinationPreview } from '#contract/forwarding/trial-runs.ts'
import { CONFIRMATION } from '#domain/common/vocabulary.ts'
import { defaultMail } from '#domain/deliveries/quiz-mail.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isPublished } from '#domain/questionnaire/quiz.ts'
import { contactDataOf } from '#domain/run/contact/contact.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { formatReply } from '#domain/run/replies.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { runStartPath } from '#domain/run/trial-runs.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import type { Tools } from '#server/deliveries/send-delivery.ts'
import { type Creator, maskWebhookUrl } from '#server/http/edge/caller.ts'
import { ApiError, forbidden, notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount, Reply, signalOf } from '#server/http/edge/mount.ts'
import { loadMailSender } from '#server/mail-senders/mail-sender.store.ts'
import { findAcceptedText } from '#server/participant-pages/participant-pages.store.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import { findMails } from '#server/quiz-mails/quiz-mails.store.ts'
import { findMailReader } from '#server/quiz-mails/write-quiz-mail.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { submitResponse } from '#server/responses/submit-response.ts'
import type { TrialRuns } from '#server/responses/trial-links.ts'
import { previewPayloads, type TrialResponse } from './preview-payloads.ts'
import {
  findTrialRun,
  listConnectedTools,
  listTrialDestinations,
  listTrialRuns,
} from './trial-runs.store.ts'

type Dependencies = {
  db: Db
  versionReader: VersionReader
  compiled: CompiledVersions
  trials: TrialRuns
  tools: Pick<Tools, 'providers' | 'targetOf'>
  public_url: string
}

/** Returns a 404, which pages treat as final, for an invalid or expired token. */
const notOpen = (): ApiError =>
  new ApiError(404, 'test_not_open', 'Ce lien de test a expiré ou n’est pas le bon')

/** Mounts contract/forwarding/trial-runs.ts. The token of a trial link is checked before the body of a submission is read. */
export const registerTrialRuns = (app: FastifyInstance, deps: Dependencies): void => {
  app.register(async (scope) => {
    scope.addHook('onRequest', async ({ routeOptions, params }) => {
      if (routeOptions.config.limits !== 'test_submit') return
      const { id, token } = params as { id: string; token: string }
      if (!(await deps.trials.isOpenedBy(id.toLowerCase(), token))) throw notOpen()
    })
    mount(scope, api.trialRuns, trialRunHandlers(deps))
  })
}

const trialRunHandlers = ({
  db,
  versionReader,
  compiled,
  trials,
  tools,
  public_url,
}: Dependencies): Handlers<typeof api.trialRuns> => ({
  link: async ({ id: quiz_id }, { id: creator_id }) => {
    const { quiz } = await loadQuiz(db, { quiz_id, creator_id })
    if (!isPublished(quiz))
      throw forbidden(
        'quiz_not_published',
        'Publiez d’abord ce questionnaire : un test se fait sur la version publiée',
      )
    const { token: test_token, expires_at } = trials.links.write({ quiz_id, creator_id })
    const url = new URL(runStartPath({ quiz_id, test_token }), public_url).href
    return { url, expires_at: expires_at.toISOString() }
  },

  submit: async ({ id: quiz_id, body }) => {
    const { participant_uuid = randomUUIDv7() } = body
    const submissionDeps = { versionReader, submissions: trials.submissions }
    const { is_new, result } = await submitResponse(
      submissionDeps,
      { quiz_id, participant_uuid },
      body,
    )
    return new Reply(is_new ? 201 : 200, { participant_uuid, result })
  },

  list: ({ id: quiz_id }, { id: creator_id }) =>
    readInOneSnapshot(db, async (read) => {
      await loadQuiz(read, { quiz_id, creator_id })
      return { runs: await listTrialRuns(read, quiz_id) }
    }),

  get: async ({ id: quiz_id, runId: run_id }, creator, request) => {
    const { id: creator_id } = creator
    const { found, mails, channels } = await readInOneSnapshot(db, async (read) => {
      const { quiz } = await loadQuiz(read, { quiz_id, creator_id })
      const row = await findTrialRun(read, { quiz_id, run_id })
      const snapshot = row && (await findVersion(read, quiz_id, row.version))
      if (!row || !snapshot) throw notFound('Réponse de test introuvable')
      const { id: participant_uuid, ...answered } = row
      const replies = unpackReplies(snapshot, answered)
      const contact = contactDataOf(visitedQuestions(snapshot.questions, replies), replies)
      const dimension_percents = packDimensions(snapshot, replies)
      const destinations = await listTrialDestinations(read, { quiz_id, run_id })
      const isAsked = destinations.some(
        ({ provider, status }) => provider === CONFIRMATION && status === 'pending',
      )
      const connected = await listConnectedTools(read, creator_id)
      const { subject, text, shows_result } = await findMails(read, { quiz_id, creator_id })
      const own = defaultMail(snapshot.quiz)
      const words = { subject: subject ?? own.subject, text: text ?? own.text, shows_result }
      const creator_email = await findAccountEmail(read, creator_id)
      // The calls are those after a confirmation of the address.
      const confirmation = isAsked
        ? { email_confirmation: 'confirmed' as const, email_confirmed_at: answered.created_at }
        : { email_confirmation: null, email_confirmed_at: null }
      const response = {
        ...{ ...answered, ...contact, ...confirmation },
        ...{ dimension_percents, participant_uuid },
      }
      const { consent_version: version } = answered
      const consent_text = await findAcceptedText(read, { quiz_id, kind: 'forwarding', version })
      const found = { quiz_id, snapshot, response, field_names: quiz }
      const sender = await loadMailSender(read, quiz_id)
      const mails = { words, creator_email, sender, consent_text }
      return { found, mails, channels: { destinations, connected } }
    })
    const { version } = found.response
    const read = await findMailReader(
      compiled,
      { quiz_id, version },
      mails.words,
      signalOf(request),
    )
    if (!read) throw notFound('Réponse de test introuvable')
    const trial = { ...found, mails: { ...mails, public_url, read } }
    const payloads = await previewPayloads(tools, trial, channels)
    return { run: describeRun(trial), places: payloads.map((place) => maskPreview(creator, place)) }
  },
})

/** Masks the secret addresses of webhooks. Requests to a tool have only a path, which is not secret. */
const maskPreview = (creator: Creator, place: DestinationPreview): DestinationPreview => ({
  ...place,
  url: maskWebhookUrl(creator, place.url),
  requests: place.requests.map((request) =>
    place.url === null
      ? request
      : { ...request, address: maskWebhookUrl(creator, request.address) },
  ),
})

/** Returns a trial run with its answers as text. */
const describeRun = ({ snapshot, response }: TrialResponse) => {
  const { participant_uuid: id, created_at, version, email, score, result_position } = response
  const replies = unpackReplies(snapshot, response)
  return {
    id,
    created_at,
    version,
    email,
    score,
    result_name: snapshot.results[result_position ?? -1]?.name ?? null,
    replies: snapshot.questions.flatMap((question) => {
      const answer = formatReply(question, replies)
      return answer === '' ? [] : [{ question: questionText(snapshot.questions, question), answer }]
    }),
  }
}
