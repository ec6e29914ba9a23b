import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import type { Db } from '#server/db/database.ts'
import { creatorOf } from '#server/http/edge/caller.ts'
import { notFound, unavailable } from '#server/http/edge/errors.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import type { ResponseEvents } from '#server/responses/response-events.ts'
import { every } from '#server/runtime/every.ts'
import { createStreamLimit } from '#server/runtime/stream-limit.ts'
import { isUuid } from '#server/runtime/uuid.ts'

/** Streams open at the same time: one for each tab. */
const STREAM_LIMIT = { most: 1_000, most_per_key: 10, refusal: () => unavailable(60) }
/** A heartbeat, as proxies close silent streams. */
const HEARTBEAT_MS = 25_000
/** A stream ends before its reader's token expires; the reader opens another. */
const LONGEST_MS = 600_000
/** The shortest time between two events of a screen. */
const PAUSE_MS = 1_000

type Live = { db: Db; events: ResponseEvents }
type Route = { Params: { id: string } }

/** Server-sent events with the number of participants of a quiz, now and whenever participants came or were removed. */
export const serveLive = (app: FastifyInstance, { db, events }: Live): void => {
  const open = new Set<PassThrough>()
  const slots = createStreamLimit(STREAM_LIMIT)
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
    await events.close()
  })

  app.get<Route>(
    `${BASE_PATH}/quizzes/:id/responses/live`,
    { config: { access: 'creator' }, exposeHeadRoute: false },
    async (request, reply) => {
      const creator = creatorOf(request)
      const { id: quiz_id } = request.params
      if (!isUuid(quiz_id)) throw notFound()
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
          // A deleted quiz has no more events; its screen finds out by itself.
          count().then(send, () => stream.end())
        }, PAUSE_MS)
      }
      const stopHeartbeat = every(HEARTBEAT_MS, () => {
        stream.write(': \n\n')
        // Counts now and then without a notice, as one may be lost.
        onArrival()
      })
      const end = setTimeout(() => stream.end(), LONGEST_MS)
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
