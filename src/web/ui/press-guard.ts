/** Controls that act when they are pressed. */
const CONTROLS = 'button,a,summary,[role=menuitem]'
/** Controls on which the second press of a double one would undo or repeat the first. */
const ONCE = '[type=submit],[aria-haspopup]'

const stop = (event: Event): void => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Makes each gesture act once, on the control that it was meant for. The second press of a double one does nothing on
 * what has only appeared at its place, and submits no form again. A held Enter acts once, and no key acts that an input
 * method takes.
 */
export const guardPresses = (): void => {
  let pressed: Element | null = null
  addEventListener(
    'click',
    (event) => {
      const control = (event.target as Element).closest(CONTROLS)
      if (event.detail < 2) pressed = control
      else if (control !== pressed || control?.matches(ONCE)) stop(event)
    },
    true,
  )
  let entered: KeyboardEvent | undefined
  addEventListener(
    'keydown',
    (event) => {
      // Safari confirms a composition with a key of code 229 that is not marked as composing.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
      else if (event.key !== 'Enter') return
      else if (!event.repeat) entered = event
      // Where Enter writes a line, a held one writes more.
      else if (entered?.defaultPrevented || !(event.target as Element).matches('textarea'))
        stop(event)
    },
    true,
  )
}
