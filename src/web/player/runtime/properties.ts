import type { Props } from './element.ts'

const EVENT = /^on([A-Z][a-z]+)(Capture)?$/
/** What concerns an element and is no property of its node. */
const APART = /^(children|ref|on[A-Z].*)$/

/** Calls the handlers that the props have by the time of an event. */
export const listen = (node: Node, props: Props, propsNow: () => Props): void => {
  for (const name in props) {
    const [, event, capture] = EVENT.exec(name) ?? []
    const call = (happened: Event): void => {
      const handler = propsNow()[name]
      if (typeof handler === 'function') handler(happened)
    }
    if (event && props[name]) node.addEventListener(event.toLowerCase(), call, !!capture)
  }
}

/**
 * Gives a node what is new in its props: by the property of a name where there is one, else by an attribute,
 * which undefined takes away.
 */
export const setProperties = (node: HTMLElement, props: Props, before: Props): void => {
  for (const name in props) {
    const value = props[name]
    if (value === before[name] || APART.test(name)) continue
    if (name in node) Object.assign(node, { [name]: value })
    else if (value === undefined) node.removeAttribute(name)
    else node.setAttribute(name, String(value))
  }
}
