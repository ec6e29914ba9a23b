import type { Component } from './component.ts'
import { type Child, type ComponentType, type Element, isClass, type Props } from './element.ts'
import { findElement, findText, insertNode, type Place, removeNode, removeRest } from './place.ts'
import { listen, setProperties } from './properties.ts'

/** A child as it is shown: its own element or text if it has one, and what it consists of. */
export type Shown = {
  child: Child
  element?: HTMLElement
  text?: Text
  component?: Component
  /** What its element and its component had when it was shown last. */
  props: Props
  state: Props
  parts: Shown[]
}

const isElement = (child: Child): child is Element =>
  typeof child === 'object' && child !== null && 'type' in child
const isText = (child: Child): boolean => typeof child === 'string' || typeof child === 'number'
const isSameKind = (one: Child, other: Child): boolean =>
  isElement(one) && isElement(other)
    ? one.type === other.type && one.key === other.key
    : isElement(one) === isElement(other) && isText(one) === isText(other)

/**
 * Shows children one after another, where `before` is shown by now. Each is compared with the one that had
 * its place: the player's lists keep their order, and what goes leaves its place to nothing.
 */
export const showAll = (place: Place, children: Child[], before: Shown[]): Shown[] => {
  for (const shown of before.slice(children.length)) takeAway(place, shown)
  return children.map((child, index) => show(place, child, before[index]))
}

const takeAway = (place: Place, { element, text, parts }: Shown): void => {
  const node = element ?? text
  if (node) removeNode(place, node)
  else for (const part of parts) takeAway(place, part)
}

const show = (place: Place, child: Child, before?: Shown): Shown => {
  if (before && !isSameKind(before.child, child)) {
    takeAway(place, before)
    return show(place, child)
  }
  const shown = before ?? { child, props: {}, state: {}, parts: [] }
  const said = String(shown.child)
  shown.child = child
  if (isElement(child)) {
    const { type, props } = child
    if (typeof type === 'string') showTag(place, shown, type, props)
    else showComponent(place, shown, type, props)
  } else {
    if (isText(child)) showText(place, shown, { said, data: String(child) })
    shown.parts = showAll(place, Array.isArray(child) ? child : [], shown.parts)
  }
  return shown
}

const showText = (
  place: Place,
  shown: Shown,
  { said, data }: { said: string; data: string },
): void => {
  const text = shown.text ?? findText(place) ?? insertNode(place, new Text())
  // A text that is shown is compared with what it said: a translation may have written into it since.
  const isNew = (shown.text ? said : text.data) !== data
  shown.text = text
  if (isNew) {
    text.data = data
    // A translation had put its own in the place of this text, which says something else by now.
    if (!text.isConnected) place.parent.replaceChildren(text)
  }
  place.at = text.nextSibling
}

const showTag = (place: Place, shown: Shown, tag: string, props: Props): void => {
  const written = shown.element ? undefined : findElement(place, tag)
  const element = shown.element ?? written ?? insertNode(place, document.createElement(tag))
  if (!shown.element) listen(element, props, () => shown.props)
  // What the server wrote has its properties, and what was typed into it since.
  if (!written) setProperties(element, props, shown.props)
  if (props.ref) Object.assign(props.ref, { current: element })
  Object.assign(shown, { element, props })
  const inside = { ...place, parent: element, at: element.firstChild }
  shown.parts = showAll(inside, [props.children], shown.parts)
  // A textarea's text is its own.
  if (written && props.children !== undefined) removeRest(inside)
  place.at = element.nextSibling
}

const showComponent = (place: Place, shown: Shown, type: ComponentType, props: Props): void => {
  if (!isClass(type)) {
    shown.parts = showAll(place, [type(props)], shown.parts)
    return
  }
  const { component: known, props: props_before, state: state_before } = shown
  const component = known ?? new type(props)
  component.props = props
  Object.assign(shown, { component, props, state: component.state })
  shown.parts = showAll(place, [component.render()], shown.parts)
  place.after.push(() =>
    known
      ? component.componentDidUpdate?.(props_before, state_before)
      : component.componentDidMount?.(),
  )
}
