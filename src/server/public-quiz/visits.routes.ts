import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_POSTGRES_INTEGER } from '#contract/public-quiz.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { lastStep } from '#domain/statistics/visits.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { isFromSandboxedFrame } from '#server/http/edge/sandboxed-frames.ts'
import { parseShape } from '#server/http/edge/validation.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import type { Visits } from '#server/responses/visits.ts'
import { rejectCrossSitePost, skippedSteps } from './noscript-form.ts'

type Dependencies = {
  versionReader: Pick<VersionReader, 'current' | 'ofVersion'>
  visits: Pick<Visits, 'count'>
  public_url: string
}

const MAX_BODY_BYTES = 1_024

/** Schema of a report: version, last step reported before, last step reached. */
const reportShape = z
  .object({
    id: z.guid().toLowerCase(),
    version: z.coerce.number().int().min(1).max(MAX_POSTGRES_INTEGER),
    from: z.coerce.number().int().min(0).max(LIMITS.pages),
    to: z.coerce.number().int().min(1).max(lastStep(LIMITS.pages)),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'L’étape précède la première' })

/** Returns true if the browser asks not to be tracked (Global Privacy Control, Do Not Track). */
export const hasPrivacySignal = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1'

/**
 * Registers POST /q/{id}/visite/{version}/{from}/{to}: the page reports how far a visit came (product 8.11). `left_out`
 * lists skipped steps. Nothing about the visitor is stored, and a browser with a privacy signal is not counted. `page` is
 * the path of the page.
 */
export const registerVisits = (
  app: FastifyInstance,
  { versionReader, visits, public_url }: Dependencies,
  page: '/q/:id' | '/q/:id/i/:invitation' = '/q/:id',
): void => {
  app.post<{ Querystring: { left_out?: unknown } }>(
    `${page}/visite/:version/:from/:to`,
    { bodyLimit: MAX_BODY_BYTES, config: { access: 'anyone', limits: 'visit' } },
    async (request, reply) => {
      if (!isFromSandboxedFrame(request)) rejectCrossSitePost(request, public_url)
      const { id: quiz_id, ...steps } = parseShape(reportShape, request.params)
      const current = await versionReader.current(quiz_id)
      const isOpen = current?.is_published && !current.opening
      const publishedVersion = isOpen
        ? await versionReader.ofVersion(quiz_id, steps.version)
        : undefined
      if (
        !publishedVersion ||
        steps.to > lastStep(groupIntoPages(publishedVersion.snapshot).length)
      )
        throw notFound()
      const left_out = skippedSteps.parse(request.query.left_out)
      if (!hasPrivacySignal(request)) visits.count({ quiz_id, ...steps, left_out })
      return reply.code(204).send()
    },
  )
}
