import { randomUUIDv7 } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { RunProgress } from '#contract/campaigns.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount, Reply } from '#server/http/edge/mount.ts'
import type { Submissions } from '#server/responses/submission-queue.ts'
import { type SubmissionNeeds, submitResponse } from '#server/responses/submit-response.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { INVITATION_TOKEN } from './invitation-links.ts'
import {
  findInvitation,
  type OpenedInvitation,
  recordVisit,
  storeInvitedReply,
  storeProgress,
} from './invited-runs.store.ts'
import { openProgress, sealProgress } from './run-progress.ts'

type Dependencies = {
  db: Db
  secretKey: string | Uint8Array
  /** Queue of all participants, which finds stored ones. */
  submissions: Pick<Submissions, 'find'>
  /** Tells the statistics screens that participants were stored. */
  announce: (quiz_id: string) => void
}

/** Body of the call that reports a visit of an invited person. */
type Visit = { token: string; step: 'opened' | 'started'; progress?: RunProgress | undefined }

/** Runs of invited people. */
export type InvitedRuns = {
  /** Returns the invitation of a link; undefined if there is none or its quiz is in the trash. */
  find: (key: { quiz_id: string; token: string }) => Promise<OpenedInvitation | undefined>
  /** Returns the invitation of a link, also if its quiz is in the trash, so that the person can refuse mails. */
  findForRefusal: (key: { quiz_id: string; token: string }) => Promise<OpenedInvitation | undefined>
  /** Records a visit, and keeps the replies of the unfinished run unless the campaign is anonymous. */
  keep: (invitation: OpenedInvitation, visit: Visit) => Promise<void>
  /** Returns the kept replies of an unfinished run; undefined without any. */
  progressOf: (invitation: OpenedInvitation, token: string) => RunProgress | undefined
  /** Returns the storage of the reply of an invitation. Nothing leads to an anonymous reply, so that it has no links. */
  storageOf: (
    invitation: Pick<OpenedInvitation, 'is_anonymous'>,
    token: string,
  ) => Pick<SubmissionNeeds, 'submissions'> & { links?: undefined; admitMail?: undefined }
}

const findByToken = async (
  db: Db,
  key: { quiz_id: string; token: string },
): Promise<OpenedInvitation | undefined> =>
  INVITATION_TOKEN.test(key.token) && UUID.test(key.quiz_id) ? findInvitation(db, key) : undefined

/** Creates the runs of invited people. */
export const createInvitedRuns = ({
  db,
  secretKey,
  submissions,
  announce,
}: Dependencies): InvitedRuns => ({
  find: async (key) => {
    const invitation = await findByToken(db, key)
    return invitation?.is_trashed ? undefined : invitation
  },
  findForRefusal: (key) => findByToken(db, key),
  keep: async (invitation, { token, step, progress }) => {
    if (invitation.has_ended) return
    await recordVisit(db, invitation, step)
    if (!progress || invitation.is_anonymous) return
    const sealed = sealProgress({ ...invitation, token }, progress)
    if (sealed) await storeProgress(db, invitation, sealed)
  },
  progressOf: (invitation, token) =>
    invitation.sealed_progress
      ? openProgress({ ...invitation, token }, invitation.sealed_progress)
      : undefined,
  storageOf: ({ is_anonymous }, token) => ({
    submissions: {
      submit: async (submission) => {
        const stored = await storeInvitedReply(db, { token, submission }, secretKey)
        if (stored.has_released) announce(submission.quiz_id)
        return stored.outcome
      },
      find: async (participant) => (is_anonymous ? undefined : submissions.find(participant)),
    },
    ...(is_anonymous && { links: undefined, admitMail: undefined }),
  }),
})

const notInvited = () => notFound('Ce lien d’invitation n’existe pas ou n’est plus valable')

type CallNeeds = Pick<SubmissionNeeds, 'versionReader' | 'admitMail' | 'links'> & {
  runs: InvitedRuns
}

/** Mounts the calls of the page of an invited person. The token is checked before the body of a call is read. */
export const registerInvitedRuns = (app: FastifyInstance, deps: CallNeeds): void => {
  app.register(async (scope) => {
    scope.addHook('onRequest', async ({ params }) => {
      const { id, token } = params as { id: string; token: string }
      if (!(await deps.runs.find({ quiz_id: id.toLowerCase(), token }))) throw notInvited()
    })
    mount(scope, api.invitedRuns, invitedRunHandlers(deps))
  })
}

const invitedRunHandlers = ({ runs, ...deps }: CallNeeds): Handlers<typeof api.invitedRuns> => {
  const load = async (quiz_id: string, token: string): Promise<OpenedInvitation> => {
    const invitation = await runs.find({ quiz_id, token })
    if (!invitation) throw notInvited()
    return invitation
  }
  return {
    submit: async ({ id: quiz_id, token, body }, _creator, { ip }) => {
      const invitation = await load(quiz_id, token)
      const { participant_uuid = randomUUIDv7() } = body
      const storage = { ...deps, ...runs.storageOf(invitation, token) }
      const submitter = { quiz_id, participant_uuid, ip }
      const { is_new, result, documents } = await submitResponse(storage, submitter, body)
      return new Reply(is_new ? 201 : 200, {
        participant_uuid,
        result,
        ...(documents && { documents }),
      })
    },
    visit: async ({ id: quiz_id, token, body: { step, progress } }) => {
      await runs.keep(await load(quiz_id, token), { token, step, progress })
    },
    resume: async ({ id: quiz_id, token }) => {
      const invitation = await load(quiz_id, token)
      return { progress: runs.progressOf(invitation, token) ?? null }
    },
  }
}
