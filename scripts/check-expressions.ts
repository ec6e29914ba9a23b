/**
 * Checks that every regular expression of the product takes linear time on any text (docs/security-tools.md). recheck
 * analyses an expression in a second or more; `expressions/linear.txt` lists the expressions that it found linear, so
 * that only new ones are analysed. Commit that file with a new expression.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { collectExpressions, type Expression } from './expressions/collect-expressions.ts'

// The other backends of recheck need Java or a native program.
process.env.RECHECK_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const LINEAR_FILE = join(import.meta.dirname, 'expressions/linear.txt')
const MAX_ANALYSIS_MS = 120_000

/** Expression that recheck does not find linear, although its use is safe. */
type Exception = {
  expression: string
  /** Maximum length of a text that the expression is applied to. The check measures this length. */
  max_length: number
  reason: string
}
const EXCEPTIONS: readonly Exception[] = [
  {
    expression: String.raw`/\b((?:https?:\/\/|www\.)(?:[.,;:!?…'’\]}*]*(?:[^\s()<>«»"“”.,;:!?…'’\]}*]|\([^\s()]*\)))+|(?:mailto:)?[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+)/i`,
    max_length: 5_000,
    reason:
      'Each word boundary reads at most 64 letters before an @; the player shows texts of 5,000 letters.',
  },
]
/** Maximum duration of an exception on the worst text of its maximum length. */
const MAX_EXCEPTION_MS = 250

const keyOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string =>
  `/${source}/${flags}`

/** Returns the shortest of three durations of an expression on a text. */
const durationOf = ({ source, flags }: Expression, text: string): number => {
  const durations = [1, 2, 3].map(() => {
    const began = performance.now()
    text.replaceAll(new RegExp(source, flags.includes('g') ? flags : `${flags}g`), '')
    return performance.now() - began
  })
  return Math.min(...durations)
}

/** Returns the worst text that recheck found, repeated or cut to a length. */
const worstText = (attack: string, length: number): string =>
  attack.repeat(Math.ceil(length / Math.max(1, attack.length))).slice(0, length)

/** Returns the reason why an expression is refused; undefined if it takes linear time. */
const findProblem = (expression: Expression): string | undefined => {
  const verdict = checkSync(expression.source, expression.flags, { timeout: MAX_ANALYSIS_MS })
  if (verdict.status === 'safe') return undefined
  const exception = EXCEPTIONS.find((one) => one.expression === keyOf(expression))
  if (verdict.status === 'unknown') return `cannot be analysed (${verdict.error.kind})`
  if (!exception)
    return `is ${verdict.complexity.summary}, for example on ${verdict.attack.pattern}`
  const ms = durationOf(expression, worstText(verdict.attack.string, exception.max_length))
  return ms > MAX_EXCEPTION_MS
    ? `takes ${ms.toFixed(0)} ms for ${exception.max_length} characters`
    : undefined
}

const { expressions, unread } = await collectExpressions()
const keys = new Set(expressions.map(keyOf))
const linear = new Set(
  readFileSync(LINEAR_FILE, 'utf8')
    .split('\n')
    .filter((key) => keys.has(key)),
)
const exceptions = new Set(EXCEPTIONS.map(({ expression }) => expression))
const problems = [
  ...unread.map((place) => `${place} constructs an expression inside a function: write a constant`),
  ...[...exceptions].filter((key) => !keys.has(key)).map((key) => `${key} is an unused exception`),
]
for (const expression of expressions) {
  const key = keyOf(expression)
  if (linear.has(key)) continue
  const problem = findProblem(expression)
  if (problem) problems.push(`${expression.files.join(', ')}: ${key} ${problem}`)
  else if (!exceptions.has(key)) linear.add(key)
}
const list = [...linear].sort().join('\n')
writeFileSync(LINEAR_FILE, `${list}\n`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
// A loaded module may keep a timer, so that the program would not end by itself.
await pause(0)
process.exit(problems.length > 0 ? 1 : 0)
