import { randomUUIDv7 } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { UNPUBLISHED } from '#domain/common/vocabulary.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { addQuestionNotes } from '#domain/run/question-notes.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { type Handlers, Reply, signalOf } from '#server/http/edge/mount.ts'
import { REVALIDATE_HEADERS } from '#server/published-versions/cache-headers.ts'
import type { PublishedVersion } from '#server/published-versions/visitor-version.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import { previewNotes } from './consent.store.ts'
import { type SubmissionNeeds, submitResponse } from './submit-response.ts'

type Dependencies = SubmissionNeeds & { db: Db }

/** Handlers of contract/public-quiz.ts. */
export const responsesHandlers = ({
  db,
  versionReader,
  submissions,
  admitMail,
  links,
}: Dependencies): Handlers<typeof api.publicQuiz> => ({
  snapshot: async ({ id: quiz_id, preview }, creator, request) => {
    if (preview && creator) {
      const owned = { quiz_id, creator_id: creator.id }
      const draft = await readInOneSnapshot(db, (read) => loadDraft(read, owned))
      const notes = await previewNotes(db, draft.quiz, creator.id)
      return { snapshot: { ...addQuestionNotes(takeSnapshot(draft), notes), version: null } }
    }
    const current = await versionReader.current(quiz_id, signalOf(request))
    if (!current) throw notFound()
    if (!current.is_published || current.opening || current.closed)
      return { snapshot: UNPUBLISHED_SNAPSHOT }
    return sendPublished(current, request.headers['if-none-match'])
  },

  submit: async ({ id: quiz_id, body }, _creator, { ip }) => {
    const { participant_uuid = randomUUIDv7() } = body
    const submitter = { quiz_id, participant_uuid, ip }
    const deps = { versionReader, submissions, admitMail, links }
    const { is_new, result, documents } = await submitResponse(deps, submitter, body)
    return new Reply(is_new ? 201 : 200, {
      participant_uuid,
      result,
      ...(documents && { documents }),
    })
  },
})

/** Empty snapshot for a quiz that is unpublished, closed or not yet open, so that its content stays secret. */
const UNPUBLISHED_SNAPSHOT = {
  quiz: {
    name: '',
    type: 'quiz' as const,
    status: UNPUBLISHED as typeof UNPUBLISHED,
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
  },
  questions: [],
  text_blocks: [],
  results: [],
  quiz_mode: null,
  version: null,
}

const sendPublished = ({ body }: PublishedVersion, if_none_match = '') => {
  const { etag, json } = body()
  const headers = { etag, ...REVALIDATE_HEADERS }
  const known = if_none_match.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  if (known.includes(etag) || known.includes('*')) return new Reply<never>(304, undefined, headers)
  return new Reply<never>(200, json, headers)
}
