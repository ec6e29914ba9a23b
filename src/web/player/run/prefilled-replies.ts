import { PREFILLED_DATA_ID, type PrefilledData } from '#domain/prefilled-links/link-parameters.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'

/**
 * Returns the replies that the address of this page fills in, as the server has read them, and removes them from the
 * address. Other parameters stay.
 */
export const takePrefilledReplies = (): Replies => {
  const { replies, others }: PrefilledData<Replies> = JSON.parse(
    document.getElementById(PREFILLED_DATA_ID)?.textContent ?? '',
  )
  try {
    history.replaceState(history.state, '', location.pathname + others + location.hash)
  } catch {
    // Some browsers refuse a new address in a sandboxed frame, where the address is not visible.
  }
  return replies
}
