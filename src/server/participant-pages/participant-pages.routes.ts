import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { cleanEmail, emailSearchTerm } from '#domain/common/addresses.ts'
import { dayInWords, momentInWords } from '#domain/common/date-words.ts'
import { localDay, localTimestamp } from '#domain/common/time-zone.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { maskEmail } from '#domain/confirmations/confirmation.ts'
import {
  canWithdraw,
  consentStateOf,
  type OwnRun,
  ownDataOf,
} from '#domain/participant-pages/own-data.ts'
import { pageAnswers } from '#domain/participant-pages/page-answers.ts'
import { PAGE_FORM_ACTIONS, type PageState } from '#domain/participant-pages/page-state.ts'
import type { ConsentKind } from '#domain/questionnaire/consent/consent.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { createTokenBucket, networkKey } from '#server/http/edge/rate-limits.ts'
import { parseShape } from '#server/http/edge/validation.ts'
import { attachment, fileName } from '#server/http/pages/file-names.ts'
import { writeHtmlPage } from '#server/http/pages/html-page.ts'
import { MISSING_VISITOR_PAGE } from '#server/public-quiz/message-page.ts'
import { rejectCrossSitePost } from '#server/public-quiz/noscript-form.ts'
import {
  answerFailure,
  PRIVATE_HEADERS,
  sendMessage,
  sendPage,
} from '#server/public-quiz/page-reply.ts'
import type { PublicPages } from '#server/public-quiz/public-pages.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import { findOwnProgress } from '#server/reports/earlier-runs.store.ts'
import type { ReportLinks } from '#server/reports/report-links.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { eraseParticipant, withdrawConsent, withdrawMeasure } from './page-rights.store.ts'
import {
  findAcceptedText,
  findPageOwner,
  listRecipients,
  type PageOwner,
} from './participant-pages.store.ts'

type Dependencies = {
  db: Db
  compiled: Pick<CompiledVersions, 'find'>
  vault: Vault
  links: Pick<ReportLinks, 'of' | 'page' | 'readPage'>
  pages: Pick<PublicPages, 'build'>
  public_url: string
  has_rate_limits: boolean
  /** Wakes the delivery worker, which sends the requests to the tools. */
  wake: () => void
}

type Route = { Params: { id: string; token: string } }

/** Path of the page of a participant. */
const PATH = '/q/:id/ma-page/:token'
const MAX_BODY = 4_096
/** Wrong addresses that a page accepts in an hour. Each page has its own limit, so that a class shares no limit. */
const ADDRESS_TRIES = { calls: 10, per_seconds: 3_600, burst: 10 }

const form = z.object({
  action: z.enum(PAGE_FORM_ACTIONS),
  email: z.string().max(LIMITS.email).catch('').default(''),
})

const WRONG_ADDRESS = 'Cette adresse n’est pas celle qui a été donnée dans le questionnaire.'
const TOO_MANY_TRIES =
  'Trop d’adresses ont été essayées sur cette page. Une autre pourra l’être dans quelques minutes.'

const digestOf = (email: string): Buffer =>
  createHash('sha256')
    .update(emailSearchTerm(cleanEmail(email).trim()).toLowerCase())
    .digest()

/** Returns true if two addresses are equal after normalisation. Compares in constant time. */
const isOwnEmail = (typed: string, email: string): boolean =>
  timingSafeEqual(digestOf(typed), digestOf(email))

/** Returns the confirmation of the address; null if it was not asked, or makes no sense after a withdrawal of consent. */
const confirmationOf = (owner: PageOwner): PageState['confirmation'] => {
  const { email, email_confirmation: state, email_confirmed_at, time_zone } = owner
  if (email === null || state === null) return null
  if (email_confirmed_at !== null)
    return {
      state: 'confirmed',
      confirmed_on: momentInWords(email_confirmed_at, time_zone),
    }
  if (state === 'confirmed' || owner.consent_withdrawn_at !== null) return null
  return { state, masked_email: maskEmail(email) }
}

