import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { loadPublished } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { forEachParticipant, MAX_READ_PARTICIPANTS } from './each-participant.ts'

/** Conditional text of the published version with the participants who saw it. */
type TextViews = Pick<SnapshotTextVariant, 'id' | 'place' | 'text'> & {
  result_name: string | null
  nb_participants: number | null
  nb_shown: number | null
}

/**
 * Lists the conditional texts of the last published version. `has_counts` applies the rule of the page to the newest
 * participants, by the version taken. Throws a 404 if the quiz is absent, belongs to another creator or was never
 * published, and the reason of an aborted `signal`.
 */
export const countTextViews = (
  db: Db,
  owned: { quiz_id: string; creator_id: string },
  { has_counts, signal }: { has_counts: boolean; signal?: AbortSignal },
): Promise<{ is_newest: boolean; texts: TextViews[] }> =>
  readInOneSnapshot(
    db,
    async (read) => {
      const { quiz_id } = owned
      const { quiz, published_version } = await loadPublished(read, owned)
      const published = await findVersion(read, quiz_id, published_version ?? 0)
      const listed = published?.text_variants ?? []
      const nameOf = (id: string | null): string | null =>
        published?.results.find((result) => result.id === id)?.name ?? null
      const counts = new Map(listed.map(({ id }) => [id, { nb_participants: 0, nb_shown: 0 }]))
      const isCounting = has_counts && listed.length > 0
      if (isCounting)
        await forEachParticipant(read, { quiz_id, signal }, (answered) => {
          const { text_variants = [] } = answered
          return (row) => {
            for (const { id } of text_variants) {
              const count = counts.get(id)
              if (count) count.nb_participants++
            }
            const result = answered.results[row.result_position ?? -1] ?? null
            const run = finishedRunOf(answered, unpackReplies(answered, row), result)
            for (const surface of ['page', 'mail'] as const)
              for (const { id } of shownTexts(answered, surface, run)) {
                const count = counts.get(id)
                if (count) count.nb_shown++
              }
          }
        })
      return {
        is_newest: isCounting && quiz.nb_responses > MAX_READ_PARTICIPANTS,
        texts: listed.map(({ id, place, result_id, text, button_text }) => ({
          id,
          place,
          text: text || (button_text ?? ''),
          result_name: nameOf(result_id),
          ...(isCounting
            ? (counts.get(id) ?? { nb_participants: 0, nb_shown: 0 })
            : { nb_participants: null, nb_shown: null }),
        })),
      }
    },
    signal,
  )
