import {
  createReplay,
  createReplayTally,
  type ReplayParts,
  type StoredRun,
} from '#domain/publishing/replay.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'

/**
 * Snapshot of the draft, and participants by version, the newest first. Snapshots are JSON, because a thread receives a
 * text much faster than objects.
 */
export type ReplayInput = {
  draft_json: string
  groups: { snapshot_json: string; rows: StoredRun[] }[]
}

/** Replays participants on a draft and returns their tally. */
export const replayParticipants = ({ draft_json, groups }: ReplayInput): ReplayParts => {
  const draft = JSON.parse(draft_json) as Snapshot
  const tally = createReplayTally(draft)
  for (const { snapshot_json, rows } of groups) {
    const replay = createReplay(JSON.parse(snapshot_json) as Snapshot, draft)
    for (const row of rows) tally.add(replay(row))
  }
  return tally.parts()
}
