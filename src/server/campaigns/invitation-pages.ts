import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fullName } from '#domain/campaigns/people.ts'
import { personReplies } from '#domain/campaigns/person-replies.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { runStartPath } from '#domain/run/trial-runs.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import type { HtmlPage } from '#server/http/pages/html-page.ts'
import {
  closedPage,
  ENDED_CAMPAIGN_PAGE,
  MISSING_INVITATION_PAGE,
  REPLIED_PAGE,
} from '#server/public-quiz/message-page.ts'
import type { Route } from '#server/public-quiz/noscript-form.ts'
import {
  type NoscriptRunsDependencies,
  type RunKind,
  registerNoscriptRuns,
} from '#server/public-quiz/noscript-runs.ts'
import {
  answerFailure,
  PRIVATE_HEADERS,
  sendMessage,
  sendPage,
} from '#server/public-quiz/page-reply.ts'
import type { ServedVersion } from '#server/public-quiz/player-build.ts'
import { findOpened } from '#server/public-quiz/quiz-page.ts'
import { registerVisits } from '#server/public-quiz/visits.routes.ts'
import { writeQuizPage } from '#server/public-quiz/write-quiz-page.ts'
import type { RenderedQuiz } from '#server/version-tasks/render-page.ts'
import { PLACEHOLDER_TOKEN } from './invitation-links.ts'
import type { OpenedInvitation } from './invited-runs.store.ts'
import type { InvitedRuns } from './invited-runs.ts'
import { type RefusalNeeds, registerRefusalPage } from './refusal-page.ts'

type Dependencies = NoscriptRunsDependencies & RefusalNeeds & { runs: InvitedRuns }

/** Path of the pages of invited people. */
const PATH = '/q/:id/i/:invitation'
/** Query parameter with which a browser without scripts resumes a run. */
const RESUME_PARAMETER = 'reprendre'

/** Returns the message for an invitation that takes no reply; undefined if its person can answer. */
const messageOf = (invitation: OpenedInvitation | undefined) => {
  if (!invitation) return { status: 404, page: MISSING_INVITATION_PAGE }
  if (invitation.state === 'replied') return { status: 200, page: REPLIED_PAGE }
  return invitation.has_ended ? { status: 200, page: ENDED_CAMPAIGN_PAGE } : undefined
}

/** Returns JSON in a script element, in which `</script` would end the element even inside a string. */
const jsonElement = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** Returns the question whether to resume: for the script of the page, and as a form for browsers without scripts. */
const resumeQuestion = (
  invitation: OpenedInvitation,
  { quiz }: Snapshot,
  resume_path: string,
): string => {
  const name = fullName(invitation)
  const words =
    quiz.address_form === 'tu'
      ? { yours: 'Reprendre tes réponses ?', whose: 'Es-tu' }
      : { yours: 'Reprendre vos réponses ?', whose: 'Êtes-vous' }
  const title = name === '' ? words.yours : `${words.whose} ${name} ?`
  const text =
    'Des réponses à ce questionnaire ont été commencées avec ce lien, et ne sont pas envoyées.'
  const head = `<h1 class=q-title tabindex=-1 dir=auto>${escapeHtml(title)}</h1><p>${text}</p>`
  const framed = (content: string): string =>
    `<div class=q><div class=q-sheet><section>${head}${content}</section></div></div>`
  const buttons =
    '<p role=alert></p><div class=q-steps><button type=button class=q-back>Recommencer</button><button type=button class=q-next>Reprendre</button></div>'
  const form = `<form method=post action="${escapeHtml(resume_path)}"><div class=q-steps><button class=q-next>Reprendre</button></div></form>`
  return tiePunctuation(
    `<noscript>${framed(form)}</noscript><template id=resume>${framed(buttons)}</template>`,
  )
}

/**
 * Returns the markup of the first page with the replies of a person in its text fields, for browsers without scripts. The
 * markup is that of all people, whose fields are blank.
 */
const fillFields = (body: string, replies: Replies): string => {
  let filled = body
  for (const [id, reply] of Object.entries(replies)) {
    const name_at = filled.indexOf(` name="${id}"`)
    const begins = filled.lastIndexOf('<', name_at)
    const ends = filled.indexOf('>', name_at)
    if (name_at < 0 || !filled.startsWith('<input', begins)) continue
    const field = filled.slice(begins, ends).replace(' value=""', '').replace(/\/$/, '')
    const value = ` value="${escapeHtml(String(reply))}"`
    filled = `${filled.slice(0, begins)}${field}${value}${filled.slice(ends)}`
  }
  return filled
}

