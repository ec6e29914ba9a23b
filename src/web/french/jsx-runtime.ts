import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import { jsx as createElement, jsxs as createElementWithList, Fragment } from 'react/jsx-runtime'
import { tiePunctuation } from '#domain/common/french-spacing.ts'

/**
 * The JSX runtime of all screens (`jsxImportSource` in tsconfig.json). The text inside elements is shown in French
 * typography, so that texts in the source and in the data keep plain spaces.
 */
export type { JSX } from 'react/jsx-runtime'
export { Fragment }

/** Elements whose text is a value or code. */
const IS_EXACT = /^(?:code|option|pre|textarea|title)$/

type Props = { children?: ReactNode }
type Create = (type: ElementType, props: Props, key?: Key) => ReactElement

const tieTexts = (node: ReactNode): ReactNode => {
  if (typeof node === 'string') return tiePunctuation(node)
  return Array.isArray(node) ? node.map(tieTexts) : node
}

/** Ties the texts of HTML elements and fragments. Components pass their children on to elements. */
const withTiedTexts =
  (create: Create): Create =>
  (type, props, key) =>
    // An element without children must not get the property, because libraries add their own.
    'children' in props && (type === Fragment || (typeof type === 'string' && !IS_EXACT.test(type)))
      ? create(type, { ...props, children: tieTexts(props.children) }, key)
      : create(type, props, key)

export const jsx = withTiedTexts(createElement)
export const jsxs = withTiedTexts(createElementWithList)
