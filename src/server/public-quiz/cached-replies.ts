import type { IncomingMessage } from 'node:http'
import type { Config } from '#server/config/config.ts'
import { createProxyTrust, findClientAddress } from '#server/http/edge/caller.ts'
import {
  type CachedResponse,
  makeCachedResponse,
  type ResponseCache,
} from '#server/http/edge/fast-path.ts'
import { securityHeaders } from '#server/http/edge/security-headers.ts'
import { chooseEncoding } from '#server/http/pages/html-page.ts'
import { REVALIDATE_HEADERS } from '#server/published-versions/cache-headers.ts'
import type {
  Current,
  CurrentVersions,
  Snapshots,
} from '#server/published-versions/published-versions.ts'
import type { QuizSlugs } from '#server/published-versions/quiz-slugs.ts'
import { UUID_PATTERN } from '#server/runtime/uuid.ts'
import { HTML, packedHeaders } from './page-reply.ts'
import type { PublicPages } from './public-pages.ts'

type Dependencies = {
  versions: Pick<CurrentVersions, 'getFresh'>
  slugs: Pick<QuizSlugs, 'getFresh'>
  pages: Pick<PublicPages, 'atHand'>
  snapshots: Pick<Snapshots, 'atHand'>
  config: Pick<Config, 'public_url' | 'trust_proxy' | 'trusted_proxies'>
  /** Returns the number of seconds before an IP address may read a snapshot again. */
  snapshotWait: (address: string) => number
}

/** Cached answers of one URL by Accept-Encoding, valid while the version is current. */
type CachedUrl = {
  /** Slug or id in the URL. */
  address: string
  quiz_id: string
  current: Current
  ready: Map<string, CachedResponse>
}

const PAGE = /^\/q\/([a-z0-9-]{3,60})(?:\?(?:(embed=1)|r=([1-9]\d{0,2})))?$/
const SNAPSHOT = new RegExp(`^/api/v1/quizzes/(${UUID_PATTERN})/snapshot$`)
const SNAPSHOT_HEADERS = {
  ...REVALIDATE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}
const MAX_URLS = 5_000
const MAX_ENCODINGS_PER_URL = 20

/**
 * Creates the cache of public pages and published snapshots. `find` returns undefined unless the answer is cached and
 * known to be current.
 */
export const createCachedReplies = ({
  versions,
  slugs,
  pages,
  snapshots,
  config,
  snapshotWait,
}: Dependencies): ResponseCache => {
  const strict = securityHeaders(config.public_url)
  const trust = createProxyTrust(config)
  const seen = new Map<string, CachedUrl>()

  const readyPage = (
    quiz_id: string,
    { embed, rank }: { embed: string | undefined; rank: string | undefined },
    accepted: string,
  ) => {
    const page = pages.atHand(quiz_id, embed ? 'embedded' : 'page', rank ? Number(rank) : undefined)
    if (!page) return undefined
    const encoded = chooseEncoding(page, accepted)
    const headers = { ...strict, ...packedHeaders(page, encoded, { type: HTML }) }
    if (page.may_be_framed) delete headers['x-frame-options']
    return makeCachedResponse(headers, { ...encoded, route: '/q/:id' })
  }
  const readySnapshot = (quiz_id: string) => {
    const published = snapshots.atHand(quiz_id)
    if (!published || published.opening) return undefined
    const { etag, json: bytes } = published
    const route = '/api/v1/quizzes/:id/snapshot'
    return makeCachedResponse({ ...strict, ...SNAPSHOT_HEADERS }, { etag, bytes, route })
  }
  const make = (url: string, accepted: string): CachedResponse | undefined => {
    const [, page_address, embed, rank] = PAGE.exec(url) ?? []
    const address = page_address ?? SNAPSHOT.exec(url)?.[1]
    const quiz_id = address && slugs.getFresh(address)
    const current = quiz_id && versions.getFresh(quiz_id)
    if (!current) return undefined
    const ready = page_address
      ? readyPage(quiz_id, { embed, rank }, accepted)
      : readySnapshot(quiz_id)
    if (!ready) return undefined
    const known = seen.get(url)
    const isKept = known?.current === current && known.quiz_id === quiz_id
    const kept = isKept ? known : { address, quiz_id, current, ready: new Map() }
    if (seen.size >= MAX_URLS) seen.clear()
    if (kept.ready.size >= MAX_ENCODINGS_PER_URL) kept.ready.clear()
    kept.ready.set(accepted, ready)
    seen.set(url, kept)
    return ready
  }

  const find = (request: IncomingMessage): CachedResponse | undefined => {
    const { url = '' } = request
    const accepted = request.headers['accept-encoding'] ?? ''
    const known = seen.get(url)
    const isCurrent =
      known !== undefined &&
      versions.getFresh(known.quiz_id) === known.current &&
      slugs.getFresh(known.address) === known.quiz_id
    const ready = (isCurrent ? known.ready.get(accepted) : undefined) ?? make(url, accepted)
    if (!ready || ready.route === '/q/:id') return ready
    // Requests with a token take the normal path, because the token must be verified.
    if (request.headers.authorization !== undefined) return undefined
    const { headers, socket } = request
    const forwarded = headers['x-forwarded-for']?.toString()
    const address = findClientAddress(trust, socket.remoteAddress ?? '', forwarded)
    return snapshotWait(address) === 0 ? ready : undefined
  }
  return { url_prefix: '/q/', url_suffix: '/snapshot', find }
}
