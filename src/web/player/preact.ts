import { type ComponentChild, createElement, hydrate, render } from 'preact'

/** The part of `react` and `react-dom/client` that the player uses, provided by Preact for the public page. */
export { createElement, createRef, Fragment } from 'preact'
export {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'

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
