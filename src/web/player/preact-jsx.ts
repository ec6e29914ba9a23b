import { type ComponentType, createElement, Fragment } from 'preact'

type Props = Record<string, unknown>

/** What JSX becomes for visitors: Preact's own runtime writes the same a second time. */
const jsx = (type: ComponentType<Props>, props: Props, key?: string | number) =>
  createElement(type, key === undefined ? props : { ...props, key })

export { Fragment, jsx, jsx as jsxs }
