import { randomUUIDv7 } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '#domain/common/escape-html.ts'
import {
  isFilledFormRequest,
  NOSCRIPT_PARAMETER,
  PREFILLED_DATA_ID,
  type PrefilledData,
} from '#domain/prefilled-links/link-parameters.ts'
import { prefilledReplies } from '#domain/prefilled-links/prefilled-replies.ts'
import { type SplitQuery, splitQuery } from '#domain/prefilled-links/read-link.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { appendToPage } from '#server/http/pages/append-to-page.ts'
import {
  type CompressedPage,
  chooseEncoding,
  type HtmlPage,
  PAGE_END,
} from '#server/http/pages/html-page.ts'
import { createRunSecret } from '#server/responses/run-secret.ts'
import { compressedHeaders, HTML, PRIVATE_NO_CACHE, sendPage } from './page-reply.ts'
import type { PlayerBuild, ServedVersion } from './player-build.ts'
import { writeNoscriptPage } from './write-quiz-page.ts'

/** Returns the values of the requested address; undefined if the address is no prefilled link. */
export const prefilledLinkOf = ({ url }: Pick<FastifyRequest, 'url'>): SplitQuery | undefined => {
  const mark = url.indexOf('?')
  if (mark < 0) return undefined
  const link = splitQuery(url.slice(mark))
  return link.values.length > 0 ? link : undefined
}

/** Returns true if a browser without scripts asks for the filled form of a prefilled link. */
export const asksForFilledForm = ({ query }: Pick<FastifyRequest, 'query'>): boolean =>
  isFilledFormRequest(query)

const readReplies = ({ questions }: Pick<Snapshot, 'questions'>, { values }: SplitQuery): Replies =>
  prefilledReplies(questions, values, new Date().getFullYear())

/**
 * Returns the end of the page of a prefilled link: the replies for its script, and the way to the filled form for
 * browsers without scripts.
 */
const endOf = (
  { url }: Pick<FastifyRequest, 'url'>,
  snapshot: Snapshot,
  link: SplitQuery,
): string => {
  const data: PrefilledData<Replies> = { replies: readReplies(snapshot, link), others: link.others }
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const address = escapeHtml(`${url}&${NOSCRIPT_PARAMETER}=1`)
  return [
    `<script type="application/json" id="${PREFILLED_DATA_ID}">${json}</script>`,
    `<noscript><meta http-equiv="refresh" content="0;url=${address}">`,
    // Some browsers and sandboxes do not follow the address by themselves.
    `<p class="q-legal"><a href="${address}">Afficher les réponses préremplies</a></p></noscript>`,
    PAGE_END,
  ].join('')
}

/**
 * Sends the open page of a version, completed by the replies of a prefilled link. Only the page without them is in
 * memory.
 */
export const sendPrefilledPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: CompressedPage,
  { snapshot, link }: { snapshot: Snapshot; link: SplitQuery },
): FastifyReply => {
  const encoded = chooseEncoding(page, request.headers['accept-encoding'])
  const {
    etag,
    'cdn-cache-control': _,
    ...headers
  } = compressedHeaders(page, encoded, {
    type: HTML,
    caching: 'no-store',
  })
  reply.headers(headers)
  if (page.may_be_framed) reply.removeHeader('x-frame-options')
  return reply.send(appendToPage(page, encoded, endOf(request, snapshot, link)))
}

/** Returns the page of a trial run, completed by the replies of a prefilled link. */
export const completePrefilledPage = (
  request: FastifyRequest,
  page: HtmlPage,
  { snapshot, link }: { snapshot: Snapshot; link: SplitQuery },
): HtmlPage => ({ ...page, html: page.html + endOf(request, snapshot, link) })

/**
 * Sends the first page of a run, filled in by the server. Replies of later pages are hidden fields of the form. The visit
 * is counted when the form is posted, as from a page with scripts.
 */
export const sendFilledForm = async (
  reply: FastifyReply,
  build: PlayerBuild,
  pageInput: ServedVersion,
  link: SplitQuery,
): Promise<FastifyReply> => {
  const rendered = await build.renderServedRun(pageInput, {
    replies: readReplies(pageInput.snapshot, link),
    participant_uuid: randomUUIDv7(),
    run_secret: createRunSecret(),
    // The welcome page, or else the first page.
    page_index: -1,
    is_trapped: false,
    parameters: link.others,
    counted: undefined,
    corrected: [],
    asked_emails: [],
  })
  return sendPage(reply, 200, writeNoscriptPage(pageInput, rendered), PRIVATE_NO_CACHE)
}
