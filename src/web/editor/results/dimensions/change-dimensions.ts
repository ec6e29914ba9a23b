import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import {
  type DimensionsAction,
  dimensionsAnnouncement,
  dimensionsReducer,
  dimensionsUndoGroupKey,
} from './dimensions-reducer.ts'

/** Function that applies an action to the dimensions of the draft. */
export type ChangeDimensions = (action: DimensionsAction) => void

/** Returns a function that applies actions to the dimensions of a draft and announces them. */
export const changeDimensions =
  (session: DraftSession): ChangeDimensions =>
  (action) => {
    session.change((draft) => dimensionsReducer(draft, action), {
      undoGroupKey: dimensionsUndoGroupKey(action),
      ...AUTOSAVE_KINDS.results,
    })
    const announcement = dimensionsAnnouncement(session.view().draft, action)
    if (announcement) announceToScreenReader(announcement)
  }
