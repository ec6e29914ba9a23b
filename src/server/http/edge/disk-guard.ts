import { statfs } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSubmission } from './admission.ts'
import { diskFull } from './errors.ts'

/** 'low': only what was begun is accepted. 'full': nothing that takes space is accepted. */
type DiskState = 'enough' | 'low' | 'full'

/** Free space of the disk that holds the embedded database. */
type FreeDisk = {
  /** Returns the state without waiting, at most CHECK_MS old while calls arrive. */
  state: () => DiskState
  /** Returns the free bytes; undefined before the first check and with a database on another machine. */
  free_bytes: () => number | undefined
}

type Space = { free_bytes: number; size_bytes: number }

/** Shares of the disk that stay free, and the bytes that are enough on a large disk. */
const LOW_DISK = { share: 0.1, bytes: 5_368_709_120 }
const FULL_DISK = { share: 0.02, bytes: 1_073_741_824 }
/** Milliseconds between two checks. */
const CHECK_MS = 1_000

/** Returns the state of a disk with this space. */
export const diskStateOf = ({ free_bytes, size_bytes }: Space): DiskState => {
  const isBelow = ({ share, bytes }: typeof LOW_DISK): boolean =>
    free_bytes < Math.min(share * size_bytes, bytes)
  if (isBelow(FULL_DISK)) return 'full'
  return isBelow(LOW_DISK) ? 'low' : 'enough'
}

const readSpace = async (folder: string): Promise<Space> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
}

/**
 * Watches the disk of a folder. Without a folder, as with DATABASE_URL, the disk of the database cannot be seen and
 * counts as large enough. A failed check keeps the last known state.
 */
export const watchFreeDisk = (
  folder: string | undefined,
  read: (folder: string) => Promise<Space> = readSpace,
  now: () => number = () => performance.now(),
): FreeDisk => {
  let space: Space | undefined
  let checked_at = Number.NEGATIVE_INFINITY
  const check = (): void => {
    if (folder === undefined || now() - checked_at < CHECK_MS) return
    checked_at = now()
    read(folder).then(
      (found) => {
        space = found
      },
      () => undefined,
    )
  }
  check()
  return {
    state: () => {
      check()
      return space ? diskStateOf(space) : 'enough'
    },
    free_bytes: () => space?.free_bytes,
  }
}

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
