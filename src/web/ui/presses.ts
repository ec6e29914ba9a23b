/** Ends of a press. After a tap, browsers send mouse events, which move the focus and end with the click. */
const ENDS = ['pointerup', 'mouseup', 'pointercancel']

let isPressed = false
for (const name of ['pointerdown', 'mousedown', ...ENDS])
  addEventListener(
    name,
    () => {
      isPressed = !ENDS.includes(name)
    },
    true,
  )

/**
 * Runs an action at once, or after the current press and its click, because an element that moves away during a press
 * would not get the click.
 */
export const afterPress = (action: () => void): void => {
  if (!isPressed) {
    action()
    return
  }
  const ended = new AbortController()
  const end = (): void => {
    ended.abort()
    setTimeout(action)
  }
  for (const name of ENDS) addEventListener(name, end, ended)
}

/** Controls that act on a press. */
const CONTROLS = 'button,a,summary,[role=menuitem]'
/** Controls on which the second press of a double press would undo or repeat the first. */
const SINGLE_PRESS_CONTROLS = '[type=submit],[aria-haspopup]'

/** Longest time and distance between the two taps of a double tap. */
const MAX_DOUBLE_TAP_MS = 400
const MAX_DOUBLE_TAP_PX = 24

const stop = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Creates a test for clicks, which is true for the second press of a double press and for further ones. Counts taps
 * itself, because some browsers give the detail 1 to every tap.
 */
const createRepeatTest = (): ((event: MouseEvent) => boolean) => {
  let isTouch = false
  let last_tap: Pick<MouseEvent, 'clientX' | 'clientY' | 'timeStamp'> | undefined
  addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      isTouch = pointerType === 'touch'
      if (!isTouch) last_tap = undefined
    },
    true,
  )
  return ({ detail, clientX, clientY, timeStamp }) => {
    if (detail === 0 || !isTouch) return detail > 1
    const isNear =
      last_tap !== undefined &&
      timeStamp - last_tap.timeStamp < MAX_DOUBLE_TAP_MS &&
      Math.hypot(clientX - last_tap.clientX, clientY - last_tap.clientY) < MAX_DOUBLE_TAP_PX
    last_tap = { clientX, clientY, timeStamp }
    return detail > 1 || isNear
  }
}

/**
 * Makes each gesture act once, on the control that it was meant for. The second press of a double press does nothing
 * on a control that has just appeared there, and submits no form twice. A held Enter acts once, and keys that an
 * input method uses do nothing else.
 */
export const guardPresses = (): void => {
  let pressed: Element | null = null
  const isRepeated = createRepeatTest()
  addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest(CONTROLS)
      if (!isRepeated(event)) pressed = control
      else if (control !== pressed || control?.matches(SINGLE_PRESS_CONTROLS)) stop(event)
    },
    true,
  )
  let entered: KeyboardEvent | undefined
  addEventListener(
    'keydown',
    (event) => {
      // Safari ends a composition with a key of code 229 that is not marked as composing.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
      else if (event.key !== 'Enter') return
      else if (!event.repeat) entered = event
      // A held Enter still adds lines to a text of several lines.
      else if (entered?.defaultPrevented || !(event.target as Element).matches('textarea'))
        stop(event)
    },
    true,
  )
}
