import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import { jsx as createElement, jsxs as createElementWithList, Fragment } from 'react/jsx-runtime'
import { tiePunctuation } from '#domain/common/french-spacing.ts'

/**
 * The JSX runtime of all screens (`jsxImportSource` in tsconfig.json). The text inside elements is shown in French
 * typography, so that texts in the source and in the data keep plain spaces. Each text is alone in its element, because
 * a browser's translation moves text nodes: React then replaces the whole content of the element.
 */
export type { JSX } from 'react/jsx-runtime'
export { Fragment }

/** Elements whose text is a value or code. Its twin is in player/server-jsx-runtime.ts. */
const IS_EXACT = /^(?:code|option|pre|textarea|title)$/

/** Name of the element around a text that has siblings. */
const TEXT_ELEMENT = 'q-t' as ElementType

type Props = { children?: ReactNode }
type Create = (type: ElementType, props: Props, key?: Key) => ReactElement
type Text = string | number
type Tie = (text: string) => string

const isText = (node: unknown): node is Text => typeof node === 'string' || typeof node === 'number'

const isNothing = (node: unknown): boolean => node == null || typeof node === 'boolean'

const hasText = (node: unknown): boolean =>
  isText(node) || (Array.isArray(node) && node.some(hasText))

const isOnlyText = (node: unknown): boolean =>
  isText(node) || isNothing(node) || (Array.isArray(node) && node.every(isOnlyText))

/** Returns the text in an element of its own; white space stays as it is, because no translation moves it. */
export const wrapText = (text: string, key?: Key): ReactNode =>
  text.trim() ? createElement(TEXT_ELEMENT, { children: text }, key) : text

/** Joins adjacent texts of a list and wraps them. All other children keep their places in the list. */
const wrapTexts = (children: readonly ReactNode[], tie: Tie): ReactNode => {
  const list: ReactNode[] = []
  let start = -1
  for (const [index, child] of children.entries())
    if (isText(child) && start >= 0) {
      list[start] = `${list[start]}${child}`
      list.push(null)
    } else {
      if (isText(child)) start = index
      else if (!isNothing(child)) start = -1
      list.push(isText(child) ? `${child}` : separateTexts(child, tie, true))
    }
  return list.map((child, index) =>
    typeof child === 'string' ? wrapText(tie(child), `text ${index}`) : child,
  )
}

/** Returns children of which each text is alone in its element; `has_siblings` is true if they may not be alone. */
const separateTexts = (children: ReactNode, tie: Tie, has_siblings = false): ReactNode => {
  if (!Array.isArray(children) || !hasText(children)) return children
  if (!isOnlyText(children)) return wrapTexts(children, tie)
  const text = children.flat(Number.POSITIVE_INFINITY).filter(isText).join('')
  return has_siblings ? wrapText(tie(text)) : text
}

const keepText: Tie = (text) => text

/** Ties and separates the texts of elements. A component passes its only text on to an element. */
const withOwnTexts =
  (create: Create): Create =>
  (type, props, key) => {
    // An element without children must not get the property, because libraries add their own.
    if (!('children' in props)) return create(type, props, key)
    const tie = typeof type === 'string' && IS_EXACT.test(type) ? keepText : tiePunctuation
    let children = separateTexts(props.children, tie)
    if (typeof type === 'string' && typeof children === 'string') children = tie(children)
    if (type === Fragment && isText(children)) children = wrapText(tie(`${children}`))
    // React warns of a list that is no list.
    const createPart = Array.isArray(children) ? create : createElement
    return createPart(type, { ...props, children }, key)
  }

export const jsx = withOwnTexts(createElement)
export const jsxs = withOwnTexts(createElementWithList)
