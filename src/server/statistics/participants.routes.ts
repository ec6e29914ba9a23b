import type { api } from '#contract/api.ts'
import { explainResult } from '#domain/explanation.ts'
import { unpackReplies } from '#domain/stored-replies.ts'
import { takenPath } from '#domain/taken-path.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import { readTogether } from '#server/quizzes/draft.store.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { forgetTestsOf } from '#server/taking/test-responses.store.ts'
import { participantOf } from './participant.ts'
import { findConsent, listDeliveriesOf } from './participant-deliveries.store.ts'
import { listOfPerson, listTakenQuizzes, takingsOfPerson } from './people.store.ts'
import { removeResponses } from './removal.store.ts'
import { findResponse } from './responses.store.ts'

const gone = () => notFound('Participant introuvable')

/** Handlers of contract/participants.ts. */
export const participantsHandlers = ({ db }: { db: Db }): Handlers<typeof api.participants> => ({
  explain: ({ id: quiz_id, participantId }, { id: creator_id }) =>
    readTogether(db, async (read) => {
      await loadQuiz(read, { quiz_id, creator_id })
      const response = await findResponse(read, quiz_id, participantId)
      const snapshot = response && (await findVersion(read, quiz_id, response.version))
      if (!response || !snapshot) throw gone()
      const taken = { version: response.version, nb_responses: 1, snapshot }
      return {
        participant: {
          ...participantOf(response, [taken]),
          score: response.score,
          path: takenPath(snapshot, response),
          consent: await findConsent(read, quiz_id, response),
          deliveries: await listDeliveriesOf(read, quiz_id, response),
        },
        explanation: explainResult(snapshot, unpackReplies(snapshot, response)),
      }
    }),

  remove: async ({ id: quiz_id, participantId: participant_uuid }, { id: creator_id }) => {
    await loadQuiz(db, { quiz_id, creator_id })
    const count = await removeResponses(db, [{ quiz_id, participant_uuid }])
    if (count === 0) throw gone()
    audit('participant_erased', { actor_id: creator_id, object_id: quiz_id })
    return undefined
  },

  ofPerson: ({ body: { email } }, { id: creator_id }) =>
    readTogether(db, async (read) => {
      const responses = await listOfPerson(read, { creator_id, email })
      const quiz_ids = [...new Set(responses.map(({ quiz_id }) => quiz_id))]
      const taken = Map.groupBy(await listTakenQuizzes(read, quiz_ids), ({ quiz_id }) => quiz_id)
      return {
        email,
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

  removePerson: async ({ body: { email } }, { id: creator_id }) => {
    const taken = await takingsOfPerson(db, { creator_id, email })
    const nb_removed = await removeResponses(db, taken)
    await forgetTestsOf(db, { creator_id, email })
    audit('person_erased', { actor_id: creator_id, email, detail: String(nb_removed) })
    return { nb_removed }
  },
})