const stateOf = (owner: PageOwner, path: string, changed: Partial<PageState>): PageState => {
  const { created_at, time_zone, email, consent_withdrawn_at, measure_withdrawn_at } = owner
  return {
    view: 'result',
    path,
    typed_email: '',
    error: null,
    answers: null,
    answered_on: momentInWords(created_at, time_zone),
    has_email: email !== null,
    progress: null,
    confirmation: confirmationOf(owner),
    can_withdraw: canWithdraw(consentStateOf(owner), email),
    withdrawn_on:
      consent_withdrawn_at && dayInWords(localDay(new Date(consent_withdrawn_at), time_zone)),
    can_withdraw_measure: (owner.measure_version ?? 0) > 0,
    measure_withdrawn_on: measure_withdrawn_at && momentInWords(measure_withdrawn_at, time_zone),
    asks_tools: owner.page_erases_contacts,
    ...changed,
  }
}

/** Reads the posted form of a page. Throws a 403 for a post from another site, and a 422 for an unknown action. */
const readForm = (request: FastifyRequest, public_url: string): z.infer<typeof form> => {
  // A page with `no-referrer` posts with the origin `null`. The token already proves that the form is ours.
  if (request.headers['sec-fetch-site'] !== undefined) rejectCrossSitePost(request, public_url)
  const typed = typeof request.body === 'string' ? request.body : ''
  return parseShape(form, Object.fromEntries(new URLSearchParams(typed)))
}

/**
 * Registers /q/{id}/ma-page/{token}, where participants see their result and use their rights (docs/decisions/060). The
 * page needs no account and no JavaScript. Every invalid token gets the same 404 page.
 */
