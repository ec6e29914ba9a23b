import { questionnaireSize } from '#domain/questionnaire/questionnaire-size.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { MAX_EVENT_LOOP_SIZE } from '#server/heavy-work/job-limits.ts'
import {
  type FreezeInput,
  type FrozenDraft,
  freezeDraft,
} from '#server/version-tasks/freeze-draft.ts'
import { loadDraft } from './draft.store.ts'

/** Checks the draft of a creator and returns its content as a version. */
export type FreezeDraft = (input: FreezeInput, creator_id: string) => Promise<FrozenDraft>

/** Creates the function that freezes drafts: large ones in a thread. */
export const createFreezeDraft =
  (heavyWork: Pick<HeavyWork, 'runInThread'>): FreezeDraft =>
  async (input, owner) => {
    const size = questionnaireSize(input.draft)
    if (size <= MAX_EVENT_LOOP_SIZE) return freezeDraft(input)
    return heavyWork.runInThread({ kind: 'publication', owner, size }, 'freeze_draft', input)
  }

/** Quiz that its creator publishes, and the signal that ends the wait when the caller leaves. */
type Publication = { quiz_id: string; creator_id: string; signal: AbortSignal }

/**
 * Runs a publication. A large draft waits for its creator's turn in a thread. The transaction begins in this turn, so that
 * no lock is held during the wait. Throws a 404 as `loadDraft`, and the refusals of `HeavyWork.run`.
 */
export const publishInTurn = async <T>(
  { db, heavyWork }: { db: Db; heavyWork: Pick<HeavyWork, 'run'> },
  { signal, ...owned }: Publication,
  publish: () => Promise<T>,
): Promise<T> => {
  const size = questionnaireSize(await loadDraft(db, owned))
  if (size <= MAX_EVENT_LOOP_SIZE) return publish()
  return heavyWork.run({ kind: 'publication', owner: owned.creator_id, size, signal }, publish)
}
