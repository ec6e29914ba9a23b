import {
  createReplay,
  createReplayTally,
  type ReplayParts,
  type StoredRun,
} from '#domain/publishing/replay.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'

/**
 * Participants by version, the newest first, and the draft. Snapshots are JSON, because a thread receives a text much
 * faster than objects.
 */
export type ReplayInput = { next: string; groups: { version: string; rows: StoredRun[] }[] }

/** Replays participants on a draft and returns their tally. */
export const replayParticipants = ({ next, groups }: ReplayInput): ReplayParts => {
  const draft = JSON.parse(next) as Snapshot
  const tally = createReplayTally(draft)
  for (const { version, rows } of groups) {
    const replay = createReplay(JSON.parse(version) as Snapshot, draft)
    for (const row of rows) tally.add(replay(row))
  }
  return tally.parts()
}
