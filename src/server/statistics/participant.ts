import type { Participant } from '#contract/statistics.ts'
import type { TakenVersion } from '#domain/asked-questions.ts'
import { orderedParameters } from '#domain/parameters.ts'
import { readReplies } from '#domain/stored-replies.ts'
import type { StoredResponse } from './responses.store.ts'

/** The version that a participant took, which their deletion alone could take away. */
const versionOf = (
  { version }: Pick<StoredResponse, 'version'>,
  versions: readonly TakenVersion[],
): TakenVersion => {
  const taken = versions.find((candidate) => candidate.version === version)
  if (!taken) throw new Error(`Version ${version} of a stored response is missing`)
  return taken
}

/** A participant in the words of the version they took. */
export const participantOf = (
  response: StoredResponse,
  versions: readonly TakenVersion[],
): Participant => {
  const { participant_uuid, created_at, email, result_position } = response
  const { elapsed_seconds, is_suspect } = response
  const { snapshot } = versionOf(response, versions)
  const result = result_position === null ? undefined : snapshot.results[result_position]
  return {
    participant_uuid,
    created_at,
    email,
    final_result_name: result?.name ?? null,
    answers: readReplies(snapshot, response),
    elapsed_seconds,
    is_suspect,
    parameters: orderedParameters(response.parameters),
  }
}
