import type { UserEvent } from '@testing-library/user-event'
import {
  chooseFiles,
  chooseOption,
  dispatchOn,
  type FilePayload,
  fillField,
  type OptionChoice,
} from './actions.ts'
import { pressKeys, typeText } from './keyboard.ts'
import {
  createMatcher,
  findByAttribute,
  findByLabel,
  findByRole,
  findByText,
  isChecked,
  isVisible,
  type RoleOptions,
  type TextMatch,
} from './queries.ts'
import { STATE_TIMEOUT_MS, waitFor } from './wait.ts'

type Finder = () => Element[]
type Exact = { exact?: boolean }
type Narrowing = {
  hasText?: TextMatch
  hasNotText?: TextMatch
  has?: DomLocator
  hasNot?: DomLocator
  visible?: boolean
}
type Timeout = { timeout?: number; force?: boolean }
/** Parts of a page that its locators use. */
export type Surface = {
  body: () => Element
  user: () => UserEvent
  /** The page itself. */
  page: unknown
  runInPage: (fn: unknown, ...args: unknown[]) => unknown
}

/** Queries that a page and a locator share. */
export class DomScope {
  readonly surface: Surface
  readonly scopes: Finder
  readonly description: string

  constructor(surface: Surface, scopes: Finder, description: string) {
    this.surface = surface
    this.scopes = scopes
    this.description = description
  }

  #find(description: string, query: (scope: Element) => Element[]): DomLocator {
    const find = (): Element[] => inOrder(this.scopes().flatMap(query))
    return new DomLocator(this.surface, find, `${this.description} ${description}`)
  }

  getByRole(role: string, options: RoleOptions = {}): DomLocator {
    return this.#find(`${role} ${String(options.name ?? '')}`, (scope) =>
      findByRole(scope, role, options),
    )
  }
  getByText(text: TextMatch, { exact = false }: Exact = {}): DomLocator {
    return this.#find(`text ${text}`, (scope) => findByText(scope, text, exact))
  }
  getByLabel(text: TextMatch, { exact = false }: Exact = {}): DomLocator {
    return this.#find(`label ${text}`, (scope) => findByLabel(scope, text, exact))
  }
  getByPlaceholder(text: TextMatch, { exact = false }: Exact = {}): DomLocator {
    return this.#find(`placeholder ${text}`, (scope) =>
      findByAttribute(scope, 'placeholder', text, exact),
    )
  }
  getByTitle(text: TextMatch, { exact = false }: Exact = {}): DomLocator {
    return this.#find(`title ${text}`, (scope) => findByAttribute(scope, 'title', text, exact))
  }
  locator(selector: string | DomLocator, options: Narrowing = {}): DomLocator {
    if (selector instanceof DomLocator) {
      const inner = selector
      return this.#find(inner.description, (scope) =>
        inner.scopes().filter((element) => scope.contains(element)),
      )
    }
    const found = this.#find(selector, (scope) => queryCss(scope, selector))
    return found.filter(options)
  }
}

const queryCss = (scope: Element, selector: string): Element[] => {
  if (selector === '..' || selector === 'xpath=..')
    return scope.parentElement ? [scope.parentElement] : []
  if (selector.startsWith('xpath=')) throw new Error(`The DOM has no ${selector}`)
  return [...scope.querySelectorAll(selector)]
}

/** Returns the elements once each, in the order of the document. */
const inOrder = (elements: Element[]): Element[] => {
  if (elements.length < 2) return elements
  const FOLLOWING = 4
  return [...new Set(elements)].sort((left, right) =>
    (left.compareDocumentPosition(right) & FOLLOWING) !== 0 ? -1 : 1,
  )
}

