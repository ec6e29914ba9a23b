import type { Key, ReactElement, ReactNode } from 'react'
import { tiePunctuation } from '#domain/common/french-spacing.ts'

/**
 * The JSX runtime of the player in browsers. Components are pure functions of their props, so that the server renders
 * them on React. `createRenderer` shows them, and keeps every element that the next markup contains too.
 */
export type { JSX } from 'react/jsx-runtime'

type Props = Record<string, unknown>
/** An element or a text to show. */
type VirtualNode = {
  /** Name of the element; `#text` for a text. */
  tag: string
  /** Attributes and listeners; of a text, its words as `data`. */
  props: Props
  key?: Key | undefined
  /** Children; null keeps the place of an absent child. Undefined if the node was read from the document. */
  child_nodes?: (VirtualNode | null)[] | undefined
  dom?: ChildNode | undefined
  /** True if the element stays as the server has rendered it (keep-server-markup.ts). */
  is_kept?: boolean
}
type Component = (props: Props) => ReactNode

const TEXT = '#text'
const SVG = 'http://www.w3.org/2000/svg'

/** Returns the children as nodes, with their texts in French typography. */
const toNodes = (children: unknown): (VirtualNode | null)[] =>
  [children].flat(Number.POSITIVE_INFINITY).map((child) => {
    if (child == null || child === '' || typeof child === 'boolean') return null
    if (typeof child === 'object') return child as VirtualNode
    return { tag: TEXT, props: { data: tiePunctuation(`${child}`) } }
  })

/** Creates an element. A component is called at once; a key then belongs to its element. */
export const jsx = (
  type: string | Component,
  { children, ...props }: Props,
  key?: Key,
): ReactElement => {
  const node =
    typeof type === 'string'
      ? { tag: type, props, child_nodes: toNodes(children) }
      : type({ children, ...props })
  if (key !== undefined) Object(node).key = key
  return node as ReactElement
}
export { jsx as jsxs }

/** Renders its children without an element. */
export const Fragment = ({ children }: { children?: ReactNode }) => children

/** Attributes that JSX names otherwise. Attributes of HTML elements are set in any case. */
const ATTRIBUTES: Record<string, string> = {
  className: 'class',
  htmlFor: 'for',
  defaultChecked: 'checked',
}

/** Sets an attribute or a listener. A default value is a property, because textareas have no such attribute. */
const setProperty = (dom: Element, name: string, value: unknown): void => {
  const isData = name.includes('-')
  if (/^on/.test(name)) Object(dom)[name.toLowerCase()] = value
  else if (name === 'defaultValue') Object(dom)[name] = value ?? ''
  else if (value == null || (value === false && !isData))
    dom.removeAttribute(ATTRIBUTES[name] ?? name)
  else dom.setAttribute(ATTRIBUTES[name] ?? name, value === true && !isData ? '' : `${value}`)
}

/** Returns true if the element of the node `before` can show another node. Nodes that were read from the document have no key. */
const isSame = (before: VirtualNode | null | undefined, node: VirtualNode): boolean =>
  before?.tag === node.tag && (!before.child_nodes || before.key === node.key)

const isTextOrNothing = (node: VirtualNode | null | undefined): boolean =>
  !node || node.tag === TEXT

/** Changes what an element or a text shows, and returns it. */
const patch = (dom: ChildNode, before: VirtualNode, node: VirtualNode): ChildNode => {
  const { tag, props, child_nodes } = node
  node.dom = dom
  if (node.is_kept && !before.child_nodes) {
    node.child_nodes = undefined
    node.props = {}
    return dom
  }
  if (tag === TEXT) {
    if (before.props.data !== props.data) Object(dom).data = props.data
    return dom
  }
  for (const name in { ...before.props, ...props })
    if (before.props[name] !== props[name]) setProperty(dom as Element, name, props[name])
  patchChildren(dom as Element, before.child_nodes, child_nodes ?? [])
  return dom
}

const create = (parent: Element, node: VirtualNode): ChildNode => {
  const { tag } = node
  const { ownerDocument: page, namespaceURI } = parent
  const dom =
    tag === TEXT
      ? page.createTextNode('')
      : page.createElementNS(tag === 'svg' ? SVG : namespaceURI, tag)
  return patch(dom, { tag, props: {}, child_nodes: [] }, node)
}

/** Reads the children of an element that the server has rendered, in the places of the nodes that will follow. */
const readChildren = (parent: Element, nodes: readonly (VirtualNode | null)[]) => {
  // React separates texts by comments.
  const children = [...parent.childNodes].filter(({ nodeName }) => nodeName !== '#comment')
  const found = children.map((dom): VirtualNode => {
    const { nodeName, nodeValue } = dom
    return { tag: nodeName.toLowerCase(), props: { data: nodeValue }, dom }
  })
  return [...nodes.map((node) => node && (found.shift() ?? null)), ...found]
}

/**
 * Shows nodes as the children of an element. A node takes the element in its own place, or else the one with its key.
 * Elements in their own place are never moved, so that they keep the focus.
 */
const patchChildren = (
  parent: Element,
  shown: readonly (VirtualNode | null)[] | undefined,
  nodes: readonly (VirtualNode | null)[],
): void => {
  if (
    shown?.length === 1 &&
    nodes.length === 1 &&
    isTextOrNothing(shown[0]) &&
    isTextOrNothing(nodes[0])
  ) {
    // A browser's translation replaces the text of an element, so a new text must replace all that it contains.
    const [before, text] = [shown[0]?.props.data ?? '', nodes[0]?.props.data ?? '']
    if (before !== text) parent.textContent = `${text}`
    if (nodes[0]) nodes[0].dom = parent.firstChild ?? undefined
    return
  }
  const before = shown ?? readChildren(parent, nodes)
  const matches = nodes.map((node, index) => {
    if (!node || isSame(before[index], node)) return node && before[index]
    return node.key === undefined
      ? null
      : before.find((earlier) => earlier?.child_nodes && isSame(earlier, node))
  })
  for (const one of before) if (!matches.includes(one)) one?.dom?.remove()
  let next: ChildNode | null = null
  for (let index = nodes.length; index--; ) {
    const [node, match] = [nodes[index], matches[index]]
    if (!node) continue
    const dom: ChildNode = match?.dom ? patch(match.dom, match, node) : create(parent, node)
    if (dom !== before[index]?.dom) parent.insertBefore(dom, next)
    next = dom
  }
}

/** Returns the function that shows a node in an element. The first call keeps what the server has rendered there. */
export const createRenderer = (container: Element): ((node: ReactNode) => void) => {
  let shown: (VirtualNode | null)[] | undefined
  return (node) => {
    const nodes = toNodes(node)
    patchChildren(container, shown, nodes)
    shown = nodes
  }
}
