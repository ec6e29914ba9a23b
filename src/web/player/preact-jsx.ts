import { type ComponentType, createElement, Fragment } from 'preact'

/** What `react/jsx-runtime` offers, by way of the one function that Preact has anyway. */
const jsx = <P extends object>(type: ComponentType<P>, props: P, key?: string) =>
  createElement(type, { ...props, key })

export { Fragment, jsx, jsx as jsxs }
