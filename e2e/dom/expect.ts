import { isDeepStrictEqual } from 'node:util'
import type { DomLocator } from './locator.ts'
import type { DomPage } from './page.ts'
import { descriptionOf, isChecked, isVisible, nameOf, normalizeSpace } from './queries.ts'
import { STATE_TIMEOUT_MS, waitFor } from './wait.ts'

type Options = { timeout?: number; ignoreCase?: boolean; message?: string }
type Wanted = string | RegExp
type WantedAddress = Wanted | ((url: URL) => boolean)
/** Returns true if the state has come. `seen` is shown if it never comes. */
type Check = () => { isMet: boolean; seen: unknown }

const textOf = (element: Element): string => normalizeSpace(element.textContent ?? '')

const matchesText = (wanted: Wanted, isWhole: boolean): ((text: string) => boolean) => {
  if (wanted instanceof RegExp) return (text) => new RegExp(wanted).test(text)
  const expected = normalizeSpace(wanted)
  return (text) => (isWhole ? text === expected : text.includes(expected))
}

/**
 * Compares texts of elements with a list, as Playwright does: `isWhole` compares one by one, otherwise each text of the list
 * is part of an element, in this order.
 */
const matchesAll = (texts: string[], wanted: readonly Wanted[], isWhole: boolean): boolean => {
  if (isWhole)
    return (
      texts.length === wanted.length &&
      wanted.every((text, place) => matchesText(text, true)(texts[place] ?? ''))
    )
  let from = 0
  return wanted.every((text) => {
    const matches = matchesText(text, false)
    const place = texts.findIndex((seen, index) => index >= from && matches(seen))
    from = place + 1
    return place !== -1
  })
}

const single = (locator: DomLocator): HTMLElement => locator.single()

/** Checks of the only element of a locator. An absent element meets none of them. */
const elementChecks = {
  toHaveText: (element: Element, wanted: Wanted) => ({
    isMet: matchesText(wanted, true)(textOf(element)),
    seen: textOf(element),
  }),
  toContainText: (element: Element, wanted: Wanted) => ({
    isMet: matchesText(wanted, false)(textOf(element)),
    seen: textOf(element),
  }),
  toHaveValue: (element: Element, wanted: Wanted) => {
    const { value } = element as HTMLInputElement
    return { isMet: wanted instanceof RegExp ? wanted.test(value) : value === wanted, seen: value }
  },
  toHaveAttribute: (element: Element, name: string, wanted?: Wanted) => {
    const seen = element.getAttribute(name)
    const isMet = wanted === undefined ? seen !== null : seen !== null && createWhole(wanted)(seen)
    return { isMet, seen }
  },
  toHaveClass: (element: Element, wanted: Wanted) => ({
    isMet: createWhole(wanted)(element.className),
    seen: element.className,
  }),
  toHaveId: (element: Element, wanted: Wanted) => ({
    isMet: createWhole(wanted)(element.id),
    seen: element.id,
  }),
  toHaveJSProperty: (element: Element, name: string, wanted: unknown) => {
    const seen = (element as unknown as Record<string, unknown>)[name]
    return { isMet: isDeepStrictEqual(seen, wanted), seen }
  },
  toHaveAccessibleName: (element: Element, wanted: Wanted) => {
    const seen = normalizeSpace(nameOf(element))
    return { isMet: createWhole(wanted)(seen), seen }
  },
  toHaveAccessibleDescription: (element: Element, wanted: Wanted) => {
    const seen = normalizeSpace(descriptionOf(element))
    return { isMet: createWhole(wanted)(seen), seen }
  },
  toBeChecked: (element: Element, { checked = true }: { checked?: boolean } = {}) => ({
    isMet: isChecked(element) === checked,
    seen: isChecked(element),
  }),
  toBeDisabled: (element: Element) => ({ isMet: isDisabled(element), seen: 'enabled' }),
  toBeEnabled: (element: Element) => ({ isMet: !isDisabled(element), seen: 'disabled' }),
  toBeEditable: (element: Element) => ({
    isMet: !isDisabled(element) && !element.hasAttribute('readonly'),
    seen: 'not editable',
  }),
  toBeFocused: (element: Element) => ({
    isMet: element.ownerDocument.activeElement === element,
    seen: describeElement(element.ownerDocument.activeElement),
  }),
  toBeEmpty: (element: Element) => ({
    isMet: textOf(element) === '' && !(element as HTMLInputElement).value,
    seen: textOf(element),
  }),
  toHaveRole: (element: Element, role: string) => ({
    isMet: element.getAttribute('role') === role,
    seen: element.getAttribute('role'),
  }),
}

const createWhole = (wanted: Wanted): ((text: string) => boolean) =>
  wanted instanceof RegExp ? (text) => new RegExp(wanted).test(text) : (text) => text === wanted

