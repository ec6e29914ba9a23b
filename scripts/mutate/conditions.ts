import { parseSync } from 'vite'

/** Ownership condition of a query, with the source text without this condition. */
export type Condition = {
  /** 'owner': column of the user; 'parent': quiz or question that a row belongs to. */
  kind: 'owner' | 'parent'
  line: number
  text: string
  without: string
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>
type Edit = { start: number; end: number; put: string }

const OWNER = /(?:^|\.)(?:creator_id|user_id)$/
const PARENT = /(?:^|\.)(?:quiz_id|question_id|factor_id)$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node)
  for (const value of Object.values(node))
    for (const child of [value].flat()) if (isNode(child)) walk(child, visit)
}

const textOf = (node: unknown): string =>
  isNode(node) && node.type === 'Literal' ? String(node.value) : ''

/** Returns the name of a value: `user_id`, or the last name of `session.user_id`. */
const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node.name)
  return node.type === 'MemberExpression' ? nameOf(node.property) : ''
}

const kindOf = (...names: string[]): Condition['kind'] | undefined => {
  if (names.some((name) => OWNER.test(name))) return 'owner'
  return names.some((name) => PARENT.test(name)) ? 'parent' : undefined
}

/** Returns the table at the start of a call chain: `db.updateTable('users').set(…)`. */
const tableOf = (node: Node): string => {
  const { callee, arguments: given } = node
  if (node.type !== 'CallExpression' || !isNode(callee) || !isNode(callee.object)) return ''
  const isFirst = /^(?:selectFrom|updateTable|deleteFrom)$/.test(nameOf(callee.property))
  return isFirst && Array.isArray(given) ? textOf(given[0]) : tableOf(callee.object)
}

type Found = Edit & { kind: Condition['kind'] }

/**
 * Finds conditions of the query builder: `.where('creator_id', '=', creator_id)`, `.onRef(…)` and joins on two
 * columns.
 */
const inBuilder = (node: Node): Found | undefined => {
  const { callee, arguments: given } = node
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !Array.isArray(given))
    return undefined
  if (!isNode(callee.object)) return undefined
  const name = nameOf(callee.property)
  const [left, middle, right] = given as unknown[]
  const at = { start: callee.object.end, end: node.end }
  if (name === 'where' && given.length === 3) {
    const isPerson = /^(?:users\.)?id$/.test(textOf(left)) && tableOf(callee.object) === 'users'
    const kind = isPerson ? 'owner' : kindOf(textOf(left), nameOf(right))
    return kind && { ...at, put: '', kind }
  }
  if (name === 'onRef' || name === 'whereRef') {
    const kind = kindOf(textOf(left), textOf(right))
    return kind === 'owner' ? { ...at, put: '', kind } : undefined
  }
  const isJoin = /^(?:inner|left)Join$/.test(name) && given.length === 3
  if (!isJoin || kindOf(textOf(middle), textOf(right)) !== 'owner') return undefined
  const table = JSON.stringify(textOf(left))
  return { ...at, put: `.${name}(${table}, (join) => join.onTrue())`, kind: 'owner' }
}

const BEFORE = /(?:\w+\.)?(\w+) = $/
const BETWEEN = /(?:\w+\.)?(?:user_id|creator_id) = (?:\w+\.)?(?:user_id|creator_id)\b/g

/** Finds conditions in SQL: `creator_id = ${creator_id}` and `a.user_id = b.creator_id`. */
const inTemplate = (node: Node, source: string): Found[] => {
  const { quasis, expressions } = node as unknown as { quasis: Node[]; expressions: Node[] }
  return quasis.flatMap((quasi, index) => {
    const text = source.slice(quasi.start, quasi.end)
    const between: Found[] = [...text.matchAll(BETWEEN)].map((match) => ({
      start: quasi.start + match.index,
      end: quasi.start + match.index + match[0].length,
      put: 'true',
      kind: 'owner',
    }))
    const value = expressions[index]
    const opening = value && source.slice(0, value.start).lastIndexOf('${')
    if (!value || opening === undefined) return between
    const match = BEFORE.exec(source.slice(quasi.start, opening))
    const kind = match && kindOf(match[1] ?? '', nameOf(value))
    if (!kind) return between
    const start = opening - match[0].length
    return [...between, { start, end: source.indexOf('}', value.end) + 1, put: 'true', kind }]
  })
}

const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length

/** Returns all ownership conditions in the syntax tree of a source file. */
export const conditionsOf = (file: string, source: string): Condition[] => {
  const found: Found[] = []
  walk(parseSync(file, source).program as unknown as Node, (node) => {
    const call = node.type === 'CallExpression' ? inBuilder(node) : undefined
    if (call) found.push(call)
    if (node.type === 'TemplateLiteral') found.push(...inTemplate(node, source))
  })
  return found.map(({ start, end, put, kind }) => ({
    kind,
    line: lineOf(source, end - source.slice(start, end).trimStart().length),
    text: source.slice(start, end).trim().replaceAll(/\s+/g, ' '),
    without: source.slice(0, start) + put + source.slice(end),
  }))
}
