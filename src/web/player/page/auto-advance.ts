/** Milliseconds from a tap to the press of « Suivant », so that the visitor sees the chosen answer. */
const ADVANCE_DELAY_MS = 300

/** Returns true if all fields of a page are the radio buttons of one question. */
const hasOneChoice = (form: HTMLFormElement): boolean => {
  const fields = form.querySelectorAll<HTMLInputElement>('input:not([type=hidden]),textarea')
  return [...fields].every(({ type, name }) => type === 'radio' && name === fields[0]?.name)
}

/**
 * Makes a tap on another answer press « Suivant » on pages with one single choice or scale. Keys, screen readers, the
 * last page and reduced motion never advance. Returns a function that removes the listeners.
 */
export const advanceOnTap = (root: Document | HTMLElement): (() => void) => {
  /** Radio button under the last press; null or undefined if it was already checked. */
  let pressed: HTMLInputElement | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const rememberPress = ({ target }: Event): void => {
    const choice = (target as Element).closest('.q-choice')
    pressed = choice?.querySelector<HTMLInputElement>('[type=radio]:not(:checked)')
  }
  const forgetPress = (): void => {
    pressed = undefined
    clearTimeout(timer)
  }
  const advanceSoon = ({ target }: Event): void => {
    const field = pressed
    forgetPress()
    if (!field?.form || field !== target || !hasOneChoice(field.form)) return
    if (matchMedia('(prefers-reduced-motion:reduce)').matches) return
    timer = setTimeout(() => {
      // A removed field belongs to a page that the visitor has left.
      if (!field.isConnected || !field.checked) return
      // The button is read after the delay, because the answer may lead to the end.
      field.form?.querySelector<HTMLElement>('.q-next:not([data-last])')?.click()
    }, ADVANCE_DELAY_MS)
  }
  const listeners = {
    pointerdown: rememberPress,
    pointercancel: forgetPress,
    keydown: forgetPress,
    change: advanceSoon,
  }
  const names = Object.keys(listeners) as (keyof typeof listeners)[]
  for (const name of names) root.addEventListener(name, listeners[name])
  return () => {
    forgetPress()
    for (const name of names) root.removeEventListener(name, listeners[name])
  }
}
