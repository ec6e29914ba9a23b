import { parts, type SecondFileParts } from '#web/player/parts.ts'

/** Numbers that were last read, and the sentences about them, by question id. */
const readings_by_id: Record<string, [typed: string, sentence: string]> = {}

/** Shows a sentence below a phone field. Its element contains nothing else, so that a translation of it is replaced. */
const showSentence = (input: HTMLInputElement, sentence: string): void => {
  const shown = input.closest('.q-item')?.querySelector('.q-reading')
  if (shown && shown.textContent !== sentence) shown.textContent = sentence
}

/**
 * Shows how the number of a field is read when the field gets or loses the focus, or when the browser fills it. The first
 * of these events loads the library for phone numbers. Without the library, nothing is shown.
 */
export const updateReading: SecondFileParts['updateReading'] = async (
  field,
  { type, currentTarget: input },
) => {
  // A sentence about another number would be wrong while the visitor corrects the number.
  if (type === 'input') {
    delete readings_by_id[field.question.id]
    showSentence(input, '')
    return
  }
  const { value } = input
  await parts.loadPhoneReading?.()
  const sentence = parts.describePhone?.(field, value)
  // The visitor may type while the library is loading.
  if (sentence === undefined || input.value !== value) return
  readings_by_id[field.question.id] = [value, sentence]
  showSentence(input, sentence)
}

/**
 * Returns the sentence about the reply of a field; undefined if it was not read. The server, which has the library, reads
 * every reply.
 */
export const currentReading: SecondFileParts['currentReading'] = (field) => {
  const { question, current, is_live } = field
  const [typed, sentence] = readings_by_id[question.id] ?? []
  if (typed === current) return sentence
  return is_live ? undefined : parts.describePhone?.(field, `${current}`)
}
