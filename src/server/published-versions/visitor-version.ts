import { createHash } from 'node:crypto'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { publicSnapshot } from '#domain/run/public-page/public-snapshot.ts'
import { addQuestionNotes, type QuestionNotes } from '#domain/run/question-notes.ts'
import { type RichSnapshot, readTexts } from '#domain/run/rich-text.ts'
import type { ResponseLayout } from '#domain/run/stored-replies.ts'
import type { ReadText } from '#server/rich-texts/text-parser.ts'

/** Version of a quiz, prepared for visitors. */
export type PublishedVersion = {
  is_published: true
  version: number
  creator_id: string
  /** Snapshot for visitors, including the notes at its questions. */
  snapshot: Snapshot
  /** `snapshot` with its texts parsed. */
  rich: RichSnapshot
  /** Returns the parsed form of a text of the version. */
  read: ReadText
  layout: ResponseLayout
  notes: QuestionNotes
  /** Returns the body of the answer to the snapshot call, which is written at the first call. */
  body: () => SnapshotBody
}
/** JSON of a snapshot for visitors. */
type SnapshotBody = { json: Buffer; etag: string }
/** Content of a compiled version that its versions for visitors share. */
type VersionContent = Pick<
  PublishedVersion,
  'version' | 'creator_id' | 'snapshot' | 'rich' | 'read' | 'layout'
>

/** Returns a key that distinguishes the pages of a version by the notes at its questions. */
export const questionNotesKey = ({ consent, measure, is_mailed, country }: QuestionNotes): string =>
  `${consent?.version} ${measure?.version}${is_mailed ? ' mailed' : ''} ${country}`

/** Returns a version for visitors, with these notes at its questions. */
export const toPublishedVersion = (
  { snapshot: frozen, version, creator_id, read, layout, rich }: VersionContent,
  notes: QuestionNotes,
): PublishedVersion => {
  const snapshot = addQuestionNotes(frozen, notes)
  let written: SnapshotBody | undefined
  const body = (): SnapshotBody => {
    written ??= writeBody(snapshot, version)
    return written
  }
  return {
    is_published: true,
    version,
    creator_id,
    snapshot,
    read,
    layout,
    notes,
    body,
    rich: snapshot === frozen ? rich : readTexts(snapshot, read),
  }
}

const writeBody = (snapshot: Snapshot, version: number): SnapshotBody => {
  const json = Buffer.from(JSON.stringify({ snapshot: { ...publicSnapshot(snapshot), version } }))
  return { json, etag: `"${createHash('sha256').update(json).digest('base64url')}"` }
}
