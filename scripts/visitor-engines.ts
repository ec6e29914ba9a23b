/** Checks that the scripts and styles of visitors work on the oldest supported engines (docs/engines.md). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyNode, type Options, parse } from 'acorn'

/** Syntax that the oldest engines of visitors support: Safari and iOS 14.1, Chrome 90, Firefox 88. */
export const VISITOR_TARGET = 'es2021'
/** Oldest engines of visitors, for which the build adds prefixes and splits lists of selectors. */
export const VISITOR_CSS_TARGET = ['safari14.1', 'chrome90', 'firefox88']
const SYNTAX: Options = { ecmaVersion: 2021, sourceType: 'module' }

/** Names of properties and globals that an engine of the list lacks, as they are written in scripts. */
const NEWER_NAMES = new Set(
  [
    'hasOwn at findLast findLastIndex toSorted toReversed toSpliced groupBy fromAsync withResolvers',
    'isWellFormed toWellFormed structuredClone randomUUID canParse requestIdleCallback cancelIdleCallback',
    'locks timeout adoptedStyleSheets replaceSync CSSStyleSheet BroadcastChannel',
    'showModal showPopover hidePopover togglePopover inert requestSubmit submitter ariaLabel ariaHidden ariaExpanded',
    'checkVisibility startViewTransition userActivation userAgentData scheduler canShare',
    'moveBefore setHTML setHTMLUnsafe getHTML scrollend closeWatcher CloseWatcher Temporal Segmenter Iterator WeakRef',
    'isSubsetOf isSupersetOf isDisjointFrom symmetricDifference difference getOrInsert escape try',
    'asyncDispose supportedValuesOf highlights throwIfAborted',
  ].flatMap((line) => line.split(' ')),
)
/** Maximum length of the names that the minifier gives to functions. No newer global has such a short name. */
const MAX_MINIFIED_LENGTH = 3
/** Selectors in strings, and parts of regular expressions, that an engine of the list refuses. */
const NEWER_SELECTOR = /:has\(|:popover-open|:modal\b|:user-(?:in)?valid/
const NEWER_PATTERN = /\(\?<[=!]/

type Node = AnyNode & Record<string, unknown>
type Place = { node: Node; parent: Node | undefined; key: string; upper: Place | undefined }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `visit` with every node of a syntax tree, and its place. */
const walk = (place: Place, visit: (place: Place) => void): void => {
  visit(place)
  for (const [key, value] of Object.entries(place.node))
    for (const child of [value].flat())
      if (isNode(child)) walk({ node: child, parent: place.node, key, upper: place }, visit)
}

/**
 * Returns true if a script survives an absent value: the value is only tested, called with `?.`, or read with `?.`.
 */
const isGuarded = ({ node, parent, key, upper }: Place): boolean => {
  if (!parent) return false
  if (parent.type === 'MemberExpression' && key === 'object') return parent.optional
  if (parent.type === 'CallExpression' && key === 'callee') return parent.optional
  if (parent.type === 'LogicalExpression' && parent.operator === '??' && key === 'left') return true
  if (['IfStatement', 'ConditionalExpression', 'LogicalExpression'].includes(parent.type))
    return key === 'test' || (key === 'left' && node.type !== 'CallExpression')
  if (parent.type === 'ChainExpression') return upper ? isGuarded(upper) : false
  return parent.type === 'UnaryExpression' && ['!', 'typeof'].includes(parent.operator)
}

/** Returns true if a node reads a name anywhere below it. */
const reads = (node: Node, name: string): boolean => {
  let isFound = false
  const first: Place = { node, parent: undefined, key: '', upper: undefined }
  walk(first, (place) => {
    isFound ||= newerNameOf(place) === name
  })
  return isFound
}

/** Returns true if a node is in a branch that runs only if the name exists, as in `name ? name() : undefined`. */
const isInTestedBranch = ({ parent, key, upper }: Place, name: string): boolean => {
  if (!parent || !upper) return false
  const isBranch =
    (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') &&
    key === 'consequent' &&
    reads(parent.test as Node, name)
  const isSecond =
    parent.type === 'LogicalExpression' &&
    parent.operator === '&&' &&
    key === 'right' &&
    reads(parent.left as Node, name)
  return isBranch || isSecond || isInTestedBranch(upper, name)
}

/** Returns the newer name that a node reads from an object or from the global scope; undefined if there is none. */
const newerNameOf = ({ node, parent, key }: Place): string | undefined => {
  if (node.type === 'MemberExpression') {
    const { property, computed } = node
    const name = !computed && property.type === 'Identifier' ? property.name : ''
    return NEWER_NAMES.has(name) ? name : undefined
  }
  if (node.type !== 'Identifier' || !NEWER_NAMES.has(node.name)) return undefined
  if (node.name.length <= MAX_MINIFIED_LENGTH) return undefined
  const isRead = parent?.type === 'NewExpression' || parent?.type === 'CallExpression'
  return isRead && key === 'callee' ? node.name : undefined
}

/** Returns the text of a string or of a part of a template; undefined for another node. */
const textOf = (node: Node): string | undefined => {
  if (node.type === 'TemplateElement') return node.value.cooked ?? undefined
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** Returns what the oldest engines refuse in a script: its syntax, or the names, selectors and patterns it uses. */
export const engineProblems = (code: string): string[] => {
  let program: Node
  try {
    program = parse(code, SYNTAX) as unknown as Node
  } catch (error) {
    return [`its syntax: ${String(error)}`]
  }
  const found: string[] = []
  const first: Place = { node: program, parent: undefined, key: '', upper: undefined }
  walk(first, (place) => {
    const name = newerNameOf(place)
    if (name && !isGuarded(place) && !isInTestedBranch(place, name))
      found.push(`« ${name} » without a guard`)
    const { node } = place
    const text = textOf(node)
    if (text && NEWER_SELECTOR.test(text)) found.push(`the selector « ${text} »`)
    if (node.type === 'Literal' && node.regex && NEWER_PATTERN.test(node.regex.pattern))
      found.push(`the pattern « ${node.regex.pattern} »`)
  })
  return [...new Set(found)]
}

/** Returns the rules of a style that the oldest engines read in another way, because a prefix is missing. */
export const styleProblems = (css: string): string[] =>
  [...css.matchAll(/[^{}]{1,80}\{[^{}]*\}/g)]
    .map(([rule]) => rule)
    .filter((rule) => /[{;]appearance:/.test(rule) && !rule.includes('-webkit-appearance:'))
    .map((rule) => `« ${rule} » without -webkit-appearance`)

/** Prints what the oldest engines of visitors refuse in the built scripts and styles. Returns false if they refuse anything. */
export const checkVisitorEngines = (folder: string): boolean => {
  const files = globSync('**/*.js', { cwd: folder }).filter((file) => file !== 'render.js')
  // The renderer of the markup contains the styles.
  const styles = readFileSync(join(folder, 'render.js'), 'utf8')
  const problems = [
    ...files.flatMap((file) =>
      engineProblems(readFileSync(join(folder, file), 'utf8')).map((one) => `${file}: ${one}`),
    ),
    ...styleProblems(styles),
  ]
  for (const problem of problems) console.error(`Too new for the engines of visitors: ${problem}`)
  return problems.length === 0
}
