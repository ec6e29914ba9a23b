import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import type { AutomationSubject } from './automations.ts'
import { type MappedSource, type MappingSource, mappedValue } from './field-mappings.ts'

/** Rule or field mapping, reduced to the properties that decide which participants it concerns. */
export type DryRunSubject = AutomationSubject | MappedSource

type SubjectInput = {
  result_id?: string | null | undefined
  question_id?: string | null | undefined
  answer_id?: string | null | undefined
  source?: MappingSource | undefined
}

/**
 * Returns the subject that these fields describe: a result, an answer with its question, or a source. Returns undefined
 * if the fields describe no subject, or several.
 */
export const readDryRunSubject = ({
  result_id = null,
  question_id = null,
  answer_id = null,
  source,
}: SubjectInput): DryRunSubject | undefined => {
  if (source !== undefined) {
    const needs_question = source === 'question'
    const isRule = result_id !== null || answer_id !== null
    return isRule || needs_question !== (question_id !== null) ? undefined : { source, question_id }
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
  { questions, results }: Pick<Snapshot, 'questions' | 'results'>,
  {
    result_position,
    score,
    ...stored
  }: StoredReplies & {
    result_position: number | null
    score: number | null
  },
): string | null => {
  const replies = unpackReplies({ questions }, stored)
  const value = mappedValue(
    { ...source, field_type: 'text' },
    {
      ...{ visited: visitedQuestions(questions, replies), replies, score },
      result_name: result_position === null ? null : (results[result_position]?.name ?? null),
    },
  )
  return value === null ? null : String(value)
}
