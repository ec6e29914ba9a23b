import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of node's test runner: one JSON object at the end, `passed` a number and `failures` a line for each test
 * that failed (its file, its name, and how its reason begins). A test whose subtest failed is left out, as the subtest is the one to read.
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

/** An error and its causes, as « fetch failed » says nothing without them. */
const reasonsOf = (error: Error): string[] =>
  error.cause instanceof Error ? [String(error), ...reasonsOf(error.cause)] : [String(error)]

type Ended = { details: { type?: string | undefined }; skip?: string | boolean | undefined }

/** A suite is no test of its own, and a skipped test has shown nothing. */
const isCounted = ({ details, skip }: Ended): boolean => details.type !== 'suite' && !skip
