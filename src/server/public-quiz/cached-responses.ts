import type { IncomingMessage } from 'node:http'
import type { Config } from '#server/config/config.ts'
import { createProxyTrust, findClientAddress } from '#server/http/edge/caller.ts'
import {
  type CachedResponse,
  makeCachedResponse,
  type ResponseCache,
} from '#server/http/edge/fast-path.ts'
import { securityHeaders } from '#server/http/edge/security-headers.ts'
import { chooseEncoding, type EncodedBody } from '#server/http/pages/html-page.ts'
import { REVALIDATE_HEADERS } from '#server/published-versions/cache-headers.ts'
import type { CurrentVersions } from '#server/published-versions/current-versions.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import type { QuizSlugs } from '#server/published-versions/quiz-slugs.ts'
import { UUID_PATTERN } from '#server/runtime/uuid.ts'
import { compressedHeaders, HTML } from './page-reply.ts'
import type { PublicPages } from './public-pages.ts'

type Dependencies = {
  versions: Pick<CurrentVersions, 'getFresh'>
  slugs: Pick<QuizSlugs, 'getFresh'>
  pages: Pick<PublicPages, 'getCached'>
  versionReader: Pick<VersionReader, 'getCached'>
  config: Pick<Config, 'public_url' | 'trust_proxy' | 'trusted_proxies'>
  /** Returns the number of seconds before an IP address may read a snapshot again. */
  snapshotWait: (address: string) => number
}

const PAGE = /^\/q\/([a-z0-9-]{3,60})(?:\?(?:(embed=1)|r=([1-9]\d{0,2})))?$/
const SNAPSHOT = new RegExp(`^/api/v1/quizzes/(${UUID_PATTERN})/snapshot$`)
const SNAPSHOT_HEADERS = {
  ...REVALIDATE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}

/**
 * Creates the lookup of public pages and published snapshots that are in memory. `find` returns undefined unless the
 * answer is cached and known to be current. Each stored body has one answer, which lives as long as the body, so that
 * no header and no spelling of an address adds an entry.
 */
export const createCachedResponses = ({
  versions,
  slugs,
  pages,
  versionReader,
  config,
  snapshotWait,
}: Dependencies): ResponseCache => {
  const strict = securityHeaders(config.public_url)
  const trust = createProxyTrust(config)
  const ofPage = new WeakMap<EncodedBody, CachedResponse>()
  const ofSnapshot = new WeakMap<Buffer, CachedResponse>()

  const findPage = (
    quiz_id: string,
    { embed, rank }: { embed: string | undefined; rank: string | undefined },
    accepted: string | undefined,
  ): CachedResponse | undefined => {
    const page = pages.getCached(
      quiz_id,
      embed ? 'embedded' : 'page',
      rank ? Number(rank) : undefined,
    )
    if (!page) return undefined
    const encoded = chooseEncoding(page, accepted)
    const known = ofPage.get(encoded)
    if (known) return known
    const headers = { ...strict, ...compressedHeaders(page, encoded, { type: HTML }) }
    if (page.may_be_framed) delete headers['x-frame-options']
    const made = makeCachedResponse(headers, { ...encoded, route: '/q/:id' })
    ofPage.set(encoded, made)
    return made
  }
  const findSnapshot = (quiz_id: string): CachedResponse | undefined => {
    const published = versionReader.getCached(quiz_id)
    if (!published || published.opening || published.closed) return undefined
    const { etag, json: bytes } = published.body()
    const known = ofSnapshot.get(bytes)
    if (known) return known
    const route = '/api/v1/quizzes/:id/snapshot'
    const made = makeCachedResponse({ ...strict, ...SNAPSHOT_HEADERS }, { etag, bytes, route })
    ofSnapshot.set(bytes, made)
    return made
  }

  const find = (request: IncomingMessage): CachedResponse | undefined => {
    const { url = '', headers, socket } = request
    const [, page_address, embed, rank] = PAGE.exec(url) ?? []
    const address = page_address ?? SNAPSHOT.exec(url)?.[1]
    const quiz_id = address && slugs.getFresh(address)
    if (!quiz_id || !versions.getFresh(quiz_id)) return undefined
    if (page_address) return findPage(quiz_id, { embed, rank }, headers['accept-encoding'])
    // Requests with a token take the normal path, because the token must be verified.
    if (headers.authorization !== undefined) return undefined
    const ready = findSnapshot(quiz_id)
    if (!ready) return undefined
    const forwarded = headers['x-forwarded-for']?.toString()
    const ip = findClientAddress(trust, socket.remoteAddress ?? '', forwarded)
    return snapshotWait(ip) === 0 ? ready : undefined
  }
  return { url_prefix: '/q/', url_suffix: '/snapshot', find }
}
