import { type ComponentType, createElement, Fragment } from 'preact'

export { Fragment }

/** What `react/jsx-runtime` offers, by way of the one function that Preact has anyway. */
export const jsx = <P extends object>(type: ComponentType<P>, props: P, key?: string) =>
  createElement(type, key === undefined ? props : { ...props, key })

export const jsxs = jsx
