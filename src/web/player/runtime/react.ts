/** Stands in for `react`, its JSX and `react-dom/client` on the visitors' page, with what the player uses of them. */
export { Component } from './component.ts'
export { createElement, createRef, Fragment, jsx, jsx as jsxs } from './element.ts'
export { createRoot, hydrateRoot } from './root.ts'
