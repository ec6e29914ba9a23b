import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { resultAt } from '#domain/questionnaire/snapshot.ts'
import { isTrialRequest } from '#domain/run/trial-runs.ts'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { responseSignalOf } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import type {
  CurrentPublishedVersion,
  VersionReader,
} from '#server/published-versions/published-versions.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { closedPage, MISSING_PAGE, unopenedPage, unpublishedPage } from './message-page.ts'
import { servedTo } from './noscript-form.ts'
import { answerFailure, HTML, isEmbedded, sendCompressed, sendMessage } from './page-reply.ts'
import {
  asksForFilledForm,
  prefilledLinkOf,
  sendFilledForm,
  sendPrefilledPage,
} from './prefilled-pages.ts'
import type { PublicPages } from './public-pages.ts'

type Dependencies = {
  versionReader: Pick<VersionReader, 'current' | 'ofVersion'>
  pages: PublicPages
  /** Answers a request for a trial run. */
  answerTrial: (request: PageRequest, reply: FastifyReply) => Promise<FastifyReply>
}

type Page = { Params: { id: string }; Querystring: Record<string, unknown> }
/** Request for the page of a quiz. */
export type PageRequest = FastifyRequest<Page>

/**
 * Cache-Control of a picture. Versions never change, but shared caches may not keep pictures after a quiz is
 * deleted.
 */
const IMMUTABLE = 'private, max-age=31536000, immutable'

/** Quiz and its current version. */
export type FoundQuiz = { quiz_id: string; published: CurrentPublishedVersion }

/** Returns the current version of the requested quiz. Sends a 404 page and returns undefined if there is none. */
export const findPublishedOrSend404 = async (
  versionReader: Pick<VersionReader, 'current' | 'ofVersion'>,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
): Promise<FoundQuiz | undefined> => {
  const { id } = request.params
  const quiz_id = id.toLowerCase()
  const current = UUID.test(id)
    ? await versionReader.current(quiz_id, responseSignalOf(reply))
    : undefined
  if (current?.is_published) return { quiz_id, published: current }
  const withdrawn = current?.version
    ? await versionReader.ofVersion(quiz_id, current.version)
    : undefined
  sendMessage(request, reply, 404, current ? unpublishedPage(withdrawn?.snapshot) : MISSING_PAGE)
  return undefined
}

/**
 * Returns the requested quiz if it is published and already open. Otherwise sends a page with the reason and returns
 * undefined. The status is 404 for an unpublished quiz, and 403 for a form of a quiz that opens later.
 */
export const findOpened = async (
  versionReader: Pick<VersionReader, 'current' | 'ofVersion'>,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
): Promise<FoundQuiz | undefined> => {
  const found = await findPublishedOrSend404(versionReader, request, reply)
  if (!found?.published.opening) return found
  const { snapshot, opening } = found.published
  const status = request.method === 'POST' ? 403 : 200
  sendMessage(request, reply, status, unopenedPage(snapshot, opening))
  return undefined
}

/**
 * Registers GET /q/{id}: the public page as one HTML document (product 8.1), also at each slug. `?embed=1` requests a
 * frame, `?r=` the social card of a result, `?test=` a trial run, and names of questions a prefilled page. Also registers the pictures of the cards, GET
 * /q/{id}/image-{version}.png and image-{version}-r{rank}.png.
 */
export const registerQuizPage = (
  app: FastifyInstance,
  { versionReader, pages, answerTrial }: Dependencies,
): void => {
  app.get<Page>(
    '/q/:id',
    { errorHandler: answerFailure, config: { access: 'anyone', limits: 'test_page' } },
    async (request, reply) => {
      if (isTrialRequest(request.query)) return answerTrial(request, reply)
      const found = await findOpened(versionReader, request, reply)
      if (!found) return reply
      const { snapshot, closed } = found.published
      if (closed) return sendMessage(request, reply, 200, closedPage(snapshot, closed.text))
      const link = prefilledLinkOf(request)
      if (link && asksForFilledForm(request)) {
        const { version, snapshot, rich, creator_id } = found.published
        const pageInput = { quiz_id: found.quiz_id, version, snapshot, rich }
        const served = { ...pageInput, ...servedTo(reply, creator_id) }
        return sendFilledForm(reply, await pages.build(), served, link)
      }
      const kind = isEmbedded(request) ? 'embedded' : 'page'
      const page = await pages.find(found.quiz_id, found.published, kind, {
        rank: rankIn(request.query.r),
        is_prefilled: link !== undefined,
        network: networkKey(request.ip),
        signal: responseSignalOf(reply),
      })
      if (link) return sendPrefilledPage(request, reply, page, { snapshot, link })
      return sendCompressed(request, reply, page, { type: HTML })
    },
  )

  type Image = { Params: { id: string; version: string; rank?: string } }
  const options = {
    errorHandler: answerFailure,
    config: { access: 'anyone', limits: 'page' },
  } as const
  const sendImage = async (request: FastifyRequest<Image>, reply: FastifyReply) => {
    if (isOtherSpelling(pathOf(request))) return sendMessage(request, reply, 404, MISSING_PAGE)
    const found = await findPublishedOrSend404(versionReader, request, reply)
    if (!found) return reply
    const { version, rank } = request.params
    const { opening, closed } = found.published
    // The card of the quiz shows only its name, as the message of an unopened or closed quiz does.
    if (rank !== undefined && (opening || closed))
      return sendMessage(request, reply, 404, MISSING_PAGE)
    const publishedVersion = await versionReader.ofVersion(found.quiz_id, Number(version))
    const isKnown =
      rank === undefined || (publishedVersion && resultAt(publishedVersion.snapshot, Number(rank)))
    if (!publishedVersion || !isKnown) return sendMessage(request, reply, 404, MISSING_PAGE)
    const image = await pages.find(found.quiz_id, publishedVersion, 'image', {
      rank: rank ? Number(rank) : undefined,
      network: networkKey(request.ip),
    })
    const sent = { type: 'image/png', caching: IMMUTABLE, is_shared: true }
    return sendCompressed(request, reply, image, sent)
  }
  app.get<Image>('/q/:id/image-:version(^[1-9]\\d{0,8}).png', options, sendImage)
  app.get<Image>(
    '/q/:id/image-:version(^[1-9]\\d{0,8})-r:rank(^[1-9]\\d{0,2}).png',
    options,
    sendImage,
  )
}

/**
 * Returns true for a path with capitals or escaped characters, because it would be a second address of a cached
 * picture.
 */
const isOtherSpelling = (path: string): boolean => /[A-Z%]/.test(path)

/** Returns the rank in the query of an address; undefined if it is not a rank. */
const rankIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value) ? Number(value) : undefined
