import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { type DimensionPercents, readDimensions } from '#domain/run/stored-dimensions.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import type { AutomationSubject } from './automations.ts'
import { type MappedSource, type MappingSource, mappedValue } from './field-mappings.ts'

/** Rule or field mapping, reduced to the properties that decide which participants it concerns. */
export type DryRunSubject = AutomationSubject | MappedSource

type SubjectInput = {
  result_id?: string | null | undefined
  question_id?: string | null | undefined
  answer_id?: string | null | undefined
  dimension_id?: string | null | undefined
  tier_id?: string | null | undefined
  source?: MappingSource | undefined
}

/**
 * Returns the subject that these fields describe: a result, an answer, a tier or a source. Returns undefined if the
 * fields describe no subject, or several.
 */
export const readDryRunSubject = ({
  result_id = null,
  question_id = null,
  answer_id = null,
  dimension_id = null,
  tier_id = null,
  source,
}: SubjectInput): DryRunSubject | undefined => {
  if (source !== undefined) {
    const isRule = result_id !== null || answer_id !== null || tier_id !== null
    const isComplete =
      (source === 'question') === (question_id !== null) &&
      (source === 'dimension') === (dimension_id !== null)
    return isRule || !isComplete ? undefined : { source, question_id, dimension_id }
  }
  if (dimension_id !== null || tier_id !== null) {
    const isAlone = result_id === null && question_id === null && answer_id === null
    return isAlone && dimension_id !== null && tier_id !== null
      ? { result_id, question_id, answer_id, dimension_id, tier_id }
      : undefined
  }
  if (result_id !== null)
    return question_id === null && answer_id === null
      ? { result_id, question_id, answer_id }
      : undefined
  return question_id !== null && answer_id !== null
    ? { result_id, question_id, answer_id }
    : undefined
}

/**
 * Returns the value that a mapping sends to a text field for a stored participant, by the version taken. Null means
 * that the participant has no such value.
 */
export const storedMappedValue = (
  source: MappedSource,
  { questions, results, dimensions }: Pick<Snapshot, 'questions' | 'results' | 'dimensions'>,
  {
    result_position,
    score,
    dimension_percents,
    result_url = null,
    ...stored
  }: StoredReplies & {
    result_position: number | null
    score: number | null
    dimension_percents: DimensionPercents | null
    /** Address of the page of the participant; null or absent without a page. */
    result_url?: string | null
  },
): string | null => {
  const replies = unpackReplies({ questions }, stored)
  const value = mappedValue(
    { ...source, field_type: 'text' },
    {
      visited: visitedQuestions(questions, replies),
      replies,
      score,
      dimensions: readDimensions({ dimensions }, dimension_percents),
      result_name: result_position === null ? null : (results[result_position]?.name ?? null),
      result_url,
    },
  )
  return value === null ? null : String(value)
}
