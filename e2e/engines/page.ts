import assert from 'node:assert/strict'
import { poll } from './drivers/child-process.ts'
import type { InputSource, Tab } from './drivers/tab.ts'

/** Elements of a page: a CSS selector, and optionally their accessible name. */
export type Target = { css: string; name?: string }

export const button = (name: string): Target => ({ css: 'button, [role="button"]', name })
export const menuItem = (name: string): Target => ({ css: '[role="menuitem"]', name })
export const field = (name: string): Target => ({ css: 'input, textarea, select', name })
export const heading = (name: string): Target => ({ css: 'h1, h2, h3', name })

/** Code points that WebDriver assigns to keys without a character. */
export const KEYS = {
  Backspace: '\uE003',
  Enter: '\uE007',
  Alt: '\uE00A',
  ArrowUp: '\uE013',
  ArrowDown: '\uE015',
}

/** The visible state of an element and the point to press. */
type ElementState = {
  id: string
  value: string
  text: string
  is_focused: boolean
  is_checked: boolean
  is_disabled: boolean
  /** Centre of the element. */
  x: number
  y: number
  width: number
  height: number
  /** True if a press on the centre reaches the element or its label. */
  is_reachable: boolean
}

/** Returns the states of all matching visible elements. Runs in the page, so that it uses no other function. */
const readElements = ({ css, name }: Target, scrolls: boolean): ElementState[] => {
  const normalize = (text: string | null | undefined): string =>
    (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const labelsOf = (element: Element): Element[] => [
    ...((element as HTMLInputElement).labels ?? []),
    ...(element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((label) => label !== null),
  ]
  const nameOf = (element: Element): string => {
    const labels = labelsOf(element)
    const shown = labels.length > 0 ? labels : [element]
    return normalize(
      element.getAttribute('aria-label') ?? shown.map((label) => label.textContent).join(' '),
    )
  }
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  return [...document.querySelectorAll(css)]
    .filter((element) => isShown(element) && (name === undefined || nameOf(element) === name))
    .map((element) => {
      if (scrolls) element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
      const hit = document.elementFromPoint(x, y)
      const { value = '', checked = false, disabled = false } = element as HTMLInputElement
      return {
        id: element.id,
        value,
        text: normalize(element.textContent),
        x,
        y,
        width,
        height,
        is_focused: document.activeElement === element,
        is_checked: checked,
        is_disabled: disabled || element.getAttribute('aria-disabled') === 'true',
        is_reachable: [element, ...labelsOf(element)].some((part) => part.contains(hit)),
      }
    })
}

/** Sets the value of the focused field. Runs in the page. */
const setValue = (value: string): void => {
  const element = document.activeElement as HTMLInputElement
  element.value = value
  for (const name of ['input', 'change']) element.dispatchEvent(new Event(name, { bubbles: true }))
}

/** Clicks the first visible element, or sets its value. Runs in the page. */
const useElement = ({ css, name }: Target, value: string | null): void => {
  const normalize = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
  const nameOf = (element: Element): string =>
    element.getAttribute('aria-label') ??
    ([...((element as HTMLInputElement).labels ?? [])]
      .map((label) => label.textContent)
      .join(' ') ||
      element.textContent)
  const element = [...document.querySelectorAll<HTMLInputElement>(css)].find(
    (found) =>
      found.getClientRects().length > 0 &&
      (name === undefined || normalize(nameOf(found)) === name),
  )
  if (!element) return
  if (value === null) {
    element.click()
    return
  }
  element.value = value
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
}

const selectText = (): void => {
  const { activeElement } = document
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement)
    activeElement.select()
}

/** Steps of a person on a page. Each waits until the page allows it. */
export const createPage = (tab: Tab) => {
  /** Calls a function in the page. Arguments and result are copied as JSON. */
  const evaluate = async <Args extends unknown[], T>(
    run: (...args: Args) => T,
    ...args: Args
  ): Promise<T> =>
    JSON.parse(await tab.evaluate(`JSON.stringify((${run})(...${JSON.stringify(args)}) ?? null)`))

  const print = ({ css, name }: Target): string =>
    name === undefined ? css : `« ${name} » (${css})`

  /** Waits for exactly one visible element that fulfils a condition. */
  const waitFor = async (
    target: Target,
    condition: (state: ElementState) => boolean = () => true,
    { scrolls = false } = {},
  ): Promise<ElementState> => {
    let states: ElementState[] = []
    return poll(
      async () => {
        states = await evaluate(readElements, target, scrolls)
        const [state] = states
        return states.length === 1 && state && condition(state) ? state : undefined
      },
      () => `${print(target)} did not get the expected state: ${JSON.stringify(states)}`,
    )
  }

  /** Waits until an element rests and takes presses. */
  const waitUntilPressable = (target: Target): Promise<ElementState> => {
    let last: ElementState | undefined
    return waitFor(
      target,
      (now) => {
        const rests = last?.x === now.x && last.y === now.y
        last = now
        return rests && now.is_reachable && !now.is_disabled
      },
      { scrolls: true },
    )
  }

  const pressAt = (x: number, y: number): Promise<void> =>
    tab.act({
      type: 'pointer',
      id: tab.pointer,
      parameters: { pointerType: tab.pointer },
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })

  const click = async (target: Target): Promise<void> => {
    const { x, y } = await waitUntilPressable(target)
    await pressAt(x, y)
  }

  const type = (text: string): Promise<void> => tab.act(typing(text))
  /** Presses keys together. */
  const press = (...keys: string[]): Promise<void> => tab.act(chord(keys))

  return {
    evaluate,
    waitFor,
    click,
    type,
    press,
    pressAt,
    open: tab.open,
    /** Returns the tab of the first frame; its page presses elements with `use`, because pointers act on the window. */
    enterFrame: tab.enterFrame,
    /** Clicks an element by script, or sets its value. */
    use: async (target: Target, value: string | null = null): Promise<void> => {
      await waitFor(target, ({ is_disabled }) => !is_disabled)
      await evaluate(useElement, target, value)
    },
    reload: tab.reload,
    goBack: tab.goBack,

    /** Replaces the text of a field by typing. */
    fill: async (target: Target, text: string): Promise<void> => {
      await click(target)
      await waitFor(target, ({ is_focused }) => is_focused)
      await evaluate(selectText)
      await type(text)
      await waitFor(target, ({ value }) => value === text)
    },

    /** Waits until no such element is visible. */
    waitUntilNone: (target: Target): Promise<true> =>
      poll(
        async () => ((await evaluate(readElements, target, false)).length === 0 ? true : undefined),
        () => `${print(target)} is still visible`,
      ),

    /** Picks a value as the calendar of a date field does. Keys depend on the language of the browser. */
    pick: async (target: Target, value: string): Promise<void> => {
      await click(target)
      await waitFor(target, ({ is_focused }) => is_focused)
      await evaluate(setValue, value)
    },

    expectText: (text: string): Promise<true> => {
      let shown = ''
      return poll(
        async () => {
          // A page that has just been opened has no body yet.
          // biome-ignore lint/performance/useDomNodeTextContent: `innerText` leaves out hidden text
          shown = await evaluate(() => (document.body?.innerText ?? '').replaceAll(/\s+/g, ' '))
          return shown.includes(text) ? true : undefined
        },
        () => `« ${text} » is not on the page: ${shown}`,
      )
    },

    expectPath: (pattern: RegExp): Promise<string> => {
      let path = ''
      return poll(
        async () => {
          path = await evaluate(() => location.pathname)
          return pattern.test(path) ? path : undefined
        },
        () => `The address is ${path}, not ${pattern}`,
      )
    },

    expectNoErrors: (): void => assert.deepEqual(tab.readErrors(), []),
  }
}

export type Page = ReturnType<typeof createPage>

/** Returns the key actions of a text, one character after another. */
const typing = (text: string): InputSource => ({
  type: 'key',
  id: 'keyboard',
  actions: [...text.replaceAll('\n', KEYS.Enter)].flatMap((value) => [
    { type: 'keyDown' as const, value },
    { type: 'keyUp' as const, value },
  ]),
})

/** Returns the key actions of keys that are pressed together. */
const chord = (keys: string[]): InputSource => ({
  type: 'key',
  id: 'keyboard',
  actions: [
    ...keys.map((value) => ({ type: 'keyDown' as const, value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
  ],
})
