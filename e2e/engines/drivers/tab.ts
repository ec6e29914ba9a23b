/** Sizes of the browser's window, in CSS pixels. MiniBrowser cannot be narrower than 447 pixels. */
export const WINDOWS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
}

/** Time after which a call of a driver fails. */
export const CALL_TIMEOUT_MS = 60_000

export type TabOptions = { window: keyof typeof WINDOWS; has_javascript: boolean }

/** One input device and its actions, as WebDriver and WebDriver BiDi both define them. */
export type InputSource =
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }
  | {
      type: 'pointer'
      id: string
      parameters: { pointerType: 'mouse' | 'touch' }
      actions: PointerAction[]
    }
type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 }

/** The only tab of a browser that was started for it, with an empty profile. */
export type Tab = {
  /** Pointer that the browser can simulate. */
  pointer: 'mouse' | 'touch'
  /** Opens a path of the server, or an address of another site, and waits for the load event. */
  open: (address: string) => Promise<void>
  /** Returns the tab as the first frame of its page sees it. Only `evaluate` differs: it runs in the frame. */
  enterFrame: () => Promise<Tab>
  reload: () => Promise<void>
  goBack: () => Promise<void>
  /** Evaluates an expression in the page. Its value must be a string. */
  evaluate: (expression: string) => Promise<string>
  act: (source: InputSource) => Promise<void>
  /** Returns the errors on the console since the start. */
  readErrors: () => string[]
  close: () => Promise<void>
}
