import { type ComponentChild, hydrate, render } from 'preact'

/** What the player uses of `react` and `react-dom/client`, from Preact: the visitors' page is built on it. */
export { createElement, createRef, Fragment } from 'preact'
export {
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'

/** React's root of a page, which may be rendered again. */
export const createRoot = (container: Element) => ({
  render: (child: ComponentChild): void => render(child, container),
})

/** The root of a page whose markup the server wrote. */
export const hydrateRoot = (container: Element, child: ComponentChild) => {
  hydrate(child, container)
  return createRoot(container)
}
