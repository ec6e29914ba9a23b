import type { api } from '#contract/api.ts'
import { canonicalEmail, emailSearchTerm } from '#domain/common/addresses.ts'
import { type ChannelName, isTool, PUBLISHED } from '#domain/common/vocabulary.ts'
import { labelOf } from '#domain/deliveries/automations.ts'
import {
  deliveryReason,
  noConsentReason,
  webhookAttention,
} from '#domain/deliveries/delivery-labels.ts'
import { hasEmailQuestion } from '#domain/questionnaire/consent/consent.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { readDeliveredLabels, readRefusals } from '#server/db/delivery-tables.ts'
import { maskWebhookUrl } from '#server/http/edge/caller.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import type { Handlers } from '#server/http/edge/mount.ts'
import { describeAccountProblem } from '#server/integrations/connection-errors.ts'
import { findConnection } from '#server/integrations/connections.store.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import { listSwitches } from '#server/integrations/switches.store.ts'
import { loadAutomation } from '#server/quizzes/automations.store.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'
import {
  findResponse,
  readCursor,
  writeCursor,
} from '#server/statistics/selection/responses.store.ts'
import { buildContact } from './build-contact.ts'
import {
  countAll,
  type LedgerCursor,
  listDeliveries,
  readLedgers,
  retryDeliveries,
} from './deliveries.store.ts'
import { countEarlierParticipants, sendEarlier } from './earlier-participants.store.ts'
import { sendDelivery, type Tools } from './send-delivery.ts'

type Dependencies = { db: Db; tools: Tools; wake: () => void; has_mail: boolean }
const PAGE_SIZE = 50
/** Result name of a trial delivery if the quiz has no result yet. */
const SAMPLE_RESULT = 'Résultat de test'

