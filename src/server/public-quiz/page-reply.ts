import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServerError, toApiError } from '#server/http/edge/errors.ts'
import {
  type CompressedPage,
  chooseEncoding,
  type EncodedBody,
  type HtmlPage,
  isUnchanged,
} from '#server/http/pages/html-page.ts'
import { CDN_CACHE_HEADERS, REVALIDATE_HEADERS } from '#server/published-versions/cache-headers.ts'
import {
  FAILED_PAGE,
  type Message,
  MISSING_PAGE,
  MISSING_VISITOR_PAGE,
  REFUSED_PAGE,
  TOO_LARGE_PAGE,
  TOO_MANY_PAGE,
  UNAVAILABLE_PAGE,
} from './message-page.ts'

/** Cache-Control that lets the browser go back to a page without posting again. */
export const PRIVATE_NO_CACHE = 'private, no-cache'

/** Content type of a page. */
export const HTML = 'text/html; charset=utf-8'

/**
 * Headers of pages that a framed quiz opens in a tab. From a sandboxed frame, browsers refuse to open pages with the
 * policy `same-origin`. These pages need no such policy, because they have no session.
 */
export const LINKED_HEADERS = { 'cross-origin-opener-policy': 'unsafe-none' }

/** Headers that keep personal pages and documents out of caches, search engines and the logs of other sites. */
export const PRIVATE_HEADERS = {
  ...LINKED_HEADERS,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

type ReplyOptions = {
  type: string
  /** Cache-Control header; by default browsers revalidate at each visit. */
  caching?: string
  /** True if pages of other sites may embed the resource. */
  is_shared?: boolean
  /** True if the address contains a digest, so that a CDN may keep the resource as long as a browser. */
  has_digest?: boolean
}

/** Returns the headers of a compressed page, without those of every answer. */
export const compressedHeaders = (
  { policy, may_be_framed, link }: CompressedPage,
  { etag, name }: Pick<EncodedBody, 'etag' | 'name'>,
  {
    type,
    caching = REVALIDATE_HEADERS['cache-control'],
    is_shared = false,
    has_digest = false,
  }: ReplyOptions,
): Record<string, string> => ({
  'content-security-policy': policy,
  vary: 'accept-encoding',
  'cache-control': caching,
  ...(has_digest ? {} : CDN_CACHE_HEADERS),
  etag,
  'content-type': type,
  ...(link !== undefined && { link }),
  ...((may_be_framed || is_shared) && { 'cross-origin-resource-policy': 'cross-origin' }),
  ...(name !== 'identity' && { 'content-encoding': name }),
})

/** Sends a compressed page in an encoding that the browser accepts, or a 304 if the browser has the page. */
export const sendCompressed = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: CompressedPage,
  sent: ReplyOptions,
): FastifyReply => {
  const encoded = chooseEncoding(page, headers['accept-encoding'])
  reply.headers(compressedHeaders(page, encoded, sent))
  if (page.may_be_framed) reply.removeHeader('x-frame-options')
  if (isUnchanged(encoded, headers['if-none-match'])) return reply.code(304).send()
  return reply.send(encoded.bytes)
}

/** Sends a page, which is not cached unless `caching` allows it. */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  { html, policy, may_be_framed }: HtmlPage,
  caching = 'no-store',
): FastifyReply => {
  if (may_be_framed)
    reply.removeHeader('x-frame-options').header('cross-origin-resource-policy', 'cross-origin')
  return reply
    .code(status)
    .headers({ 'content-security-policy': policy, 'cache-control': caching })
    .type(HTML)
    .send(html)
}

/** Returns true if the page is requested for a frame of another site. */
export const isEmbedded = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' && query !== null && 'embed' in query && query.embed === '1'

/** Sends a message page, which may be framed if the request is for a frame. */
export const sendMessage = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { page, framed }: Message,
): FastifyReply => sendPage(reply, status, isEmbedded(request) ? framed : page)

/** Answers an unknown address of visitors. Below /q, the page says that there is no such quiz. */
export const answerUnknownAddress = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendMessage(
    ...([request, reply, 404] as const),
    /^\/+q(?![\w-])/i.test(request.url) ? MISSING_PAGE : MISSING_VISITOR_PAGE,
  )

/** Answers an error with a French HTML page. */
export const answerFailure = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const { status, headers = {} } = toApiError(error)
  if (isServerError(error)) request.log.error({ err: error }, 'quiz page failed')
  sendMessage(request, reply.headers(headers), status, failureOf(status))
}

const failureOf = (status: number): Message => {
  if (status === 503) return UNAVAILABLE_PAGE
  if (status === 429) return TOO_MANY_PAGE
  if (status === 413) return TOO_LARGE_PAGE
  return status < 500 ? REFUSED_PAGE : FAILED_PAGE
}
