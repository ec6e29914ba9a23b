import type { DescribedError, Frame } from './describe-error.ts'

const CLIENT = 'quizaine/1'

const isOurs = ({ file }: Frame): boolean => /^(?:src|scripts)\//.test(file)

/** Returns the headers of a call that sends a report; `key` is the public key of the project. */
export const reportHeaders = (key: string): Record<string, string> => ({
  'content-type': 'application/x-sentry-envelope',
  'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${CLIENT}, sentry_key=${key}`,
})

/**
 * Returns the body of a call that sends a report: three lines of JSON (https://develop.sentry.dev/sdk/data-model/envelopes).
 * `id` has 32 hexadecimal digits.
 */
export const writeEnvelope = (
  { where, type, code, text, screen, script, frames }: DescribedError,
  { id, at, release }: { id: string; at: Date; release: string },
): string => {
  const event = {
    event_id: id,
    timestamp: at.toISOString(),
    platform: where === 'server' ? 'node' : 'javascript',
    level: 'error',
    logger: where,
    release,
    message: { formatted: text },
    exception: {
      values: [
        {
          type,
          value: code ?? text,
          // The protocol wants the innermost frame last.
          stacktrace: {
            frames: frames.toReversed().map((frame) => ({
              filename: frame.file,
              function: frame.function ?? undefined,
              lineno: frame.line,
              colno: frame.column,
              in_app: where === 'browser' || isOurs(frame),
            })),
          },
        },
      ],
    },
    tags: { ...(screen !== null && { screen }), ...(script !== null && { script }) },
  }
  const head = { event_id: id, sent_at: at.toISOString() }
  return [head, { type: 'event' }, event].map((part) => JSON.stringify(part)).join('\n')
}
