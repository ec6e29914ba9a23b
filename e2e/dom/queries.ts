import { type getByLabelText, queryAllByLabelText, queryAllByRole } from '@testing-library/dom'
import { computeAccessibleName } from 'dom-accessibility-api'

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

/** Returns the elements with a role, in the order of the document. */
export const findByRole = (
  scope: Element,
  role: string,
  { name, exact, includeHidden = false, disabled, ...states }: RoleOptions = {},
): Element[] => {
  const found = queryAllByRole(scope as HTMLElement, role, { ...states, hidden: includeHidden })
  const matches = name === undefined ? () => true : createNameMatcher(name, exact)
  return found.filter(
    (element) =>
      (name === undefined || matches(computeAccessibleName(element))) &&
      (disabled === undefined || element.matches(':disabled') === disabled),
  )
}

/** Returns the elements whose own text matches, without their parents that match for the same text. */
export const findByText = (scope: Element, wanted: TextMatch, exact = false): Element[] => {
  const matches = createMatcher(wanted, exact)
  const found = [...scope.querySelectorAll('*')].filter(
    (element) => !element.matches('script, style, noscript') && matches(textOf(element)),
  )
  return found.filter((element) => ![...element.children].some((child) => matches(textOf(child))))
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
  if (!element.isConnected) return false
  const view = element.ownerDocument.defaultView
  for (let node: Element | null = element; node; node = node.parentElement) {
    if (node.hasAttribute('hidden')) return false
    if (node.tagName === 'DETAILS' && !node.hasAttribute('open') && node !== element) {
      const summary: Element | null = node.querySelector(':scope > summary')
      if (!summary?.contains(element)) return false
    }
    if (node.tagName === 'DIALOG' && !node.hasAttribute('open')) return false
    const { display, visibility } = (view as Window).getComputedStyle(node)
    if (display === 'none' || (node === element && visibility === 'hidden')) return false
  }
  return true
}

/** Returns true if a box, a radio button or a switch is checked. */
export const isChecked = (element: Element): boolean => {
  const { checked } = element as HTMLInputElement
  return checked ?? element.getAttribute('aria-checked') === 'true'
}
