import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { formatReply } from '#domain/run/replies.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import type { AutomationSubject } from './automations.ts'
import type { FieldMapping, MappingSource } from './field-mappings.ts'

/** Source of the value of a field mapping. */
export type MappedSource = Pick<FieldMapping, 'source' | 'question_id'>

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
 * Returns the value that a mapping takes from a stored participant, by the version that they took. Null means that the
 * participant has no such value.
 */
export const mappedValueOf = (
  { source, question_id }: MappedSource,
  { questions, results }: Pick<Snapshot, 'questions' | 'results'>,
  participant: StoredReplies & { result_position: number | null; score: number | null },
): string | null => {
  const { result_position, score } = participant
  if (source === 'score') return score === null ? null : `${score}`
  if (source === 'result')
    return result_position === null ? null : (results[result_position]?.name ?? null)
  const question = questions.find(({ id }) => id === question_id)
  return (question && formatReply(question, unpackReplies({ questions }, participant))) || null
}
