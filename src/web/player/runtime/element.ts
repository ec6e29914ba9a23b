import { Component } from './component.ts'

export type Props = Record<string, unknown> & { children?: Child }
type ComponentClass = new (props: Props) => Component
export type ComponentType = ComponentClass | ((props: Props) => Child)

/** An element as JSX describes it: of a tag or of a component. */
export type Element = {
  type: string | ComponentType
  props: Props
  key?: string | undefined
}

/** Whatever may stand in JSX; null, undefined and booleans show nothing. */
export type Child = Element | string | number | boolean | null | undefined | Child[]

/** What compiled JSX calls; the children stand among the props. */
export const jsx = (type: Element['type'], props: Props, key?: string): Element => ({
  type,
  props,
  key,
})

/** React's way to an element without JSX. */
export const createElement = (
  type: Element['type'],
  props: (Props & { key?: string | undefined }) | null,
  ...children: Child[]
): Element => {
  const { key, ...own } = props ?? {}
  return jsx(type, { ...own, children }, key)
}

/** A part that is nothing but its children. */
export const Fragment = ({ children }: Props): Child => children

/** Where an element is found once it is shown. */
export const createRef = (): { current: unknown } => ({ current: null })

/** Whether a component keeps a state. */
export const isClass = (type: ComponentType): type is ComponentClass =>
  type.prototype instanceof Component
