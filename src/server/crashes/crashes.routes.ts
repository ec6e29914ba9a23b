import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { cleanCrashMessage } from '#domain/common/crash.ts'
import { mount } from '#server/http/edge/mount.ts'

/** Mounts the call that writes crashes of creators' screens to the log, without anything about the creator. */
export const registerCrashes = (app: FastifyInstance, { log }: { log: FastifyBaseLogger }): void =>
  mount(app, api.crashes, {
    report: async ({ body: { message, ...crash } }) => {
      log.error(
        { event: 'screen_crashed', ...crash, message: cleanCrashMessage(message) },
        'a screen crashed',
      )
      return undefined
    },
  })
