import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import type { Db } from '#server/db/database.ts'
import { isDatabaseUnavailable } from '#server/db/database-error.ts'
import { creatorOf } from '#server/http/edge/caller.ts'
import { notFound, unavailable } from '#server/http/edge/errors.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { ResponseEvents } from '#server/responses/response-events.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { createStreamLimit } from '#server/runtime/stream-limit.ts'
import { UUID } from '#server/runtime/uuid.ts'

/** Maximum number of open streams, in all and per creator; each tab has one. */
const STREAM_LIMIT = { max_total: 1_000, max_per_key: 10, refusal: () => unavailable(60) }
/** Interval of heartbeats, because proxies close silent streams. */
const HEARTBEAT_MS = 25_000
/** Maximum duration of a stream, so that it ends before the reader's token expires. The reader then opens another. */
const MAX_STREAM_MS = 600_000
/** Minimum time between two events of a stream. */
const MIN_INTERVAL_MS = 1_000

type Live = { db: Db; events: ResponseEvents }
type Route = { Params: { id: string } }

/**
 * Registers a stream of server-sent events with the number of participants of a quiz. An event is sent at the
 * beginning and after each change. The stream ends if the quiz is deleted.
 */
export const serveLive = (app: FastifyInstance, { db, events }: Live): void => {
  const open = new Set<PassThrough>()
  const slots = createStreamLimit(STREAM_LIMIT)
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
    await events.close()
  })

  app.get<Route>(
    `${BASE_PATH}/quizzes/:id/responses/live`,
    { config: { access: 'quiz_owner' }, exposeHeadRoute: false },
    async (request, reply) => {
      const creator = creatorOf(request)
      const { id: quiz_id } = request.params
      if (!UUID.test(quiz_id)) throw notFound()
      const owned = { quiz_id: quiz_id.toLowerCase(), creator_id: creator.id }
      const count = async (): Promise<number> => (await loadQuiz(db, owned)).quiz.nb_responses
      const first = await count()
      slots.hold(creator.id, reply.raw)

      const stream = new PassThrough()
      let last = -1
      const send = (nb_responses: number): void => {
        if (nb_responses === last) return
        last = nb_responses
        if (!stream.writableEnded) stream.write(`data: ${JSON.stringify({ nb_responses })}\n\n`)
      }
      let pause: NodeJS.Timeout | undefined
      const onArrival = (): void => {
        if (!open.has(stream)) return
        pause ??= setTimeout(() => {
          pause = undefined
          // During an outage of the database, the screen stays open and gets the next count after it.
          count().then(send, (error: unknown) =>
            isDatabaseUnavailable(error) ? onArrival() : stream.end(),
          )
        }, MIN_INTERVAL_MS)
      }
      const stopHeartbeat = runEvery(HEARTBEAT_MS, () => {
        stream.write(': \n\n')
        // Counts at each heartbeat too, because a notice may be lost.
        onArrival()
      })
      const end = setTimeout(() => stream.end(), MAX_STREAM_MS)
      open.add(stream)
      const stopListening = events.listen(owned.quiz_id, onArrival)
      stream.once('close', () => {
        open.delete(stream)
        stopListening()
        clearTimeout(pause)
        stopHeartbeat()
        clearTimeout(end)
      })
      send(first)
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    },
  )
}
