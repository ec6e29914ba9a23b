import { questionnaireSize } from '#domain/questionnaire/questionnaire-size.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import {
  type FreezeInput,
  type FrozenDraft,
  freezeDraft,
} from '#server/version-tasks/freeze-draft.ts'

/** Checks the draft of a creator and returns its content as a version. */
export type FreezeDraft = (input: FreezeInput, creator_id: string) => Promise<FrozenDraft>

/** Size of a draft (`questionnaireSize`) up to which the event loop freezes it, in some milliseconds. */
const MAX_QUICK_SIZE = 60_000

/** Creates the function that freezes drafts: large ones in a thread. */
export const createFreezeDraft =
  (heavyWork: Pick<HeavyWork, 'runInThread'>): FreezeDraft =>
  async (input, owner) => {
    const size = questionnaireSize(input.draft)
    if (size <= MAX_QUICK_SIZE) return freezeDraft(input)
    return heavyWork.runInThread({ kind: 'publication', owner, size }, 'freeze_draft', input)
  }
