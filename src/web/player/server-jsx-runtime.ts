import type { ElementType, Key, ReactElement, ReactNode } from 'react'
import { jsx as createElement, jsxs as createElementWithList, Fragment } from 'react/jsx-runtime'
import { tiePunctuation } from '#domain/common/french-spacing.ts'

/**
 * The JSX runtime of the player on the server, which renders on React. The runtime writes the markup that
 * `jsx-runtime.ts` keeps in browsers: texts in French typography, without elements of their own. Only the server's
 * markup says that browsers must not restore choices, because the script makes new fields when a visitor comes back.
 */
export { Fragment }

/** Elements whose text is a value or code. Its twin is in french/jsx-runtime.ts. */
const IS_EXACT = /^(?:code|option|pre|textarea|title)$/

type Props = { children?: ReactNode; type?: string; autoComplete?: string }
type Create = (type: ElementType, props: Props, key?: Key) => ReactElement

const tieTexts = (node: ReactNode): ReactNode => {
  if (typeof node === 'string') return tiePunctuation(node)
  return Array.isArray(node) ? node.map(tieTexts) : node
}

/**
 * Returns the attributes of an element, for a radio button or checkbox with the wish not to be restored. Browsers restore
 * choices by position, so that after another publication they would choose another answer.
 */
const withoutRestoration = (type: ElementType, props: Props): Props =>
  type === 'input' && (props.type === 'radio' || props.type === 'checkbox')
    ? { ...props, autoComplete: 'off' }
    : props

/** Ties the texts of HTML elements and fragments. Components pass their children on to elements. */
const withTiedTexts =
  (create: Create): Create =>
  (type, props, key) =>
    'children' in props && (type === Fragment || (typeof type === 'string' && !IS_EXACT.test(type)))
      ? create(type, { ...props, children: tieTexts(props.children) }, key)
      : create(type, withoutRestoration(type, props), key)

export const jsx = withTiedTexts(createElement)
export const jsxs = withTiedTexts(createElementWithList)
