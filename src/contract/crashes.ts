import { z } from 'zod'
import { CRASH_LIMITS } from '#domain/common/crash.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'

/** Maximum size of a report in bytes. Each character of its texts may take three. */
const MAX_REPORT_BYTES = 4_096

/** Call with which a screen of creators reports that it has crashed. */
export const crashes = group({
  report: {
    ...calls.crashes.report,
    access: 'creator',
    key_scope: 'none',
    limits: 'crash_report',
    max_body_bytes: MAX_REPORT_BYTES,
    body: z.strictObject({
      name: z.string().max(CRASH_LIMITS.name).regex(/^\w*$/),
      message: z.string().max(CRASH_LIMITS.message),
      /** Path of the screen without ids. */
      screen: z
        .string()
        .max(CRASH_LIMITS.screen)
        .regex(/^[/a-z{}-]*$/),
      /** File, line and column of the crash. */
      position: z
        .string()
        .max(CRASH_LIMITS.position)
        .regex(/^[\w-]+\.js:\d+:\d+$/)
        .nullable(),
      /** Name of the page's script, which every release changes. */
      release: z
        .string()
        .max(CRASH_LIMITS.release)
        .regex(/^[\w.-]*$/),
    }),
    summary: 'Signaler au journal du serveur qu’un écran s’est interrompu',
  },
})
