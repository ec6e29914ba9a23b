import { type RawBuilder, sql } from 'kysely'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'

/** Parts of a version that give replies and figures their texts. Large texts of pages are left out. */
export type ReplyContent = Pick<Snapshot, 'questions' | 'results' | 'dimensions' | 'quiz_mode'> & {
  quiz: Pick<Snapshot['quiz'], 'type' | 'certificate_percent'>
}

/**
 * Returns an SQL expression for the ReplyContent of a row of quiz_versions. PostgreSQL decompresses the snapshot once, and
 * the event loop neither reads nor parses the texts of pages.
 */
export const replyContent = (): RawBuilder<ReplyContent> => sql`
  select jsonb_build_object(
    'quiz', jsonb_strip_nulls(jsonb_build_object(
      'type', quiz -> 'type', 'certificate_percent', quiz -> 'certificate_percent'
    )),
    'quiz_mode', quiz_mode, 'questions', questions, 'results', results
  ) || case when dimensions is null then '{}' else jsonb_build_object('dimensions', dimensions) end
  from jsonb_to_record(snapshot) as parts(
    quiz jsonb, quiz_mode jsonb, questions jsonb, results jsonb, dimensions jsonb
  )
`
