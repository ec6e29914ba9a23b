import { contactVector } from './contact-index.ts'
import type { Submission } from './submission-statement.ts'

/**
 * Converts a batch to the parameters of the statement: one array per column, first of the distinct versions,
 * then of the participants.
 */
export const toColumns = (batch: readonly Submission[]): string[] => {
  const slots = new Map<string, number>()
  const versions: Submission[] = []
  const slotOf = (submission: Submission): number => {
    const key = `${submission.quiz_id} ${submission.version}`
    const known = slots.get(key)
    if (known) return known
    const slot = versions.push(submission)
    slots.set(key, slot)
    return slot
  }
  const slot = batch.map(slotOf)
  return [
    arrayOf(versions, ({ quiz_id }) => quiz_id),
    arrayOf(versions, ({ version }) => version),
    arrayOf(versions, ({ layout }) => `"${arrayOf(layout.choice_questions, itself)}"`),
    arrayOf(versions, ({ layout }) => `"${arrayOf(layout.text_questions, itself)}"`),
    arrayOf(versions, ({ layout }) => quoted(arrayOf(layout.result_names, quoted))),
    arrayOf(slot, itself),
    arrayOf(batch, ({ participant_uuid }) => participant_uuid),
    arrayOf(batch, ({ email }) => (email === null ? null : quoted(email))),
    arrayOf(batch, ({ result_position }) => result_position),
    arrayOf(batch, ({ score }) => score),
    arrayOf(batch, ({ choices }) => `"${arrayOf(choices, itself)}"`),
    arrayOf(batch, ({ texts }) => quoted(arrayOf(texts, quoted))),
    arrayOf(batch, ({ elapsed_seconds }) => elapsed_seconds),
    arrayOf(batch, ({ is_suspect }) => is_suspect),
    arrayOf(batch, ({ consent_version }) => consent_version),
    arrayOf(batch, ({ parameters }) => parameters && quoted(JSON.stringify(parameters))),
    arrayOf(batch, ({ is_mail_refused }) => is_mail_refused),
    arrayOf(batch, ({ first_name }) => first_name && quoted(first_name)),
    arrayOf(batch, ({ last_name }) => last_name && quoted(last_name)),
    arrayOf(batch, ({ phone }) => phone && quoted(phone)),
    arrayOf(batch, quotedVector),
    // PostgreSQL fills the missing elements of a shorter array with null.
    arrayOf(
      batch.some(hasDimensions) ? batch : [],
      ({ dimension_percents: percents }) => percents && `"${arrayOf(percents, itself)}"`,
    ),
    arrayOf(batch, ({ run_secret_hash }) => run_secret_hash?.toString('hex') ?? null),
    arrayOf(batch, ({ measure_version }) => measure_version),
  ]
}

type Entry = string | number | boolean | null
const itself = <T>(entry: T): T => entry
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const hasDimensions = ({ dimension_percents }: Submission): boolean => dimension_percents !== null

const quotedVector = (submission: Submission): string | null => {
  const vector = contactVector(submission.quiz_id, submission)
  return vector && quoted(vector)
}

/** Returns a PostgreSQL array literal. `entryOf` quotes entries that are not plain words. */
const arrayOf = <T>(ones: readonly T[], entryOf: (one: T) => Entry): string => {
  let text = '{'
  for (const one of ones) text += `${text === '{' ? '' : ','}${entryOf(one) ?? 'NULL'}`
  return `${text}}`
}
