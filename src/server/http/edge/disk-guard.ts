import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FreeDisk } from '#server/runtime/free-disk.ts'
import { isSubmission } from './admission.ts'
import { diskFull } from './errors.ts'

/** Seconds after which a refused caller may ask again. The operator has to free space on the disk first. */
const RETRY_S = 60

/** Calls that begin something, and the sentence that refuses them while little space is left. */
const SENTENCES = {
  run: 'Ce questionnaire ne peut pas être commencé pour le moment : il ne reste presque plus de place sur le serveur. Réessayez dans quelques minutes.',
  object:
    'Rien ne peut être ajouté pour le moment : il ne reste presque plus de place sur le serveur. Ce qui existe peut être modifié et supprimé.',
  reply:
    'Vos réponses ne peuvent pas être enregistrées pour le moment : il n’y a plus de place sur le serveur. Elles sont gardées sur cet appareil ; réessayez dans quelques minutes.',
}

/** Routes whose page or data begin a new run. */
const RUN_ROUTES = new Set(['/q/:id', '/api/v1/quizzes/:id/snapshot'])

/** Returns what a call would add; undefined for calls that read, change or delete. */
const growthOf = (request: FastifyRequest): keyof typeof SENTENCES | undefined => {
  const { url = '', config } = request.routeOptions
  if (config.grows) return 'object'
  if (isSubmission(request)) return 'reply'
  const { preview } = request.query as { preview?: unknown }
  return request.method === 'GET' && RUN_ROUTES.has(url) && preview === undefined
    ? 'run'
    : undefined
}

/**
 * Refuses calls that begin something (503 with Retry-After) while little space is left on the disk of the database.
 * Replies to runs that were begun are stored until the disk is nearly full, so that their space remains.
 */
export const guardDisk = (app: FastifyInstance, disk: FreeDisk): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const state = disk.state()
    if (state === 'enough') return done()
    const growth = growthOf(request)
    const isRefused = growth !== undefined && (state === 'full' || growth !== 'reply')
    done(isRefused ? diskFull(RETRY_S, SENTENCES[growth]) : undefined)
  })
}