/** Returns the page of a person: that of all people with the token, the replies and the question of this person. */
const writeInvitedPage = (
  pageInput: ServedVersion,
  rendered: RenderedQuiz,
  { invitation, token, runs }: { invitation: OpenedInvitation; token: string; runs: InvitedRuns },
): RenderedQuiz => {
  const { quiz_id, snapshot } = pageInput
  const replies = personReplies(snapshot.questions, invitation)
  const progress = runs.progressOf(invitation, token)
  const path = runStartPath({ quiz_id, invitation_token: token })
  const question = progress
    ? resumeQuestion(
        invitation,
        snapshot,
        `${path}?version=${progress.version}&page=${progress.page_index}&${RESUME_PARAMETER}=1`,
      )
    : ''
  const shared = fillFields(rendered.body, replies).replaceAll(PLACEHOLDER_TOKEN, token)
  const { is_anonymous } = invitation
  const data = { replies, has_progress: progress !== undefined, is_anonymous }
  return { ...rendered, body: `${question}${shared}${jsonElement('invitation', data)}` }
}

/**
 * Registers the pages of invited people: GET /q/{id}/i/{token} is the questionnaire with the name and address of the
 * person, also without scripts. A GET changes nothing, because programs that check mails open links.
 */
export const registerInvitationPages = (app: FastifyInstance, deps: Dependencies): void => {
  const { versionReader, pages, public_url, runs, visits } = deps
  const tokenOf = ({ params }: FastifyRequest<Route>): string => params.invitation ?? ''
  const findByRequest = (request: FastifyRequest<Route>) =>
    runs.find({ quiz_id: request.params.id.toLowerCase(), token: tokenOf(request) })
  /** Sends a message and returns true if the link of a request takes no reply. */
  const refuse: RunKind['refuse'] = async (request, reply) => {
    reply.headers(PRIVATE_HEADERS)
    const invitation = await findByRequest(request)
    // The end of a run without scripts is shown after its reply is stored.
    const isEnd = request.method === 'GET' && request.routeOptions.url?.endsWith('/resultat')
    const message = isEnd && invitation ? undefined : messageOf(invitation)
    if (message) sendMessage(request, reply, message.status, message.page)
    return message !== undefined
  }
  const sendInvitedPage = async (
    request: FastifyRequest<Route>,
    reply: Parameters<RunKind['refuse']>[1],
  ): Promise<HtmlPage | undefined> => {
    const found = await findOpened(versionReader, request, reply)
    if (!found) return undefined
    const { quiz_id, published } = found
    const { version, snapshot, rich, closed, notes, creator_id: owner } = published
    if (closed) {
      sendMessage(request, reply, 200, closedPage(snapshot, closed.text))
      return undefined
    }
    const invitation = await findByRequest(request)
    if (!invitation) {
      sendMessage(request, reply, 404, MISSING_INVITATION_PAGE)
      return undefined
    }
    const caller = { owner, network: networkKey(request.ip), signal: responseSignalOf(reply) }
    const pageInput = {
      ...{ quiz_id, version, snapshot, rich, notes, caller },
      ...{ is_embedded: false, invitation_token: PLACEHOLDER_TOKEN },
    }
    const rendered = await pages.renderInvited(pageInput)
    const person = { invitation, token: tokenOf(request), runs }
    const written = writeInvitedPage(pageInput, rendered, person)
    return writeQuizPage(pageInput, await pages.build(), written, { url: public_url, public_url })
  }

  app.get<Route>(
    PATH,
    {
      errorHandler: answerFailure,
      exposeHeadRoute: false,
      config: { access: 'link', limits: 'page' },
    },
    async (request, reply) => {
      if (await refuse(request, reply)) return reply
      const page = await sendInvitedPage(request, reply)
      return page ? sendPage(reply, 200, page) : reply
    },
  )
  registerVisits(app, { versionReader, visits, public_url }, PATH)
  registerRefusalPage(app, deps)
  registerNoscriptRuns(app, deps, {
    path: PATH,
    access: 'link',
    submit_limits: 'submit',
    refuse,
    find: findOpened,
    completeForm: async (request, { snapshot, version }, form) => {
      const invitation = await findByRequest(request)
      if (!invitation) return form
      const token = tokenOf(request)
      const isResumed = RESUME_PARAMETER in request.query
      const kept = isResumed ? runs.progressOf(invitation, token)?.replies : undefined
      // A reply that the person has emptied stays empty.
      const replies = {
        ...personReplies(snapshot.questions, invitation),
        ...kept,
        ...form.replies,
      }
      const progress = { version, page_index: Math.max(0, form.page_index), replies }
      await runs.keep(invitation, { token, step: 'started', progress })
      return { ...form, replies }
    },
    storageOf: async (request) => {
      const invitation = await findByRequest(request)
      return invitation ? runs.storageOf(invitation, tokenOf(request)) : {}
    },
    showsEndAtOnce: async (request) => (await findByRequest(request))?.is_anonymous === true,
  })
}
