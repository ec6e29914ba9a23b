import { type ComponentChild, createElement, hydrate, render } from 'preact'

/** The part of `react` and `react-dom/client` that the player uses, from Preact: the public page is built on it. */
export { createElement, createRef, Fragment } from 'preact'
export {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'

/** Creates an element as the JSX transform asks for it. Preact's own runtime repeats `createElement` and weighs more. */
export const jsx = (type: string, props: object, key?: string) =>
  createElement(type, { ...props, key })
export { jsx as jsxs }

/** React's `createRoot`. */
export const createRoot = (container: Element) => ({
  render: (child: ComponentChild): void => render(child, container),
})

/** React's `hydrateRoot`, for markup that the server has rendered. */
export const hydrateRoot = (container: Element, child: ComponentChild) => {
  hydrate(child, container)
  return createRoot(container)
}