/** Returns the handlers of contract/forwarding/deliveries.ts. */
export const deliveriesHandlers = ({
  db,
  tools,
  wake,
  has_mail,
}: Dependencies): Handlers<typeof api.deliveries> => ({
  list: async ({ id: quiz_id, cursor, provider, status, email }, creator) =>
    readInOneSnapshot(db, async (state) => {
      const { id: creator_id } = creator
      const { quiz, published_version } = await loadQuiz(state, { quiz_id, creator_id })
      const isPublished = quiz.status === PUBLISHED && published_version !== null
      const version = isPublished && (await findVersion(state, quiz_id, published_version))
      const { nb_responses: nb_participants } = quiz
      const after = cursor === undefined ? undefined : readPlace(cursor)
      const limit = PAGE_SIZE + 1
      const asked = {
        quiz_id,
        provider,
        status,
        email: email && emailSearchTerm(email),
        after,
        limit,
      }
      const found = await listDeliveries(state, asked)
      const page = found.slice(0, PAGE_SIZE)
      const last = page.at(-1)
      const ledgers = await readLedgers(state, { quiz_id, nb_participants })
      return {
        asks_for_email: version ? hasEmailQuestion(version.questions) : null,
        ledgers: ledgers.map(({ status_reason, ...ledger }) => ({
          ...ledger,
          url: maskWebhookUrl(creator, ledger.url),
          message:
            ledger.connection === 'needs_attention'
              ? neededSentence(ledger.provider, status_reason ?? '')
              : null,
        })),
        deliveries: page.map(({ completed_calls, last_code, consent_version, ...row }) => {
          const { refused, ...delivered } = readDeliveredLabels(completed_calls)
          const { exact_created_at: _, ...shown } = row
          const reason =
            row.status === 'no_consent'
              ? noConsentReason(consent_version)
              : deliveryReason(row.status, last_code, refused)
          return { ...shown, url: maskWebhookUrl(creator, row.url), ...delivered, reason }
        }),
        next_cursor: last && found.length > PAGE_SIZE ? writePlace(last) : null,
      }
    }),

  retry: async ({ id: quiz_id, body }, { id: creator_id }) => {
    const { provider, connection_id, participant_uuid } = body
    await loadQuiz(db, { quiz_id, creator_id })
    if (participant_uuid && !(await findResponse(db, quiz_id, participant_uuid)))
      throw notFound('Participant introuvable')
    const nb_retried = await retryDeliveries(db, {
      quiz_id,
      provider,
      connection_id,
      participant_uuid,
    })
    wake()
    return { nb_retried }
  },

  test: async ({ id: quiz_id, body }, { id: creator_id }) => {
    const { provider, automation_id } = body
    const email = canonicalEmail(body.email)
    const draft = await readInOneSnapshot(db, (state) => loadDraft(state, { quiz_id, creator_id }))
    if (email === null) throw invalid('Saisissez une adresse email complète', 'email')
    const rule = automation_id && (await loadAutomation(db, { quiz_id, creator_id, automation_id }))
    if (rule && rule.provider !== provider) throw notFound('Automatisation introuvable')
    const connection = await findConnection(db, { user_id: creator_id, provider })
    if (!connection?.sealed_secret)
      throw conflict('not_connected', 'Connectez d’abord votre compte.')
    const isSondage = draft.quiz.type === 'sondage'
    const sent = {
      quiz_id,
      provider,
      connection_id: connection.id,
      email,
      participant_uuid: null,
      ...(rule && { label: labelOf(rule) }),
      result_name: isSondage ? null : (draft.results[0]?.name ?? SAMPLE_RESULT),
      is_replaced: false,
      completed_calls: {},
    }
    const outcome = await sendDelivery(tools, sent)
    const { fields, labels } = buildContact(sent, await tools.targetOf(quiz_id, provider))
    return {
      contact: {
        email,
        fields: fields.map(({ key, value }) => ({ key, value: String(value) })),
        labels: labels.flatMap(({ name, kind }) => (kind === null ? [name] : [])),
        enrolments: labels.flatMap(({ name, kind }) => (kind === null ? [] : [{ kind, name }])),
      },
      has_arrived: outcome.kind === 'delivered' || outcome.kind === 'suppressed',
      message: sentenceOf(outcome),
    }
  },

  earlier: async ({ id: quiz_id }, { id: creator_id }) => {
    await loadQuiz(db, { quiz_id, creator_id })
    return { providers: await countEarlierParticipants(db, quiz_id) }
  },

  sendEarlier: async ({ id: quiz_id, body: { provider } }, { id: creator_id }) => {
    await loadQuiz(db, { quiz_id, creator_id })
    const switches = await listSwitches(db, quiz_id)
    const isOn = switches.some(
      (choice) => choice.provider === provider && choice.enabled && choice.is_connected,
    )
    if (!isOn) throw conflict('not_enabled', 'Activez d’abord cet outil pour ce questionnaire.')
    const nb_sent = await sendEarlier(db, { quiz_id, provider })
    wake()
    return { nb_sent }
  },

  summary: async (_input, { id: creator_id }) => ({
    providers: await countAll(db, creator_id),
    is_told_by_mail: has_mail && (await findAccountEmail(db, creator_id)) !== null,
  }),
})

const sentenceOf = (outcome: DeliveryOutcome): string => {
  if (outcome.kind === 'delivered')
    return (
      deliveryReason('delivered', outcome.warning ?? null, readRefusals(outcome.completed_calls)) ??
      'Le contact est arrivé.'
    )
  const code = outcome.kind === 'suppressed' ? outcome.reason : outcome.code
  return deliveryReason('refused', code) ?? 'L’outil a donné une réponse inattendue.'
}

/** Returns the sentence that tells the creator how to repair a tool or a webhook. */
const neededSentence = (provider: ChannelName, code: string): string =>
  isTool(provider) ? describeAccountProblem(provider, { code }) : webhookAttention(code)

/** Returns the list cursor for clients: the cursor of the participant, followed by the connection. */
const writePlace = ({ connection_id, ...place }: LedgerCursor): string =>
  `${writeCursor(place)}.${connection_id}`

const readPlace = (cursor: string): LedgerCursor => {
  const [place = '', connection_id = ''] = cursor.split('.')
  if (!LOWER_UUID.test(connection_id)) throw invalid('Valeur refusée', 'cursor')
  return { ...readCursor(place), connection_id }
}