/** Elements that a query finds at the moment when they are used. */
export class DomLocator extends DomScope {
  #derive(description: string, find: Finder): DomLocator {
    return new DomLocator(this.surface, find, `${this.description} ${description}`)
  }

  first(): DomLocator {
    return this.nth(0)
  }
  last(): DomLocator {
    return this.nth(-1)
  }
  nth(index: number): DomLocator {
    return this.#derive(`nth ${index}`, () =>
      this.scopes().slice(index, index === -1 ? undefined : index + 1),
    )
  }
  filter({ hasText, hasNotText, has, hasNot, visible }: Narrowing): DomLocator {
    const matches = hasText === undefined ? undefined : createMatcher(hasText)
    const matchesNot = hasNotText === undefined ? undefined : createMatcher(hasNotText)
    return this.#derive(`with ${String(hasText ?? has?.description ?? hasNotText ?? '')}`, () =>
      this.scopes().filter(
        (element) =>
          (matches === undefined || matches(element.textContent ?? '')) &&
          (matchesNot === undefined || !matchesNot(element.textContent ?? '')) &&
          (has === undefined ||
            has.scopes().some((inner) => inner !== element && element.contains(inner))) &&
          (hasNot === undefined ||
            !hasNot.scopes().some((inner) => inner !== element && element.contains(inner))) &&
          (visible === undefined || isVisible(element) === visible),
      ),
    )
  }
  or(other: DomLocator): DomLocator {
    return this.#derive(`or ${other.description}`, () =>
      inOrder([...this.scopes(), ...other.scopes()]),
    )
  }
  and(other: DomLocator): DomLocator {
    return this.#derive(`and ${other.description}`, () => {
      const found = new Set(other.scopes())
      return this.scopes().filter((element) => found.has(element))
    })
  }

  /** Returns the only element. Throws if there is none, or more than one. */
  single(): HTMLElement {
    const found = this.scopes()
    if (found.length !== 1)
      throw new Error(`${found.length} elements are « ${this.description.trim()} »`)
    return found[0] as HTMLElement
  }
  #wait({ timeout = STATE_TIMEOUT_MS }: Timeout = {}): Promise<HTMLElement> {
    return waitFor(() => this.single(), timeout)
  }
  /** Waits for the only element, until it is displayed and enabled. */
  #waitUntilUsable({
    timeout = STATE_TIMEOUT_MS,
    force = false,
  }: Timeout = {}): Promise<HTMLElement> {
    return waitFor(() => {
      const element = this.single()
      if (force) return element
      if (!isVisible(element)) throw new Error(`« ${this.description} » is hidden`)
      if (element.closest('[inert]')) throw new Error(`« ${this.description} » is inert`)
      if (element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true')
        throw new Error(`« ${this.description} » is disabled`)
      return element
    }, timeout)
  }

  async click({
    clickCount = 1,
    modifiers = [],
    ...options
  }: Timeout & {
    clickCount?: number
    modifiers?: string[]
    position?: object
    button?: string
  } = {}): Promise<void> {
    const element = await this.#waitUntilUsable(options)
    const user = this.surface.user()
    for (const key of modifiers) await user.keyboard(`{${key}>}`)
    for (let count = 0; count < clickCount; count += 1) await user.click(element)
    for (const key of modifiers) await user.keyboard(`{/${key}}`)
  }
  async dblclick(options: Timeout = {}): Promise<void> {
    await this.surface.user().dblClick(await this.#waitUntilUsable(options))
  }
  async tap(): Promise<void> {
    await this.click()
  }
  async hover(): Promise<void> {
    await this.surface.user().hover(await this.#wait())
  }
  async fill(text: string, options: Timeout = {}): Promise<void> {
    fillField(await this.#waitUntilUsable(options), text)
  }
  async clear(): Promise<void> {
    await this.fill('')
  }
  async press(keys: string): Promise<void> {
    await this.focus()
    await pressKeys(this.surface.user(), keys)
  }
  async pressSequentially(text: string): Promise<void> {
    await this.focus()
    await typeText(this.surface.user(), text)
  }
  async check(options: Timeout = {}): Promise<void> {
    await this.setChecked(true, options)
  }
  async uncheck(options: Timeout = {}): Promise<void> {
    await this.setChecked(false, options)
  }
  async setChecked(isWanted: boolean, options: Timeout = {}): Promise<void> {
    const element = await this.#waitUntilUsable(options)
    if (isChecked(element) !== isWanted) await this.surface.user().click(element)
    await waitFor(() => {
      if (isChecked(this.single()) !== isWanted)
        throw new Error(`« ${this.description} » does not change`)
    })
  }
  async selectOption(choice: OptionChoice): Promise<void> {
    await chooseOption(this.surface.user(), await this.#waitUntilUsable(), choice)
  }
  async setInputFiles(files: FilePayload | FilePayload[]): Promise<void> {
    await chooseFiles(this.surface.user(), await this.#wait(), files)
  }
  async focus(): Promise<void> {
    ;(await this.#wait()).focus()
  }
  async blur(): Promise<void> {
    ;(await this.#wait()).blur()
  }
  async dispatchEvent(type: string, init?: EventInit): Promise<void> {
    dispatchOn(await this.#wait(), type, init)
  }
  async scrollIntoViewIfNeeded(): Promise<void> {
    await this.#wait()
  }
  async waitFor({
    state = 'visible',
  }: {
    state?: 'visible' | 'hidden' | 'attached' | 'detached'
  } = {}): Promise<void> {
    await waitFor(() => {
      const found = this.scopes()
      const isThere =
        state === 'attached' || state === 'detached' ? found.length > 0 : found.some(isVisible)
      if (isThere !== (state === 'visible' || state === 'attached'))
        throw new Error(`« ${this.description} » is not ${state}`)
    })
  }

  page(): unknown {
    return this.surface.page
  }
  async isEnabled(): Promise<boolean> {
    return !(await this.#wait()).matches(':disabled, [aria-disabled="true"]')
  }
  async count(): Promise<number> {
    return this.scopes().length
  }
  async all(): Promise<DomLocator[]> {
    return this.scopes().map((_, index) => this.nth(index))
  }
  async textContent(): Promise<string | null> {
    return (await this.#wait()).textContent
  }
  async allTextContents(): Promise<string[]> {
    return this.scopes().map(({ textContent }) => textContent ?? '')
  }
  async allInnerTexts(): Promise<string[]> {
    return this.allTextContents()
  }
  async getAttribute(name: string): Promise<string | null> {
    return (await this.#wait()).getAttribute(name)
  }
  async inputValue(): Promise<string> {
    return ((await this.#wait()) as HTMLInputElement).value
  }
  async evaluate(fn: unknown, argument?: unknown): Promise<unknown> {
    return this.surface.runInPage(fn, await this.#wait(), argument)
  }
  async evaluateAll(fn: unknown, argument?: unknown): Promise<unknown> {
    return this.surface.runInPage(fn, this.scopes(), argument)
  }
}
