let isPressed = false
addEventListener('pointerdown', () => setPressed(true), { capture: true })
addEventListener('pointerup', () => setPressed(false), { capture: true })
addEventListener('pointercancel', () => setPressed(false), { capture: true })
const setPressed = (pressed: boolean): void => {
  isPressed = pressed
}

/**
 * Runs at once, or after the press under way and its click: what a press moves away from under the pointer would
 * not get the click.
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
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, ended)
}
