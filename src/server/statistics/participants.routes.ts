import type { api } from '#contract/api.ts'
import type { SentTo } from '#contract/participants.ts'
import { ERASURE_KINDS_OF, type ErasureChoices } from '#domain/erasure.ts'
import { explainResult } from '#domain/explanation.ts'
import { unpackReplies } from '#domain/stored-replies.ts'
import { takenPath } from '#domain/taken-path.ts'
import { PROVIDERS, WEBHOOK } from '#domain/vocabulary.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { listPlaces } from '#server/erasures/places.store.ts'
import { requestErasures } from '#server/erasures/request.store.ts'
import { addressFor } from '#server/http/callers.ts'
import { notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Vault } from '#server/integrations/vault.ts'
import { readTogether } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { forgetTestsOf } from '#server/taking/test-responses.store.ts'
import { participantOf } from './participant.ts'
import { findConsent, listDeliveriesOf } from './participant-deliveries.store.ts'
import { listOfPerson, listTakenQuizzes, takingsOfPerson } from './people.store.ts'
import { removeResponses, type Taking } from './removal.store.ts'
import { findResponse } from './responses.store.ts'

const gone = () => notFound('Participant introuvable')

/** The tools and webhooks that people were sent to, and what may be asked of the tools for them. */
const sentTo = async (db: Db, creator_id: string, takings: readonly Taking[]): Promise<SentTo> => {
  const places = await listPlaces(db, { creator_id, takings })
  return {
    tools: PROVIDERS.filter((provider) => places.some((one) => one.provider === provider)).map(
      (provider) => ({ provider, kinds: [...ERASURE_KINDS_OF[provider]] }),
    ),
    nb_webhooks: places.filter(({ provider }) => provider === WEBHOOK).length,
  }
}

/** What was asked of the tools, for the audit log. */
const asksOf = (choices: ErasureChoices): string[] =>
  PROVIDERS.flatMap((provider) => (choices[provider] ? [`${provider} ${choices[provider]}`] : []))

/** Handlers of contract/participants.ts. */
export const participantsHandlers = ({
  db,
  vault,
}: {
  db: Db
  vault: Vault
}): Handlers<typeof api.participants> => ({
  explain: ({ id: quiz_id, participantId }, creator) =>
    readTogether(db, async (read) => {
      const { id: creator_id } = creator
      await loadQuiz(read, { quiz_id, creator_id })
      const response = await findResponse(read, quiz_id, participantId)
      const snapshot = response && (await findVersion(read, quiz_id, response.version))
      if (!response || !snapshot) throw gone()
      const taken = { version: response.version, nb_responses: 1, snapshot }
      const deliveries = await listDeliveriesOf(read, quiz_id, response)
      return {
        participant: {
          ...participantOf(response, [taken]),
          score: response.score,
          path: takenPath(snapshot, response),
          consent: await findConsent(read, quiz_id, response),
          deliveries: deliveries.map((one) => ({ ...one, url: addressFor(creator, one.url) })),
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
    const takings = [{ quiz_id, participant_uuid }]
    const count = await removeResponses(db, takings, {
      before: (removal) => requestErasures(removal, vault, { creator_id, takings, choices }),
    })
    if (count === 0) throw gone()
    const detail = asksOf(choices).join(', ') || undefined
    audit('participant_erased', { actor_id: creator_id, object_id: quiz_id, detail })
    return undefined
  },

  ofPerson: ({ body: { email } }, { id: creator_id }) =>
    readTogether(db, async (read) => {
      const responses = await listOfPerson(read, { creator_id, email })
      const quiz_ids = [...new Set(responses.map(({ quiz_id }) => quiz_id))]
      const taken = Map.groupBy(await listTakenQuizzes(read, quiz_ids), ({ quiz_id }) => quiz_id)
      return {
        email,
        sent_to: await sentTo(read, creator_id, responses),
        responses: responses.map((response) => {
          const versions = taken.get(response.quiz_id) ?? []
          return {
            ...participantOf(response, versions),
            quiz_id: response.quiz_id,
            quiz_name: versions[0]?.name ?? '',
            score: response.score,
          }
        }),
      }
    }),

  removePerson: async ({ body: { email, ...choices } }, { id: creator_id }) => {
    const takings = await takingsOfPerson(db, { creator_id, email })
    const nb_deleted = await removeResponses(db, takings, {
      before: (removal) => requestErasures(removal, vault, { creator_id, takings, choices }),
    })
    await forgetTestsOf(db, { creator_id, email })
    const detail = [String(nb_deleted), ...asksOf(choices)].join(', ')
    audit('person_erased', { actor_id: creator_id, email, detail })
    return { nb_deleted }
  },
})
