import type { ColumnType, Generated } from 'kysely'
import type { ParameterValues } from '#domain/parameters.ts'
import type { Stamp } from './stamps.ts'

/** What a participant and a test run have alike. */
type Answered = {
  quiz_id: string
  version: number
  created_at: Stamp
  email: string | null
  result_position: number | null
  score: number | null
  choices: (number | null)[]
  texts: string[]
  elapsed_seconds: number | null
  consent_version: number | null
  parameters: ColumnType<ParameterValues | null, string | null | undefined, never>
}

/** The participants, and what was answered in test runs (docs/decisions/046). */
export type ResponseTables = {
  responses: Answered & {
    participant_uuid: string
    is_suspect: Generated<boolean>
    other_values: ColumnType<string[] | null, string[] | null | undefined, never>
  }
  trial_responses: Answered & { id: string }
}
