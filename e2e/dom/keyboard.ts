import type { UserEvent } from '@testing-library/user-event'

/** Names of keys that differ between Playwright and user-event. */
const NAMES: Record<string, string> = { ' ': 'Space', ControlOrMeta: 'Control' }
/** Characters that begin a key's name in user-event's notation; doubled, they stand for themselves. */
const OPENING = /[{[]/g

const describeKey = (key: string): string => {
  if (key === 'Space') return '[Space]'
  return key.length === 1 ? key.replaceAll(OPENING, '$&$&') : `{${key}}`
}

/** Presses a key in Playwright's notation, such as `Shift+Tab`. */
export const pressKeys = async (user: UserEvent, keys: string): Promise<void> => {
  const parts = keys.split(/(?<=.)\+/).map((key) => NAMES[key] ?? key)
  if (/^Control\+v$/i.test(parts.join('+'))) return user.paste()
  const held = parts.slice(0, -1)
  const holds = held.map((name) => `{${name}>}`).join('')
  const releases = held
    .toReversed()
    .map((name) => `{/${name}}`)
    .join('')
  await user.keyboard(`${holds}${describeKey(parts.at(-1) ?? '')}${releases}`)
}

/** Types a text key by key into the focused element. */
export const typeText = (user: UserEvent, text: string): Promise<void> =>
  user.keyboard(text.replaceAll(OPENING, '$&$&'))
