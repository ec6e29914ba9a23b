import { maskEmail } from '#domain/confirmations/confirmation.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import { composeReplies } from '#domain/run/replies.ts'
import { fillRichText, insertionsOf, plainText } from '#domain/run/rich-text.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { NO_OFFERS, type VersionReader } from '#server/published-versions/published-versions.ts'
import type { PublishedVersion } from '#server/published-versions/visitor-version.ts'
import type { ReportLinks } from '#server/reports/report-links.ts'
import { hasExtraReplies } from './reply-size.ts'
import { isRunSecret } from './run-secret.ts'
import type { ExistingParticipant, Participant, StoredParticipant } from './submissions.store.ts'

/** Outcome of a submission: of a new one, or of the first one of its participant. */
export type SubmissionResult = {
  is_new: boolean
  result: SubmittedResult | null
  /** Paths of the participant’s documents and page; undefined without any. */
  documents?: DocumentLinks | undefined
}

/** Result in the answer to a submission. */
type SubmittedResult = Pick<SnapshotResult, 'id' | 'name' | 'description'> & {
  /** Description as plain text, with the participant's replies inserted. */
  description_text: string | null
}

/** Parts of a repeated submission on which its answer depends. */
type RepeatedSubmission = { answers: Replies; run_secret?: string | null | undefined }

/** Returns the masked address of a participant whose confirmation is awaited; undefined otherwise. */
export const askedEmail = ({
  email,
  email_confirmation,
}: Pick<StoredParticipant, 'email' | 'email_confirmation'>): string | undefined =>
  email !== null && email_confirmation === 'waiting' ? maskEmail(email) : undefined

/** Returns the stored result of a participant in the version that was taken; null if there is none. */
export const firstResult = async (
  versionReader: VersionReader,
  quiz_id: string,
  { version, result_position }: ExistingParticipant,
): Promise<SnapshotResult | null> => {
  if (result_position === null) return null
  const publishedVersion = await versionReader.ofVersion(quiz_id, version)
  return publishedVersion?.snapshot.results[result_position] ?? null
}

/**
 * Returns the first outcome of a stored participant. Only the secret of the run gives the links, and the stored replies in
 * the insertions of the text; without the secret the replies of the request are inserted.
 */
export const findFirstOutcome = async (
  deps: { versionReader: VersionReader; links?: ReportLinks | undefined },
  participant: Participant,
  { known, submission }: { known: StoredParticipant; submission: RepeatedSubmission },
): Promise<SubmissionResult> => {
  const { versionReader } = deps
  const { quiz_id } = participant
  const result = await firstResult(versionReader, quiz_id, known)
  const publishedVersion = await versionReader.ofVersion(quiz_id, known.version)
  if (!publishedVersion) return { is_new: false, result: null }
  const { snapshot } = publishedVersion
  if (!isRunSecret(known, submission.run_secret)) {
    const sent = hasExtraReplies(snapshot, submission.answers) ? {} : submission.answers
    const replies = composeReplies(snapshot.questions, sent, new Date().getFullYear())
    return { is_new: false, result: result && describeResult(publishedVersion, result, replies) }
  }
  const replies = unpackReplies(snapshot, known)
  const { keeps_page } = deps.links ? await versionReader.offersOf(quiz_id) : NO_OFFERS
  return {
    is_new: false,
    result: result && describeResult(publishedVersion, result, replies),
    documents: deps.links?.of(
      participant,
      { snapshot, replies },
      { keeps_page, asked_email: askedEmail(known) },
    ),
  }
}

/** Returns the result for the answer to a submission, with the replies in the insertions of its description. */
export const describeResult = (
  { snapshot, read }: PublishedVersion,
  result: SnapshotResult,
  replies: Replies,
): SubmittedResult => {
  const { id, name, description } = result
  if (!description) return { id, name, description, description_text: description }
  const insertions = description.includes('{{')
    ? insertionsOf(snapshot, replies, result, dimensionInsertions(snapshot, replies))
    : new Map<string, string>()
  const description_text = plainText(fillRichText(read(description), insertions))
  return { id, name, description, description_text }
}
