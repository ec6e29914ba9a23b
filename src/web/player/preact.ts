import { type ComponentChild, createElement, hydrate, options, render } from 'preact'
import { tiePunctuation } from '#domain/common/french-spacing.ts'

/** The part of `react` and `react-dom/client` that the player uses, provided by Preact for the public page. */
export { createElement, createRef, Fragment } from 'preact'
export {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'

/** Shows every text in French typography, as `web/french/jsx-runtime.ts` does on React. */
options.vnode = (node: { type: unknown; props: unknown }) => {
  // A node without a type is a text, and its properties are the text itself.
  if (!node.type) node.props = tiePunctuation(`${node.props}`)
}

/** Creates an element for the JSX transform. Preact's own JSX runtime duplicates `createElement` and is larger. */
export const jsx = (type: string, props: object, key?: string) =>
  createElement(type, { ...props, key })
export { jsx as jsxs }

/** Stands for React's `createRoot`. */
export const createRoot = (container: Element) => ({
  render: (child: ComponentChild): void => render(child, container),
})

/** Stands for React's `hydrateRoot`, for markup that the server has rendered. */
export const hydrateRoot = (container: Element, child: ComponentChild) => {
  hydrate(child, container)
  return createRoot(container)
}
