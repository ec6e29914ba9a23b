import type { SentTo } from '#contract/participants.ts'
import type { Participant } from '#contract/statistics/statistics.ts'
import { PROVIDERS, WEBHOOK } from '#domain/common/vocabulary.ts'
import { ERASURE_KINDS_OF } from '#domain/deliveries/erasures.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { listReachedTools } from '#server/erasures/erasures.store.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { findReplyContents } from '#server/quizzes/versions.store.ts'
import { describeParticipant } from './list-participants.ts'
import { listQuizNames, listResponsesOfPerson } from './participant.store.ts'
import { listInvitationsOfPerson, type PersonInvitation } from './person-invitations.store.ts'
import type { ParticipantKey } from './removal.store.ts'

/** Creates the 404 error of a participant who does not exist. */
export const participantNotFound = () => notFound('Participant introuvable')

/** Returns the tools that received these participants with their kinds of erasure, and the number of webhooks. */
export const sentTo = async (
  db: Db,
  creator_id: string,
  participant_keys: readonly ParticipantKey[],
): Promise<SentTo> => {
  const places = await listReachedTools(db, { creator_id, participant_keys })
  return {
    tools: PROVIDERS.filter((provider) => places.some((place) => place.provider === provider)).map(
      (provider) => ({ provider, kinds: [...ERASURE_KINDS_OF[provider]] }),
    ),
    nb_webhooks: places.filter(({ provider }) => provider === WEBHOOK).length,
  }
}

/** Response of a person with its quiz. */
type OwnResponse = Participant & { quiz_id: string; quiz_name: string; score: number | null }

/**
 * Finds the responses of a person to all quizzes of a creator, newest first, the tools that received them, and the
 * invitations of the person. Runs in the turn of the creator, because each response may have a large version of its own.
 */
export const findPerson = (
  { db, heavyWork }: { db: Db; heavyWork: Pick<HeavyWork, 'run'> },
  { creator_id, email }: { creator_id: string; email: string },
  caller: AbortSignal,
): Promise<{
  email: string
  sent_to: SentTo
  responses: OwnResponse[]
  invitations: PersonInvitation[]
}> => {
  const find = async (read: Db, signal: AbortSignal) => {
    const responses = await listResponsesOfPerson(read, { creator_id, email })
    const names = await listQuizNames(read, [...new Set(responses.map(({ quiz_id }) => quiz_id))])
    const described: OwnResponse[] = []
    // Versions are read one after the other, because a person may have answered many large versions.
    for (const { quiz_id, ...response } of responses) {
      signal.throwIfAborted()
      const { version, score } = response
      const snapshot = (await findReplyContents(read, quiz_id, [version])).get(version)
      if (!snapshot) throw participantNotFound()
      const participant = describeParticipant(response, [{ version, nb_responses: 1, snapshot }])
      described.push({ ...participant, quiz_id, quiz_name: names.get(quiz_id) ?? '', score })
    }
    return {
      email,
      sent_to: await sentTo(read, creator_id, responses),
      responses: described,
      invitations: await listInvitationsOfPerson(read, { creator_id, email }),
    }
  }
  const job = { kind: 'figures', owner: creator_id, size: 1, signal: caller } as const
  return heavyWork.run(job, (signal) => readInOneSnapshot(db, (read) => find(read, signal), signal))
}
