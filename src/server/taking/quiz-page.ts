import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import type { Config } from '#server/config.ts'
import { toApiError } from '#server/http/errors.ts'
import { type HtmlPage, writeHtmlPage } from './html-page.ts'
import { FAILED_PAGE, MISSING_PAGE, UNAVAILABLE_PAGE, UNPUBLISHED_PAGE } from './message-page.ts'
import { chooseEncoding, isUnchanged, type PackedPage, packPage } from './packed-page.ts'
import { createPageCache } from './page-cache.ts'
import { loadPlayerBuild, PLAYER_FOLDER, type PlayerBuild, type TakenQuiz } from './player-build.ts'
import type { Snapshots } from './snapshots.ts'

type Dependencies = {
  snapshots: Pick<Snapshots, 'current'>
  config: Pick<Config, 'public_url'>
  /** Where the built player is; it is read when the first page is asked for. */
  player_folder?: URL
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * GET /q/{id}: the published version as one self-sufficient HTML answer (spec §2 « Public quiz
 * page »), with a strong ETag and to be revalidated at each visit; 404 pages when there is no such
 * quiz or it is not published, 503 when the database is away.
 */
export const registerQuizPage = (
  app: FastifyInstance,
  { snapshots, config, player_folder = PLAYER_FOLDER }: Dependencies,
): void => {
  const findPage = createPageCache()
  let build: PlayerBuild | undefined

  const makePage = async (taken: TakenQuiz): Promise<PackedPage> => {
    build ??= await loadPlayerBuild(player_folder)
    return packPage(writeQuizPage(taken, build, config.public_url))
  }

  app.get<{ Params: { id: string } }>(
    '/q/:id',
    { errorHandler: answerFailure },
    async ({ params, headers }, reply) => {
      if (!UUID.test(params.id)) return answerMessage(reply, 404, MISSING_PAGE)
      const quiz_id = params.id.toLowerCase()
      const current = await snapshots.current(quiz_id)
      if (!current) return answerMessage(reply, 404, MISSING_PAGE)
      if (!current.is_published) return answerMessage(reply, 404, UNPUBLISHED_PAGE)
      const { version, snapshot } = current
      const page = await findPage(`${quiz_id} ${version}`, () =>
        makePage({ quiz_id, version, snapshot }),
      )
      const encoded = chooseEncoding(page, headers['accept-encoding'])
      reply
        .headers({ 'content-security-policy': page.policy, vary: 'accept-encoding' })
        .headers({ 'cache-control': 'no-cache', etag: encoded.etag })
      if (isUnchanged(encoded, headers['if-none-match'])) return reply.code(304).send()
      if (encoded.name !== 'identity') reply.header('content-encoding', encoded.name)
      return reply.type(HTML).send(encoded.bytes)
    },
  )
}

const HTML = 'text/html; charset=utf-8'

const answerMessage = (reply: FastifyReply, status: number, page: HtmlPage): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-security-policy': page.policy, 'cache-control': 'no-store' })
    .type(HTML)
    .send(page.html)

/** Visitors read HTML, in French, whatever fails. */
const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, headers = {} } = toApiError(error)
  if (status >= 500) request.log.error({ err: error }, 'quiz page failed')
  const isPassing = status === 503 || status === 429
  answerMessage(reply.headers(headers), status, isPassing ? UNAVAILABLE_PAGE : FAILED_PAGE)
}

const descriptionOf = ({ quiz }: Snapshot): string =>
  `Répondez au ${isSondage(quiz) ? 'sondage' : 'quiz'} « ${quiz.name} ».`

const writeQuizPage = (taken: TakenQuiz, build: PlayerBuild, public_url: string): HtmlPage => {
  const { style, body } = build.render(taken)
  return writeHtmlPage({
    title: taken.snapshot.quiz.name,
    description: descriptionOf(taken.snapshot),
    canonical_url: new URL(`/q/${taken.quiz_id}`, public_url).href,
    style: build.css + style,
    body,
    script: build.script,
  })
}
