import type { api } from '#contract/api.ts'
import type { Validated } from '#contract/endpoint.ts'
import { closedText } from '#domain/access.ts'
import { isUtm, keptParameters, type ParameterValues, readQuery } from '#domain/parameters.ts'
import { questionsPassed } from '#domain/path.ts'
import type { Replies } from '#domain/quiz.ts'
import { replyErrors } from '#domain/reply-errors.ts'
import { computeResult, PUBLIC_RULES, totalScore } from '#domain/scoring.ts'
import type { Snapshot, SnapshotQuestion, SnapshotResult } from '#domain/snapshot.ts'
import { packReplies } from '#domain/stored-replies.ts'
import { isSuspect } from '#domain/suspicion.ts'
import { participantEmail } from '#domain/taking.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { ApiError, forbidden, invalid, notFound } from '#server/http/errors.ts'
import type { Published, Snapshots } from './snapshots.ts'
import type { Submission } from './submission-batch.ts'
import type { Known, Participant } from './submissions.store.ts'
import type { Submissions } from './submissions.ts'

/** What a participant gave, as the contract has it. */
type Given = Omit<Validated<typeof api.taking.submit>['body'], 'participant_uuid'>

type Stored = { is_new: boolean; result: SnapshotResult | null }
type Dependencies = {
  snapshots: Snapshots
  /** Where it is stored: with the participants, or with the tests. */
  submissions: Pick<Submissions, 'submit' | 'find'>
}

/**
 * Stores a participant once and gives the result that the server computed from the version taken
 * (decisions « Submission »). 403 when the quiz is not published, is closed or has all its participants, 404 when it is gone, 422 when the
 * replies are not those of the version; but a participant already stored gets the first outcome, even
 * when the quiz has changed or was withdrawn since.
 */
export const submitResponse = async (
  on: Dependencies,
  who: Participant,
  given: Given,
): Promise<Stored> => {
  try {
    return await store(on, who, given)
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500
    const known = isRefusal ? await on.submissions.find(who) : undefined
    if (!known) throw error
    return { is_new: false, result: await firstResult(on.snapshots, who.quiz_id, known) }
  }
}

const store = async (
  { snapshots, submissions }: Dependencies,
  who: Participant,
  given: Given,
): Promise<Stored> => {
  const { quiz_id } = who
  const { version, answers } = given
  const atHand = version ? snapshots.versionAtHand(quiz_id, version) : undefined
  const taken = atHand ?? (await loadTaken(snapshots, quiz_id, version))
  const { snapshot } = taken
  refuseExtraReplies(snapshot, answers)
  const passed = questionsPassed(snapshot.questions, answers)
  const [error] = replyErrors(snapshot, answers, passed)
  if (error) throw invalid(error, 'answers')
  const score = totalScore(snapshot, answers, passed)
  const result = computeResult(snapshot, answers, PUBLIC_RULES, score)
  const parameters = given.parameters
    ? await parametersOf(snapshots, quiz_id, given.parameters)
    : null
  const computed = { passed, result, score, parameters }
  const outcome = await submissions.submit(submissionOf(taken, who, given, computed))
  switch (outcome.kind) {
    case 'stored':
      return { is_new: true, result }
    case 'known':
      return { is_new: false, result: await firstResult(snapshots, quiz_id, outcome) }
    case 'full':
      throw forbidden('quiz_full', closedText(outcome.text))
    case 'closed':
      throw forbidden('quiz_closed', closedText(outcome.text))
    case 'unpublished':
      throw notPublished()
    case 'gone':
      throw notFound()
  }
}

/**
 * Throws `invalid()` (422) for more replies than the version has questions. Comes before everything that looks at each
 * reply, so that a large object of unknown keys costs nothing more.
 */
export const refuseExtraReplies = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
): void => {
  if (Object.keys(replies).length > questions.length)
    throw invalid('Il y a plus de réponses que ce quiz n’a de questions', 'answers')
}

const notPublished = () => forbidden('quiz_not_published', "Ce quiz n'est pas encore publié.")

/** The version the visitor began with when it exists, else the current one. */
const loadTaken = async (
  snapshots: Snapshots,
  quiz_id: string,
  version: Given['version'],
): Promise<Published> => {
  const begun = version ? await snapshots.ofVersion(quiz_id, version) : undefined
  const taken = begun ?? (await snapshots.current(quiz_id))
  if (!taken) throw notFound()
  if (!taken.is_published) throw notPublished()
  return taken
}

/** What is kept of them. Which names are declared is asked for only where it matters, and is at hand mostly. */
const parametersOf = async (
  snapshots: Snapshots,
  quiz_id: string,
  given: NonNullable<Given['parameters']>,
): Promise<ParameterValues | null> => {
  const came = typeof given === 'string' ? readQuery(given) : Object.entries(given)
  if (came.every(([name]) => isUtm(name))) return keptParameters(came, [])
  const current = snapshots.atHand(quiz_id) ?? (await snapshots.current(quiz_id))
  return keptParameters(came, current?.is_published ? current.parameters : [])
}

/** What the replies of a run come to, with the questions that it passed, and what came with them. */
type Computed = {
  passed: SnapshotQuestion[]
  result: SnapshotResult | null
  score: number | null
  parameters: ParameterValues | null
}

const submissionOf = (
  { snapshot, version, layout }: Published,
  { quiz_id, participant_uuid }: Participant,
  { answers, email, consent_version = null, elapsed_seconds = null, is_trapped = false }: Given,
  { passed, result, score, parameters }: Computed,
): Submission => {
  const { choices, texts } = packReplies(snapshot, answers)
  return {
    quiz_id,
    participant_uuid,
    version,
    email: plausibleEmail(participantEmail(snapshot, answers, passed) || (email?.trim() ?? '')),
    consent_version,
    result_position: result && snapshot.results.findIndex(({ id }) => id === result.id),
    score,
    choices,
    texts,
    layout,
    elapsed_seconds,
    parameters,
    is_suspect: isSuspect({ questions: passed }, { is_trapped, elapsed_seconds }),
  }
}

/** An address that a mail could reach; null for anything else, which stays in the answers. */
const plausibleEmail = (email: string): string | null =>
  email.length <= LIMITS.email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null

/** What the participant was told the first time. */
export const firstResult = async (
  snapshots: Snapshots,
  quiz_id: string,
  { version, result_position }: Known,
): Promise<SnapshotResult | null> => {
  if (result_position === null) return null
  const taken = await snapshots.ofVersion(quiz_id, version)
  return taken?.snapshot.results[result_position] ?? null
}
