import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { publicPath } from '#domain/questionnaire/access.ts'
import { questionnaireSize } from '#domain/questionnaire/questionnaire-size.ts'
import { resultAt } from '#domain/questionnaire/snapshot.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { type CompressedPage, compressPage } from '#server/http/pages/html-page.ts'
import type { CurrentVersions } from '#server/published-versions/current-versions.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import {
  type PublishedVersion,
  questionNotesKey,
} from '#server/published-versions/visitor-version.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { drawQuiz } from '#server/social-image/draw-quiz.ts'
import type { RenderedQuiz } from '#server/version-tasks/render-page.ts'
import { oembedLink } from './oembed.routes.ts'
import { type CacheFigures, createPageCache } from './page-cache.ts'
import {
  loadPlayerBuild,
  PLAYER_FOLDER,
  type PlayerBuild,
  type ServedVersion,
} from './player-build.ts'
import { writeQuizPage } from './write-quiz-page.ts'

/** Kind of page or picture that is rendered from a version once for all visitors. */
type Kind = 'page' | 'embedded' | 'image'
const KINDS: Kind[] = ['page', 'embedded', 'image']

/** Maximum size in memory of cached page bodies. Pages that name a result share the body of the quiz's page. */
const MAX_RENDERED_BYTES = 33_554_432

/** Rank of the result that the page names, network of the visitor (`networkKey`), and signal that ends the call. */
type PageOptions = {
  rank?: number | undefined
  /** True for the open page of prefilled links (`sendPrefilledPage`), which is the same for all of them. */
  is_prefilled?: boolean | undefined
  network?: string | undefined
  signal?: AbortSignal | undefined
}

/** Version, and the slug of the quiz for pages that name it. */
type PageVersion = PublishedVersion & { slug?: string | null }

/** Public pages of versions, rendered once and cached. */
export type PublicPages = {
  /** Returns the built player, which is read at the first call. */
  build: () => Promise<PlayerBuild>
  /** Returns a page or picture. A valid `rank` (from 1) makes it name that result. */
  find: (
    quiz_id: string,
    published: PageVersion,
    kind: Kind,
    options?: PageOptions,
  ) => Promise<CompressedPage>
  /** Returns the page of the current version without waiting; undefined unless it is cached and the quiz is open. */
  getCached: (quiz_id: string, kind: Kind, rank?: number) => CompressedPage | undefined
  /** Returns the page of an invited person, in which `PLACEHOLDER_TOKEN` stands for the token of the person. */
  renderInvited: (page: ServedVersion & Pick<PublishedVersion, 'notes'>) => Promise<RenderedQuiz>
  /** Renders all pages of the current version. */
  prepare: (quiz_id: string) => Promise<void>
  figures: () => CacheFigures
}

type Dependencies = {
  versionReader: Pick<VersionReader, 'current' | 'getCached'>
  heavyWork: Pick<HeavyWork, 'run' | 'runInThread'>
  public_url: string
  player_folder?: URL | undefined
}

