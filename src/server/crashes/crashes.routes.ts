import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { cleanCrashMessage } from '#domain/common/crash.ts'
import { mount } from '#server/http/edge/mount.ts'
import { createSourcePositions } from './source-positions.ts'

/**
 * Mounts the call that writes crashes of creators' screens to the log, without anything about the creator. `source` of the
 * line is the position in our sources, if the build has a map for it.
 */
export const registerCrashes = (
  app: FastifyInstance,
  { log, maps_folder }: { log: FastifyBaseLogger; maps_folder: URL | undefined },
): void => {
  const positions = createSourcePositions(maps_folder)
  /** Returns the position in our sources; undefined if it is unknown, so that the crash is logged without it. */
  const findSource = async (position: string): Promise<string | undefined> => {
    try {
      return await positions.find(position)
    } catch (err) {
      log.warn({ err }, 'a source map cannot be read')
      return undefined
    }
  }
  mount(app, api.crashes, {
    report: async ({ body: { message, ...crash } }) => {
      const source = crash.position === null ? undefined : await findSource(crash.position)
      log.error(
        { event: 'screen_crashed', ...crash, source, message: cleanCrashMessage(message) },
        'a screen crashed',
      )
      return undefined
    },
  })
}
