import type { ColumnType, Generated } from 'kysely'
import type { ConsentMode, QuizMode, QuizStatus, QuizType } from '#domain/common/vocabulary.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type {
  Answer,
  Association,
  Question,
  QuestionOptions,
  QuizAccess,
  QuizColors,
  QuizPage,
  QuizTies,
  Result,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import type { OptionalTimestamp, Timestamp } from './response-tables.ts'

/** Columns of a quiz. `quizzes` is a view without the trash, and `all_quizzes` the table (docs/decisions/081). */
type QuizColumns = QuizColors & {
  [Name in keyof (QuizPage & QuizTies & QuizAccess)]: Generated<
    (QuizPage & QuizTies & QuizAccess)[Name]
  >
} & {
  id: string
  creator_id: string
  name: string
  type: QuizType
  status: Generated<QuizStatus>
  quiz_mode: QuizMode
  kit_custom_field: string | null
  brevo_attribute_name: string | null
  consent_mode: Generated<ConsentMode>
  consent_text: string | null
  sender_name: string | null
  measure_consent: Generated<boolean>
  measure_text: string | null
  folder_id: string | null
  published_version: number | null
  revision: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

/** Tables of quizzes, their drafts and their versions. */
export type QuizTables = {
  quiz_slugs: { slug: string; quiz_id: string }
  former_slugs: { slug: string; creator_id: string; reserved_until: Timestamp }
  folders: { id: string; creator_id: string; name: string; created_at: Timestamp }
  quizzes: QuizColumns
  all_quizzes: QuizColumns & { trashed_at: OptionalTimestamp }
  results: Omit<Result, 'updated_at'> & { created_at: Timestamp; updated_at: Timestamp }
  questions: Omit<Question, 'answers' | keyof QuestionOptions> & {
    [Name in keyof QuestionOptions]: Generated<QuestionOptions[Name]>
  }
  answers: Omit<Answer, 'associations' | 'is_correct'> & {
    quiz_id: string
    is_correct: Generated<boolean>
  }
  associations: Association & { quiz_id: string }
  text_blocks: TextBlock
  dimensions: Dimension
  text_variants: TextVariant

  images: {
    id: string
    creator_id: string
    width: number
    height: number
    color: string
    bytes: number
    created_at: Timestamp
    used_at: Timestamp
  }
  image_files: { image_id: string; size: number; data: Buffer }

  quiz_versions: {
    quiz_id: string
    version: number
    snapshot: ColumnType<Snapshot, string, never>
    image_ids: Generated<string[]>
    choice_questions: Generated<number[]>
    text_questions: Generated<string[]>
    nb_responses: Generated<number>
    nb_deleted: Generated<number>
    published_at: Timestamp
  }
  visit_counts: {
    quiz_id: string
    version: number
    quarter: string
    step: number
    count: number
  }
  visit_step_counts: { quiz_id: string; version: number; step: number; count: number }
  version_results: {
    quiz_id: string
    version: number
    results: ColumnType<Snapshot['results'], never, never>
  }
  retention: {
    quiz_id: string
    months: 6 | 12 | 36
    before: OptionalTimestamp
    due_at: OptionalTimestamp
  }
  statistics_links: {
    quiz_id: string
    token_hash: Buffer
    sealed_token: Buffer
    created_at: Timestamp
    opened_on: string | null
  }
}