/** Creates the renderer and cache of public pages. */
export const createPublicPages = ({
  versionReader,
  heavyWork,
  public_url,
  player_folder = PLAYER_FOLDER,
}: Dependencies): PublicPages => {
  const cache = createPageCache()
  const rendered = createLruCache<RenderedQuiz>(
    MAX_RENDERED_BYTES,
    ({ body, style }) => 2 * (body.length + style.length),
  )
  let reading: Promise<PlayerBuild> | undefined

  const build = (): Promise<PlayerBuild> => {
    // A failed read is retried at the next call, because the player may have been built in the meantime.
    reading ??= loadPlayerBuild(heavyWork, player_folder).catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
  const make = async (
    quiz_id: string,
    published: PageVersion,
    {
      kind,
      rank,
      is_prefilled,
      network,
      signal,
    }: PageOptions & { kind: Kind; signal: AbortSignal },
  ): Promise<CompressedPage> => {
    const { version, snapshot, rich, slug = null, creator_id: owner } = published
    if (kind === 'image') return packImage(await drawQuiz(snapshot, resultAt(snapshot, rank)))
    const caller = { owner, network, signal }
    const pageInput = { quiz_id, version, snapshot, rich, is_embedded: kind === 'embedded', caller }
    const url = new URL(publicPath({ id: quiz_id, slug }), public_url).href
    const pause = yieldToEventLoop({ signal })
    const player = await build()
    const key = keyOf(quiz_id, published, kind, undefined)
    const body = rendered.get(key) ?? (await player.renderPublicPage(pageInput))
    rendered.set(key, body)
    await pause()
    const page = await compressPage(
      writeQuizPage(pageInput, player, body, { url, public_url, rank, is_prefilled }),
    )
    return pageInput.is_embedded ? page : { ...page, link: oembedLink(url) }
  }
  const find: PublicPages['find'] = (quiz_id, published, kind, { signal, ...request } = {}) => {
    const { network, is_prefilled } = request
    const rank = is_prefilled ? undefined : knownRank(published, kind, request.rank)
    const key = keyOf(quiz_id, published, kind, rank) + (is_prefilled ? ' prefilled' : '')
    return cache.find({ key, signal }, (shared) => {
      const makePage = (ended: AbortSignal) =>
        make(quiz_id, published, { kind, rank, is_prefilled, network, signal: ended })
      if (rank === undefined) return makePage(shared)
      // A quiz may have a hundred results, so that its pages and pictures wait for their turn.
      const { snapshot, creator_id: owner } = published
      const size = questionnaireSize(snapshot)
      return heavyWork.run({ kind: 'page', owner, network, size, signal: shared }, makePage)
    })
  }

  return {
    build,
    find,
    renderInvited: async (page) => {
      const { quiz_id, version, notes } = page
      const key = `invited ${quiz_id} ${version} ${questionNotesKey(notes)}`
      const body = rendered.get(key) ?? (await (await build()).renderPublicPage(page))
      rendered.set(key, body)
      return body
    },
    figures: cache.figures,
    getCached: (quiz_id, kind, requested_rank) => {
      const published = versionReader.getCached(quiz_id)
      if (!published || published.closed || published.opening) return undefined
      return cache.getCached(
        keyOf(quiz_id, published, kind, knownRank(published, kind, requested_rank)),
      )
    },
    prepare: async (quiz_id) => {
      const current = await versionReader.current(quiz_id)
      if (!current?.is_published) return
      await Promise.all(KINDS.map((kind) => find(quiz_id, current, kind)))
    },
  }
}

/** Maximum time in which a change waits for its pages, so that a stored change is never answered as a failure. */
const MAX_PREPARATION_MS = 2_000

/**
 * Creates the function that makes this process serve a changed quiz. Its pages are rendered before the first visit; the
 * largest ones are finished after the answer.
 */
export const createPageRefresh =
  ({
    versions,
    pages,
    log,
  }: {
    versions: Pick<CurrentVersions, 'forget'>
    pages: Pick<PublicPages, 'prepare'>
    log: FastifyBaseLogger
  }) =>
  async (quiz_id: string): Promise<void> => {
    versions.forget(quiz_id)
    const prepared = pages.prepare(quiz_id).catch((error: unknown) => {
      log.error({ err: error, quiz_id }, 'the public page was not built ahead of its first visit')
    })
    await settleWithin(MAX_PREPARATION_MS, prepared)
  }

/**
 * Returns the rank of the result that a page names; undefined for an unknown rank, so that it does not create
 * another page.
 */
const knownRank = (
  { snapshot }: PublishedVersion,
  kind: Kind,
  rank?: number,
): number | undefined => (kind !== 'embedded' && resultAt(snapshot, rank) ? rank : undefined)

const keyOf = (
  quiz_id: string,
  { version, notes, slug }: PageVersion,
  kind: Kind,
  rank: number | undefined,
): string =>
  `${quiz_id} ${version} ${kind} ${rank} ${kind === 'image' ? '' : `${questionNotesKey(notes)} ${slug}`}`

const packImage = (bytes: Buffer): CompressedPage => {
  const digest = createHash('sha256').update(bytes).digest('base64url')
  return {
    policy: "default-src 'none'; frame-ancestors 'none'; sandbox",
    encodings: [{ name: 'identity', etag: `"${digest}"`, bytes }],
  }
}
