/** Controls that act on a press. */
const CONTROLS = 'button,a,summary,[role=menuitem]'
/** Controls on which the second press of a double press would undo or repeat the first. */
const SINGLE_PRESS_CONTROLS = '[type=submit],[aria-haspopup]'

const stop = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Makes each gesture act once, on the control that it was meant for. The second press of a double press does nothing on
 * a control that has only just appeared there, and submits no form twice. A held Enter acts once; keys that an input
 * method uses do nothing else.
 */
export const guardPresses = (): void => {
  let pressed: Element | null = null
  addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest(CONTROLS)
      if (event.detail < 2) pressed = control
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