export const registerParticipantPages = (
  app: FastifyInstance,
  { db, compiled, vault, links, pages, public_url, has_rate_limits, wake }: Dependencies,
): void => {
  const bucket = createTokenBucket(ADDRESS_TRIES)

  const findOwner = async ({ params }: FastifyRequest<Route>): Promise<PageOwner | undefined> =>
    findPageOwner(db, await links.readPage(params.id.toLowerCase(), params.token))

  const sendOwnPage = async (
    reply: FastifyReply,
    owner: PageOwner,
    changed: Partial<PageState> = {},
    status = 200,
  ): Promise<FastifyReply> => {
    const { quiz_id, version, snapshot, replies, result, is_trashed } = owner
    const signal = responseSignalOf(reply)
    const compiledVersion = await compiled.find(quiz_id, version, signal)
    if (!compiledVersion) return sendMessage(reply.request, reply, 404, MISSING_VISITOR_PAGE)
    const build = await pages.build()
    const caller = {
      owner: compiledVersion.creator_id,
      network: networkKey(reply.request.ip),
      signal,
    }
    const { style, body } = await build.renderParticipantPage(
      { quiz_id, version, snapshot, rich: compiledVersion.rich, is_embedded: false, caller },
      {
        ...stateOf(owner, links.page(owner), changed),
        progress: (await findOwnProgress(db, owner, owner.time_zone)) ?? null,
        result,
        replies,
        documents: is_trashed ? undefined : links.of(owner, { snapshot, replies }),
      },
    )
    const title = `${changed.error ? 'Erreur – ' : ''}Ma page – ${snapshot.quiz.name}`
    return sendPage(reply, status, writeHtmlPage({ title, style, body }))
  }

  /** Sends the page with an error and returns true, unless the typed address is the address of the participant. */
  const refuseAddress = async (
    reply: FastifyReply,
    owner: PageOwner,
    typed_email: string,
  ): Promise<boolean> => {
    const { email, quiz_id, participant_uuid } = owner
    const key = `${quiz_id} ${participant_uuid}`
    const seconds = has_rate_limits ? bucket(key, Date.now(), 0) : 0
    if (seconds > 0) {
      reply.header('retry-after', seconds)
      await sendOwnPage(reply, owner, { error: TOO_MANY_TRIES, typed_email }, 429)
      return true
    }
    if (email !== null && isOwnEmail(typed_email, email)) return false
    bucket(key)
    await sendOwnPage(reply, owner, { error: WRONG_ADDRESS, typed_email }, 422)
    return true
  }

  /** Returns a consent of a participant for their own data. */
  const consentOf = async (owner: PageOwner, kind: ConsentKind): Promise<OwnRun['consent']> => {
    const consent_version = kind === 'measure' ? owner.measure_version : owner.consent_version
    const [withdrawn_version, consent_withdrawn_at] =
      kind === 'measure'
        ? [owner.withdrawn_measure_version, owner.measure_withdrawn_at]
        : [owner.withdrawn_consent_version, owner.consent_withdrawn_at]
    const version = withdrawn_version ?? consent_version
    return {
      text: await findAcceptedText(db, { quiz_id: owner.quiz_id, kind, version }),
      state: consentStateOf({ consent_version, consent_withdrawn_at }),
      withdrawn_at: consent_withdrawn_at && localTimestamp(consent_withdrawn_at, owner.time_zone),
    }
  }

  const sendData = async (reply: FastifyReply, owner: PageOwner): Promise<FastifyReply> => {
    const { snapshot, time_zone, quiz_id } = owner
    const data = ownDataOf({
      ...owner,
      answered_at: localTimestamp(owner.created_at, time_zone),
      consent: await consentOf(owner, 'forwarding'),
      measure_consent: owner.measure_version === null ? null : await consentOf(owner, 'measure'),
      confirmation: owner.email_confirmation && {
        state: owner.email_confirmation,
        confirmed_at:
          owner.email_confirmed_at && localTimestamp(owner.email_confirmed_at, time_zone),
      },
      recipients: await listRecipients(db, owner),
    })
    audit('own_data_downloaded', { object_id: quiz_id })
    const name = fileName(['Mes données', snapshot.quiz.name], 'json', time_zone)
    return reply
      .header('content-disposition', attachment(name))
      .type('application/json; charset=utf-8')
      .send(`${JSON.stringify(data, null, 2)}\n`)
  }

  /** Owners of the requested pages, for requests that `refuse` let through. */
  const owners = new WeakMap<FastifyRequest<Route>, PageOwner>()

  /** Sends the 404 page for an invalid token, before the body is read. */
  const refuse = async (request: FastifyRequest<Route>, reply: FastifyReply): Promise<void> => {
    reply.headers(PRIVATE_HEADERS)
    const owner = await findOwner(request)
    if (owner) owners.set(request, owner)
    else sendMessage(request, reply, 404, MISSING_VISITOR_PAGE)
  }

  const get = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const owner = owners.get(request)
    return owner ? sendOwnPage(reply, owner) : reply
  }

  const post = async (request: FastifyRequest<Route>, reply: FastifyReply) => {
    const owner = owners.get(request)
    if (!owner) return reply
    const { action, email: typed_email } = readForm(request, public_url)
    const { quiz_id, snapshot, replies } = owner
    switch (action) {
      case 'reponses':
        if (await refuseAddress(reply, owner, typed_email)) return reply
        return sendOwnPage(reply, owner, { typed_email, answers: pageAnswers(snapshot, replies) })
      case 'donnees':
        if (await refuseAddress(reply, owner, typed_email)) return reply
        return sendData(reply, owner)
      case 'accord':
        if (await withdrawConsent(db, vault, owner)) {
          audit('consent_withdrawn', { object_id: quiz_id, detail: 'by_participant' })
          wake()
        }
        return reply.redirect(links.page(owner), 303)
      case 'mesure':
        if (await withdrawMeasure(db, owner)) {
          audit('consent_withdrawn', { object_id: quiz_id, detail: 'measure by_participant' })
          wake()
        }
        return reply.redirect(links.page(owner), 303)
      case 'effacer':
        return sendOwnPage(reply, owner, { view: 'confirm' })
      case 'confirmer':
        if (!(await eraseParticipant(db, vault, owner)))
          return sendMessage(request, reply, 404, MISSING_VISITOR_PAGE)
        audit('participant_erased', { object_id: quiz_id, detail: 'by_participant' })
        wake()
        return sendOwnPage(reply, owner, { view: 'erased' })
    }
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => text,
    )
    scope.setErrorHandler(answerFailure)
    scope.addHook('onRequest', refuse)
    const config = { access: 'link', limits: 'participant_page' } as const
    scope.get<Route>(PATH, { exposeHeadRoute: false, config }, get)
    scope.post<Route>(PATH, { bodyLimit: MAX_BODY, config }, post)
  })
}
