import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * Reporter for the test runner of Node. Writes one JSON object: the number of passed tests, and a text for each failed
 * test (file, name, error). A test that failed only because of its subtest is omitted.
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
    const why = reasonsOf(error).join('\n').split('\n', MAX_REASON_LINES)
    failures.push([`${relative(process.cwd(), file)}:${line} ${name}`, ...why].join('\n    '))
  }
  yield JSON.stringify({ passed, failures })
}

const MAX_REASON_LINES = 12

/** Returns the messages of an error and its causes, because a message such as « fetch failed » is not enough. */
const reasonsOf = (error: Error): string[] =>
  error.cause instanceof Error ? [String(error), ...reasonsOf(error.cause)] : [String(error)]

type Ended = { details: { type?: string | undefined }; skip?: string | boolean | undefined }

/** Returns false for suites and skipped tests, which are not counted. */
const isCounted = ({ details, skip }: Ended): boolean => details.type !== 'suite' && !skip
