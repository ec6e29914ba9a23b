import type { DOMWindow } from 'jsdom'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'
/** Attribute of open popovers, because jsdom does not know the state. */
export const OPEN_POPOVER = 'data-open-popover'

/** Adds modal dialogs and popovers to a window: they open and close, move the focus and bring it back, and Escape closes them. */
export const addDialogs = (window: DOMWindow): void => {
  const { document } = window
  const style = document.createElement('style')
  style.textContent = `[popover][${OPEN_POPOVER}] { display: block !important }`
  document.head.append(style)
  const modals: { dialog: HTMLDialogElement; before: Element | null }[] = []

  const isClosed = (dialog: HTMLDialogElement): boolean => !dialog.open
  Object.assign(window.HTMLDialogElement.prototype, {
    show(this: HTMLDialogElement) {
      this.setAttribute('open', '')
    },
    showModal(this: HTMLDialogElement) {
      if (!isClosed(this)) return
      modals.push({ dialog: this, before: document.activeElement })
      this.setAttribute('open', '')
      const first =
        this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector<HTMLElement>(FOCUSABLE)
      first?.focus()
    },
    close(this: HTMLDialogElement, value?: string) {
      if (isClosed(this)) return
      this.removeAttribute('open')
      if (value !== undefined) this.returnValue = value
      const place = modals.findIndex(({ dialog }) => dialog === this)
      const [closed] = place === -1 ? [] : modals.splice(place, 1)
      const before = closed?.before
      if (before instanceof window.HTMLElement && before.isConnected) before.focus()
      queueMicrotask(() => this.dispatchEvent(new window.Event('close')))
    },
  })
  const { matches } = window.Element.prototype
  Object.assign(window.Element.prototype, {
    matches(this: Element, selector: string) {
      return matches.call(this, selector.replaceAll(':popover-open', `[${OPEN_POPOVER}]`))
    },
  })
  const toggle = (element: HTMLElement, isOpen: boolean): void => {
    if (element.hasAttribute(OPEN_POPOVER) === isOpen) return
    element.toggleAttribute(OPEN_POPOVER, isOpen)
    const event = new window.Event('toggle')
    Object.assign(event, {
      newState: isOpen ? 'open' : 'closed',
      oldState: isOpen ? 'closed' : 'open',
    })
    queueMicrotask(() => element.dispatchEvent(event))
  }
  Object.assign(window.HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      toggle(this, true)
    },
    hidePopover(this: HTMLElement) {
      toggle(this, false)
    },
    togglePopover(this: HTMLElement) {
      toggle(this, !this.hasAttribute(OPEN_POPOVER))
    },
  })
  listenLast(window, 'keydown', ({ key, target }) => {
    const isPress = key === 'Enter' || key === ' '
    if (isPress && target instanceof window.HTMLElement && target.tagName === 'SUMMARY')
      target.click()
  })
  listenLast(window, 'keydown', ({ key }) => {
    const { dialog } = modals.at(-1) ?? {}
    if (key !== 'Escape' || !dialog) return
    const cancel = new window.Event('cancel', { cancelable: true })
    if (dialog.dispatchEvent(cancel)) dialog.close()
  })
}

/**
 * Listens to events for what browsers do by themselves: after the handlers of the page, also if one of them stopped the
 * event, but not if one of them prevented the default.
 */
export const listenLast = <Name extends 'click' | 'keydown'>(
  window: DOMWindow,
  name: Name,
  act: (event: WindowEventMap[Name]) => void,
): void => {
  const listener = (event: WindowEventMap[Name]): void =>
    queueMicrotask(() => {
      if (!event.defaultPrevented) act(event)
    })
  window.addEventListener(name, listener, { capture: true })
}
