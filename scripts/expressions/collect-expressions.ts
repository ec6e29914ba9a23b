import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { ROOT } from '../imports.ts'

/** Regular expression of the product, with the files that contain it. */
export type Expression = { source: string; flags: string; files: string[] }

type Node = { type: string; start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const IS_FOR_TESTS = /\/testing\/|\.(?:test|spec)\.tsx?$|\.d\.ts$/

/** Returns the literals of a file, and the lines that call the constructor of expressions. */
const readFile = (file: string): { literals: [string, string][]; constructor_lines: number[] } => {
  const code = readFileSync(join(ROOT, file), 'utf8')
  const literals: [string, string][] = []
  const constructor_lines: number[] = []
  const visit = (node: Node): void => {
    if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      literals.push([pattern, flags])
    }
    const { callee } = node
    if (isNode(callee) && callee.type === 'Identifier' && callee.name === 'RegExp')
      constructor_lines.push(code.slice(0, node.start).split('\n').length)
    for (const value of Object.values(node))
      for (const child of [value].flat()) if (isNode(child)) visit(child)
  }
  visit(parseSync(file, code).program as unknown as Node)
  return { literals, constructor_lines }
}

/** Calls of the constructor while modules are loaded: the line of the call and the expression. */
type ConstructorCall = { at: string; source: string; flags: string }

/** Loads modules and returns the expressions that they construct. */
const recordConstructed = async (files: readonly string[]): Promise<ConstructorCall[]> => {
  const calls: ConstructorCall[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, newTarget) => {
      const made = Reflect.construct(target, args, newTarget) as RegExp
      const at = new Error('call').stack?.split('\n')[2] ?? ''
      calls.push({ at, source: made.source, flags: made.flags })
      return made
    },
  })
  try {
    for (const file of files) await import(pathToFileURL(join(ROOT, file)).href)
  } finally {
    globalThis.RegExp = original
  }
  return calls
}

/**
 * Returns each regular expression of the product: literals, and those that modules construct when they are loaded.
 * `unread` has the constructor calls inside functions, whose expressions are unknown until the function runs.
 */
export const collectExpressions = async (): Promise<{
  expressions: Expression[]
  unread: string[]
}> => {
  const found = new Map<string, Expression>()
  const add = (file: string, source: string, flags: string): void => {
    const key = `/${source}/${flags}`
    const known = found.get(key) ?? { source, flags, files: [] }
    if (!known.files.includes(file)) known.files.push(file)
    found.set(key, known)
  }
  const constructed: { file: string; line: number }[] = []
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).sort()) {
    if (IS_FOR_TESTS.test(file)) continue
    const { literals, constructor_lines } = readFile(file)
    for (const [source, flags] of literals) add(file, source, flags)
    for (const line of constructor_lines) constructed.push({ file, line })
  }
  const calls = await recordConstructed([...new Set(constructed.map(({ file }) => file))])
  const unread: string[] = []
  for (const { file, line } of constructed) {
    const made = calls.filter(({ at }) => at.includes(`/${file}:${line}:`))
    if (made.length === 0) unread.push(`${file}:${line}`)
    for (const { source, flags } of made) add(file, source, flags)
  }
  return { expressions: [...found.values()], unread }
}
