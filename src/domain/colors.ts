import type { QuizColors } from './quiz.ts'

export type Palette = { [Name in keyof QuizColors]: string }

export const COLOR_NAMES = [
  'bg_color',
  'text_color',
  'button_color',
  'button_text_color',
  'accent_color',
] as const satisfies (keyof QuizColors)[]

/** What the editor and the settings screen show for a colour that was never set (spec §9). */
export const EDITOR_PALETTE: Palette = {
  bg_color: '#FFFFFF',
  text_color: '#37352F',
  button_color: '#000000',
  button_text_color: '#FFFFFF',
  accent_color: '#0070D7',
}

/** What preview and public pages show for a colour that was never set (spec §9). */
export const PLAYER_PALETTE: Palette = {
  bg_color: '#ffffff',
  text_color: '#37352F',
  button_color: '#17C3B2',
  button_text_color: '#ffffff',
  accent_color: '#FF8C61',
}

/** The five colours of a quiz, the given palette filling in those it does not set. */
export const resolveColors = (colors: QuizColors, defaults: Palette): Palette => ({
  bg_color: colors.bg_color ?? defaults.bg_color,
  text_color: colors.text_color ?? defaults.text_color,
  button_color: colors.button_color ?? defaults.button_color,
  button_text_color: colors.button_text_color ?? defaults.button_text_color,
  accent_color: colors.accent_color ?? defaults.accent_color,
})

const HEX_COLOR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** `#rrggbb` from `abc`, `#abc`, `aabbcc` or `#aabbcc` as typed by a creator; undefined when it is no colour. */
export const parseHexColor = (typed: string): string | undefined => {
  const text = typed.trim()
  if (!HEX_COLOR.test(text)) return undefined
  const digits = text.replace('#', '')
  return digits.length === 6
    ? `#${digits}`
    : `#${[...digits].map((digit) => digit + digit).join('')}`
}
