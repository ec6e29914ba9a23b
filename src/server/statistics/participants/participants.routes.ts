import type { api } from '#contract/api.ts'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import type { ErasureChoices } from '#domain/deliveries/erasures.ts'
import { explainResult } from '#domain/run/explanation.ts'
import { pathWithReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { audit } from '#server/audit/audit.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { requestErasures } from '#server/erasures/request-erasures.store.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { maskWebhookUrl } from '#server/http/edge/caller.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { documentKindsOf } from '#server/reports/report-links.ts'
import { deleteTrialResponsesOf } from '#server/responses/trial-responses.store.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { findResponse } from '#server/statistics/selection/responses.store.ts'
import { findPerson, participantNotFound, sentTo } from './find-person.ts'
import { describeParticipant } from './list-participants.ts'
import {
  findConfirmation,
  findConsents,
  listDeliveriesOf,
  listParticipantKeysOfPerson,
} from './participant.store.ts'
import { deleteInvitationsOfPerson, listInvitationsOfPerson } from './person-invitations.store.ts'
import { removeResponses } from './removal.store.ts'

/** Returns the requested erasures for the audit log. */
const asksOf = (choices: ErasureChoices): string[] =>
  PROVIDERS.flatMap((provider) => (choices[provider] ? [`${provider} ${choices[provider]}`] : []))

/** Handlers of contract/participants.ts. */
export const participantsHandlers = ({
  db,
  vault,
  heavyWork,
}: {
  db: Db
  vault: Vault
  heavyWork: Pick<HeavyWork, 'run'>
}): Handlers<typeof api.participants> => ({
  explain: ({ id: quiz_id, participantId }, creator) =>
    readInOneSnapshot(db, async (read) => {
      const { id: creator_id } = creator
      await loadQuiz(read, { quiz_id, creator_id })
      const response = await findResponse(read, quiz_id, participantId)
      const snapshot = response && (await findVersion(read, quiz_id, response.version))
      if (!response || !snapshot) throw participantNotFound()
      const answeredVersion = { version: response.version, nb_responses: 1, snapshot }
      const deliveries = await listDeliveriesOf(read, quiz_id, response)
      return {
        participant: {
          ...describeParticipant(response, [answeredVersion]),
          score: response.score,
          documents: documentKindsOf({ snapshot, replies: unpackReplies(snapshot, response) }),
          path: pathWithReplies(snapshot, response),
          ...(await findConsents(read, quiz_id, response)),
          confirmation: await findConfirmation(read, quiz_id, response),
          deliveries: deliveries.map((delivery) => ({
            ...delivery,
            url: maskWebhookUrl(creator, delivery.url),
          })),
          sent_to: await sentTo(read, creator_id, [{ quiz_id, participant_uuid: participantId }]),
        },
        explanation: explainResult(snapshot, unpackReplies(snapshot, response)),
      }
    }),

  remove: async (
    { id: quiz_id, participantId: participant_uuid, ...choices },
    { id: creator_id },
  ) => {
    await loadQuiz(db, { quiz_id, creator_id })
    const participant_keys = [{ quiz_id, participant_uuid }]
    const count = await removeResponses(db, participant_keys, {
      before: (removal) =>
        requestErasures(removal, vault, { creator_id, participant_keys, choices }),
    })
    if (count === 0) throw participantNotFound()
    const detail = asksOf(choices).join(', ') || undefined
    audit('participant_erased', { actor_id: creator_id, object_id: quiz_id, detail })
    return undefined
  },

  ofPerson: ({ body: { email } }, { id: creator_id }, request) =>
    findPerson({ db, heavyWork }, { creator_id, email }, signalOf(request)),

  removePerson: async ({ body: { email, ...choices } }, { id: creator_id }) => {
    // Invitations are counted first, because the deletion of a response deletes its invitation.
    const { length: nb_invitations } = await listInvitationsOfPerson(db, { creator_id, email })
    const participant_keys = await listParticipantKeysOfPerson(db, { creator_id, email })
    const nb_deleted = await removeResponses(db, participant_keys, {
      before: (removal) =>
        requestErasures(removal, vault, { creator_id, participant_keys, choices }),
    })
    await deleteInvitationsOfPerson(db, { creator_id, email })
    await deleteTrialResponsesOf(db, { creator_id, email })
    const detail = [String(nb_deleted), ...asksOf(choices)].join(', ')
    audit('person_erased', { actor_id: creator_id, email, detail })
    return { nb_deleted, nb_invitations }
  },
})
