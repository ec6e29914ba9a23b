import { relative } from 'node:path'
import type { run } from 'node:test'
import { ROOT } from '../imports.ts'
import type { Tally } from './tally.ts'

const LINES_PER_FAILURE = 12
/** Begin of the runner's message about an error that no test awaits. Its process then fails without a reason. */
const UNCAUGHT = 'Error: '

/** Counts the tests that Node's test runner reports. Prints their output, each failure, and a dot for each `tests_per_dot` passed ones. */
export const tallyTests = async (
  events: ReturnType<typeof run>,
  tests_per_dot: number,
): Promise<Tally> => {
  const tally: Tally = { passed: 0, failures: [], retried: [] }
  for await (const { type, data } of events as AsyncIterable<TestEvent>) {
    if (type === 'test:stderr' || type === 'test:stdout') process.stdout.write(data.message ?? '')
    if (type === 'test:diagnostic' && data.message?.startsWith(UNCAUGHT))
      console.log(`\n${data.message}`)
    if (type === 'test:pass' && isCounted(data)) {
      tally.passed += 1
      if (tally.passed % tests_per_dot === 0) process.stdout.write('.')
    }
    if (type === 'test:fail') {
      const failure = describeFailure(data)
      if (failure === undefined) continue
      tally.failures.push(failure)
      console.log(`\nFailed: ${failure}`)
    }
  }
  return tally
}

type TestEvent = {
  type: string
  data: {
    name: string
    file?: string
    line?: number
    message?: string
    skip?: string | boolean
    details: { type?: string; error?: Error & { failureType?: string } }
  }
}

/** Suites and skipped tests do not count, nor do processes without a test, which the runner reports as a test. */
const isCounted = ({ name, file, details, skip }: TestEvent['data']): boolean =>
  details.type !== 'suite' && !skip && name !== file

/** Returns the place, the name and the reasons of a failed test; undefined if one of its subtests failed instead. */
const describeFailure = ({ name, file = '', line, details }: TestEvent['data']) => {
  const { error } = details
  if (!error || error.failureType === 'subtestsFailed') return undefined
  const why = reasonsOf(error).join('\n').split('\n', LINES_PER_FAILURE)
  return [`${relative(ROOT, file)}:${line} ${name}`, ...why].join('\n    ')
}

/** Returns an error message with its causes, because « fetch failed » alone says nothing. */
const reasonsOf = (error: Error): string[] =>
  error.cause instanceof Error ? [String(error), ...reasonsOf(error.cause)] : [String(error)]
