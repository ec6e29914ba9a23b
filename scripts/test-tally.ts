import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * Reporter of Node's test runner. Writes one JSON object: the number of passed tests, and one line per failed test
 * (file, name, first error line). A test is left out if its subtest failed.
 */
export default async function* tally(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0
  const failures: string[] = []
  for await (const event of events) {
    if (event.type === 'test:pass' && isCounted(event.data)) passed += 1
    if (event.type !== 'test:fail' || !isCounted(event.data)) continue
    const { name, file = '', line, details } = event.data
    const { error } = details
    if ('failureType' in error && error.failureType === 'subtestsFailed') continue
    const why = reasonsOf(error).join('\n').split('\n', LINES_OF_A_REASON)
    failures.push([`${relative(process.cwd(), file)}:${line} ${name}`, ...why].join('\n    '))
  }
  yield JSON.stringify({ passed, failures })
}

const LINES_OF_A_REASON = 12

/** Returns an error message with its causes, because « fetch failed » alone says nothing. */
const reasonsOf = (error: Error): string[] =>
  error.cause instanceof Error ? [String(error), ...reasonsOf(error.cause)] : [String(error)]

type Ended = { details: { type?: string | undefined }; skip?: string | boolean | undefined }

/** Suites and skipped tests do not count. */
const isCounted = ({ details, skip }: Ended): boolean => details.type !== 'suite' && !skip
