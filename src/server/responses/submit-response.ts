import type { api } from '#contract/api.ts'
import type { ValidatedInput } from '#contract/kit/endpoint.ts'
import { canonicalEmail } from '#domain/common/addresses.ts'
import { isAskedToConfirm, maskEmail } from '#domain/confirmations/confirmation.ts'
import { closedText } from '#domain/questionnaire/access.ts'
import {
  isUtm,
  type ParameterValues,
  readQuery,
  storedParameters,
} from '#domain/questionnaire/parameters.ts'
import type { SnapshotQuestion, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { contactDataOf, participantEmail } from '#domain/run/contact/contact.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { composeReplies } from '#domain/run/replies.ts'
import { computeResult, PUBLIC_RULES, totalScore } from '#domain/run/scoring.ts'
import { isLikelySpam } from '#domain/run/spam-signals.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { packReplies } from '#domain/run/stored-replies.ts'
import { addressError, submissionErrors } from '#domain/run/submission-checks.ts'
import { ApiError, forbidden, invalid, notFound } from '#server/http/edge/errors.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { openingText } from '#server/published-versions/opening.ts'
import { NO_OFFERS, type VersionReader } from '#server/published-versions/published-versions.ts'
import type { PublishedVersion } from '#server/published-versions/visitor-version.ts'
import type { ReportLinks } from '#server/reports/report-links.ts'
import { extraReplies, hasExtraReplies, refuseHeavyTexts } from './reply-size.ts'
import { hashRunSecret } from './run-secret.ts'
import type { Submissions } from './submission-queue.ts'
import { describeResult, findFirstOutcome, type SubmissionResult } from './submission-result.ts'
import type { Submission } from './submission-statement.ts'
import type { Participant } from './submissions.store.ts'

/** Body of a submission without the id of the participant. */
type SubmissionInput = Omit<
  ValidatedInput<typeof api.publicQuiz.submit>['body'],
  'participant_uuid'
>

/** Dependencies of `submitResponse`. */
export type SubmissionNeeds = {
  versionReader: VersionReader
  /** Storage of the participant: among the participants, or among the trial runs. */
  submissions: Pick<Submissions, 'submit' | 'find'>
  /**
   * Counts a result mail of the visitor's network; returns false if the mail is refused. Without this function
   * no mail is refused.
   */
  admitMail?: (network: string) => Promise<boolean>
  /** Creates the links to documents and pages of participants; absent for trial runs, which have no links. */
  links?: ReportLinks
}
/** Participant, and the IP address of the submission. */
type Submitter = Participant & { ip?: string }

/**
 * Stores a participant once and returns the result, which the server computes from the version taken
 * (product 9.5, 9.6). Throws a 403 if the quiz is unpublished, unopened, closed or full, a 404 if deleted, a 409 if the
 * participant was erased, a 422 for invalid replies. A participant that is already stored gets the first outcome
 * instead of an error.
 */
export const submitResponse = async (
  deps: SubmissionNeeds,
  submitter: Submitter,
  submission: SubmissionInput,
): Promise<SubmissionResult> => {
  try {
    return await store(deps, submitter, submission)
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500
    const known = isRefusal ? await deps.submissions.find(submitter) : undefined
    if (!known) throw error
    return findFirstOutcome(deps, submitter, { known, submission })
  }
}

const store = async (
  { versionReader, submissions, admitMail, links }: SubmissionNeeds,
  submitter: Submitter,
  submission: SubmissionInput,
): Promise<SubmissionResult> => {
  const { quiz_id } = submitter
  const { version } = submission
  const cached = version ? versionReader.getCachedVersion(quiz_id, version) : undefined
  const publishedVersion = cached ?? (await loadVersion(versionReader, quiz_id, version))
  const { snapshot } = publishedVersion
  if (hasExtraReplies(snapshot, submission.answers)) {
    await refuseClosed(versionReader, quiz_id)
    throw extraReplies()
  }
  const answers = composeReplies(snapshot.questions, submission.answers, new Date().getFullYear())
  const passed = visitedQuestions(snapshot.questions, answers)
  const [error] = submissionErrors(snapshot, answers, passed)
  const address_error = addressError(submission.email ?? '')
  if (error || address_error) {
    await refuseClosed(versionReader, quiz_id)
    throw error ? invalid(error, 'answers') : invalid(address_error ?? '', 'email')
  }
  const score = totalScore(snapshot, answers, passed)
  const result = computeResult(snapshot, answers, PUBLIC_RULES, score)
  const parameters = submission.parameters
    ? await parametersOf(versionReader, quiz_id, submission.parameters)
    : null
  const email = canonicalEmail(
    participantEmail(snapshot, answers, passed) || (submission.email ?? ''),
  )
  const is_mail_refused =
    email !== null &&
    submitter.ip !== undefined &&
    admitMail !== undefined &&
    (await sendsMails(versionReader, quiz_id)) &&
    !(await admitMail(networkKey(submitter.ip)))
  // The setting is read before the participant is stored, so that a failed query never hides a stored submission.
  const { keeps_page, confirms_email } = links ? await versionReader.offersOf(quiz_id) : NO_OFFERS
  const { consent_version = null } = submission
  const is_asked =
    confirms_email &&
    !is_mail_refused &&
    email !== null &&
    isAskedToConfirm({ email, consent_version })
  const computed = { passed, result, score, parameters, email, is_mail_refused }
  const outcome = await submissions.submit(
    submissionOf(publishedVersion, submitter, { ...submission, answers }, computed),
  )
  switch (outcome.kind) {
    case 'stored':
      return {
        is_new: true,
        result: result && describeResult(publishedVersion, result, answers),
        documents: links?.of(
          submitter,
          { snapshot, replies: answers },
          { keeps_page, asked_email: is_asked ? maskEmail(email) : undefined },
        ),
      }
    case 'known': {
      const known = await submissions.find(submitter)
      // The participant was deleted between the two queries.
      if (!known) throw notFound()
      return findFirstOutcome({ versionReader, links }, submitter, { known, submission })
    }
    case 'erased':
      throw new ApiError(409, 'participant_erased', 'Ces réponses ont été effacées.')
    case 'full':
      throw forbidden('quiz_full', closedText(outcome.text))
    case 'closed':
      throw forbidden('quiz_closed', closedText(outcome.text))
    case 'unopened':
      throw forbidden('quiz_not_open', openingText(outcome))
    case 'unpublished':
      throw notPublished()
    case 'gone':
      throw notFound()
    case 'already_replied':
      throw new ApiError(409, outcome.kind, 'Une réponse a déjà été envoyée avec ce lien.')
    case 'campaign_ended':
      throw new ApiError(409, outcome.kind, 'Cette campagne est terminée.')
  }
}

/**
 * Throws the refusal of a deleted, unpublished, unopened or closed quiz. Called before a refusal says anything about the
 * content. Accepted submissions need no such query, because the statement that stores them checks the state.
 */
const refuseClosed = async (versionReader: VersionReader, quiz_id: string): Promise<void> => {
  const current = await versionReader.current(quiz_id)
  if (!current) throw notFound()
  if (!current.is_published) throw notPublished()
  const { opening, closed } = current
  if (opening) throw forbidden('quiz_not_open', openingText(opening))
  if (closed) throw forbidden('quiz_closed', closedText(closed.text))
}

const notPublished = () => forbidden('quiz_not_published', "Ce quiz n'est pas encore publié.")

/** Returns the version that the visitor began with, or the current version if there is no such version. */
const loadVersion = async (
  versionReader: VersionReader,
  quiz_id: string,
  version: SubmissionInput['version'],
): Promise<PublishedVersion> => {
  const version_of_run = version ? await versionReader.ofVersion(quiz_id, version) : undefined
  const publishedVersion = version_of_run ?? (await versionReader.current(quiz_id))
  if (!publishedVersion) throw notFound()
  if (!publishedVersion.is_published) throw notPublished()
  return publishedVersion
}

/** Returns true if the published quiz mails participants their result, or asks them to confirm the address. */
const sendsMails = async (versionReader: VersionReader, quiz_id: string): Promise<boolean> => {
  const current = versionReader.getCached(quiz_id) ?? (await versionReader.current(quiz_id))
  return current?.is_published === true && (current.notes.is_mailed || current.confirms_email)
}

/** Returns the parameters to store. The declared names are loaded only if a parameter is not a UTM parameter. */
const parametersOf = async (
  versionReader: VersionReader,
  quiz_id: string,
  parameters: NonNullable<SubmissionInput['parameters']>,
): Promise<ParameterValues | null> => {
  const pairs = typeof parameters === 'string' ? readQuery(parameters) : Object.entries(parameters)
  if (pairs.every(([name]) => isUtm(name))) return storedParameters(pairs, [])
  const current = versionReader.getCached(quiz_id) ?? (await versionReader.current(quiz_id))
  return storedParameters(pairs, current?.is_published ? current.parameters : [])
}

/** Values computed from the replies of a run. */
type ComputedOutcome = {
  passed: SnapshotQuestion[]
  result: SnapshotResult | null
  score: number | null
  parameters: ParameterValues | null
  email: string | null
  is_mail_refused: boolean
}

const submissionOf = (
  { snapshot, version, layout }: PublishedVersion,
  { quiz_id, participant_uuid }: Participant,
  submission: SubmissionInput,
  { passed, result, score, parameters, email, is_mail_refused }: ComputedOutcome,
): Submission => {
  const { answers, consent_version = null, measure_version = null } = submission
  const { elapsed_seconds = null, is_trapped = false } = submission
  const { choices, texts } = packReplies(snapshot, answers)
  refuseHeavyTexts(texts)
  return {
    quiz_id,
    participant_uuid,
    run_secret_hash: submission.run_secret ? hashRunSecret(submission.run_secret) : null,
    version,
    email,
    consent_version,
    measure_version,
    result_position: result && snapshot.results.findIndex(({ id }) => id === result.id),
    score,
    choices,
    texts,
    layout,
    elapsed_seconds,
    parameters,
    is_mail_refused,
    dimension_percents: packDimensions(snapshot, answers),
    ...contactDataOf(passed, answers),
    is_suspect: isLikelySpam({ questions: passed }, { is_trapped, elapsed_seconds }),
  }
}