const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null

const describeElement = (element: Element | null): string =>
  element
    ? `${element.tagName.toLowerCase()} « ${nameOf(element) || textOf(element).slice(0, 60)} »`
    : 'nothing'

/** Checks of all elements of a locator, or of none. */
const locatorChecks = {
  toHaveCount: (locator: DomLocator, count: number) => ({
    isMet: locator.scopes().length === count,
    seen: locator.scopes().length,
  }),
  toBeVisible: (locator: DomLocator, { visible = true }: { visible?: boolean } = {}) => {
    const found = locator.scopes()
    if (found.length > 1) single(locator)
    return {
      isMet: found.some(isVisible) === visible,
      seen: found.length === 0 ? 'absent' : 'hidden',
    }
  },
  // A DOM without layout has everything in view; Chromium tells where things are.
  toBeInViewport: (locator: DomLocator) => ({
    isMet: locator.scopes().some(isVisible),
    seen: 'hidden',
  }),
  toBeHidden: (locator: DomLocator) => ({
    isMet: !locator.scopes().some(isVisible),
    seen: 'visible',
  }),
  toBeAttached: (locator: DomLocator, { attached = true }: { attached?: boolean } = {}) => ({
    isMet: locator.scopes().length > 0 === attached,
    seen: `${locator.scopes().length} elements`,
  }),
}

/** Waits until a check is met, or with `isNegated` until it is not met. */
const waitUntil = (
  check: Check,
  {
    name,
    isNegated,
    timeout = STATE_TIMEOUT_MS,
  }: { name: string; isNegated: boolean; timeout?: number | undefined },
): Promise<void> =>
  waitFor(() => {
    const { isMet, seen } = check()
    if (isMet === isNegated) throw new Error(`${name}: saw ${JSON.stringify(seen) ?? seen}`)
  }, timeout)

const optionsIn = (given: readonly unknown[]): Options => {
  const last = given.at(-1)
  return last !== null &&
    typeof last === 'object' &&
    !(last instanceof RegExp) &&
    !Array.isArray(last)
    ? (last as Options)
    : {}
}

type Assertion = (...given: unknown[]) => Promise<void>

const assertionsOf = (locator: DomLocator, isNegated: boolean): Record<string, Assertion> => {
  const assertions: Record<string, Assertion> = {}
  for (const [name, check] of Object.entries(locatorChecks) as [
    string,
    (locator: DomLocator, ...given: unknown[]) => ReturnType<Check>,
  ][])
    assertions[name] = (...given) =>
      waitUntil(() => check(locator, ...given), {
        name: `${locator.description} ${name} ${given[0] ?? ''}`,
        isNegated,
        timeout: optionsIn(given).timeout,
      })
  for (const [name, check] of Object.entries(elementChecks) as [
    string,
    (element: Element, ...given: unknown[]) => ReturnType<Check>,
  ][])
    assertions[name] = (...given) => {
      const look = (): ReturnType<Check> => {
        const [wanted] = given
        if (Array.isArray(wanted)) {
          const texts = locator.scopes().map(textOf)
          return {
            isMet: matchesAll(texts, wanted as Wanted[], name === 'toHaveText'),
            seen: texts,
          }
        }
        return check(single(locator), ...given)
      }
      return waitUntil(look, {
        name: `${locator.description} ${name} ${String(given[0] ?? '')}`,
        isNegated,
        timeout: optionsIn(given).timeout,
      })
    }
  return assertions
}

/** Assertions of a locator, with their negations. */
export const expectLocator = (locator: DomLocator): unknown => ({
  ...assertionsOf(locator, false),
  not: assertionsOf(locator, true),
})

const isAddress = (wanted: WantedAddress, seen: string): boolean => {
  if (typeof wanted === 'function') return wanted(new URL(seen))
  return wanted instanceof RegExp ? wanted.test(seen) : seen === new URL(wanted, seen).href
}

const pageAssertions = (page: DomPage, isNegated: boolean) => ({
  toHaveURL: (wanted: WantedAddress, { timeout }: Options = {}) =>
    waitUntil(
      () => {
        const seen = page.url()
        return { isMet: isAddress(wanted, seen), seen }
      },
      { name: `URL ${wanted}`, isNegated, timeout },
    ),
  toHaveTitle: (wanted: Wanted, { timeout }: Options = {}) =>
    waitUntil(
      () => ({ isMet: createWhole(wanted)(page.document().title), seen: page.document().title }),
      { name: `title ${wanted}`, isNegated, timeout },
    ),
})

/** Assertions of a page, with their negations. */
export const expectPage = (page: DomPage): unknown => ({
  ...pageAssertions(page, false),
  not: pageAssertions(page, true),
})
