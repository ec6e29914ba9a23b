import { type getByLabelText, queryAllByLabelText, queryAllByRole } from '@testing-library/dom'
import { computeAccessibleDescription, computeAccessibleName } from 'dom-accessibility-api'
import { OPEN_POPOVER } from './dialogs.ts'

export type TextMatch = string | RegExp
export type RoleOptions = {
  name?: TextMatch
  exact?: boolean
  level?: number
  expanded?: boolean
  pressed?: boolean
  selected?: boolean
  checked?: boolean
  disabled?: boolean
  includeHidden?: boolean
}

/** Returns a text with single spaces, as Playwright compares texts. */
export const normalizeSpace = (text: string): string =>
  text.replaceAll('\u200B', '').replaceAll(/\s+/g, ' ').trim()

/** Creates the comparison of Playwright: without `exact`, a string matches any part of a text in any case. */
export const createMatcher = (wanted: TextMatch, exact = false): ((text: string) => boolean) => {
  if (wanted instanceof RegExp) return (text) => new RegExp(wanted).test(text)
  const expected = normalizeSpace(wanted)
  if (exact) return (text) => normalizeSpace(text) === expected
  const lower = expected.toLowerCase()
  return (text) => normalizeSpace(text).toLowerCase().includes(lower)
}

/**
 * Creates the comparison of accessible names. Spaces do not count in strings, because a DOM without layout does not know
 * which parts of a name stand apart.
 */
const createNameMatcher = (wanted: TextMatch, exact = false): ((name: string) => boolean) => {
  if (wanted instanceof RegExp) return createMatcher(wanted)
  const matches = createMatcher(withoutSpaces(wanted), exact)
  return (name) => matches(withoutSpaces(name))
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '')

/**
 * Computes styles from attributes alone. The styles of jsdom cost a hundred times as much, and the DOM of journeys has no
 * stylesheet that hides anything.
 */
const inlineStyle = (element: Element): CSSStyleDeclaration => (element as HTMLElement).style
const NAMING = { computedStyleSupportsPseudoElements: false, getComputedStyle: inlineStyle }

export const nameOf = (element: Element): string => computeAccessibleName(element, NAMING)
export const descriptionOf = (element: Element): string =>
  computeAccessibleDescription(element, NAMING)

/** Returns the elements with a role, in the order of the document. */
export const findByRole = (
  scope: Element,
  role: string,
  { name, exact, includeHidden = false, disabled, ...states }: RoleOptions = {},
): Element[] => {
  const found = queryAllByRole(scope as HTMLElement, role, { ...states, hidden: true })
  const matches = name === undefined ? () => true : createNameMatcher(name, exact)
  return found.filter(
    (element) =>
      (includeHidden || isAccessible(element)) &&
      (name === undefined || matches(nameOf(element))) &&
      (disabled === undefined || element.matches(':disabled') === disabled),
  )
}

/** Returns true if assistive technology can reach the element. */
const isAccessible = (element: Element): boolean =>
  element.closest('[aria-hidden="true"]') === null && isVisible(element)

/** Returns the elements whose own text matches, without their parents that match for the same text. */
export const findByText = (scope: Element, wanted: TextMatch, exact = false): Element[] => {
  const matches = createMatcher(wanted, exact)
  // An element holds the texts of its children, so that one without the wanted text needs no further look.
  const mayHold = typeof wanted === 'string' ? createMatcher(wanted) : () => true
  const collect = (element: Element): Element[] => {
    if (element.matches('script, style, noscript')) return []
    const text = textOf(element)
    if (!mayHold(text)) return []
    const inner = [...element.children].flatMap(collect)
    const isOwn = matches(text) && ![...element.children].some((child) => matches(textOf(child)))
    return isOwn ? [element, ...inner] : inner
  }
  // As in Playwright, the scope itself may be the match.
  return collect(scope)
}

const textOf = (element: Element): string =>
  element instanceof
    (element.ownerDocument.defaultView as unknown as typeof globalThis).HTMLInputElement &&
  ['submit', 'button'].includes(element.type)
    ? element.value
    : (element.textContent ?? '')

/** Returns the elements with a label whose text matches. */
export const findByLabel = (scope: Element, wanted: TextMatch, exact = false): Element[] => {
  const matches = createMatcher(wanted, exact)
  return queryAllByLabelText(scope as HTMLElement, (text) => matches(text), {
    ignore: false,
  } as Parameters<typeof getByLabelText>[2])
}

/** Returns the elements whose attribute matches. */
export const findByAttribute = (
  scope: Element,
  attribute: string,
  wanted: TextMatch,
  exact = false,
): Element[] => {
  const matches = createMatcher(wanted, exact)
  return [...scope.querySelectorAll(`[${attribute}]`)].filter((element) =>
    matches(element.getAttribute(attribute) ?? ''),
  )
}

/** Returns true if the element and its ancestors are displayed, as far as attributes and inline styles say. */
export const isVisible = (element: Element): boolean => {
  if (!element.isConnected || inlineStyle(element).visibility === 'hidden') return false
  for (let node: Element | null = element; node; node = node.parentElement) {
    if (node.hasAttribute('hidden') || inlineStyle(node).display === 'none') return false
    if (node.hasAttribute('popover') && !node.hasAttribute(OPEN_POPOVER)) return false
    if (node.tagName === 'DETAILS' && !node.hasAttribute('open') && node !== element) {
      const summary: Element | null = node.querySelector(':scope > summary')
      if (!summary?.contains(element)) return false
    }
    if (node.tagName === 'DIALOG' && !node.hasAttribute('open')) return false
    if (node.tagName === 'TEMPLATE') return false
  }
  return true
}

/** Returns true if a box, a radio button or a switch is checked. */
export const isChecked = (element: Element): boolean => {
  const { checked } = element as HTMLInputElement
  return checked ?? element.getAttribute('aria-checked') === 'true'
}
