import type { QuizColors } from '#domain/questionnaire/quiz.ts'

/** Converts an sRGB channel to linear light, as WCAG 2 defines it. */
const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

/** Returns the relative luminance of a #rrggbb colour, from 0 (black) to 1 (white). */
const luminance = (color: string): number => {
  const channel = (start: number): number =>
    linear(Number.parseInt(color.slice(start, start + 2), 16) / 255)
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/** Returns the contrast of two #rrggbb colours, from 1 to 21. Readable text needs 4.5 (WCAG 1.4.3). */
export const contrastRatio = (a: string, b: string): number => {
  const [first, second] = [luminance(a), luminance(b)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** Returns black or white, whichever has more contrast on this #rrggbb colour: at least 4.5. */
export const readableTextColor = (color: string): string =>
  contrastRatio(color, '#000000') >= contrastRatio(color, '#ffffff') ? '#000000' : '#ffffff'

/** Minimum contrast of text (WCAG 1.4.3). */
export const TEXT_CONTRAST = 4.5
/** Minimum contrast of other signs such as borders (WCAG 1.4.11). */
export const NON_TEXT_CONTRAST = 3

/** Returns the red, green and blue channels of a #rrggbb colour, from 0 to 255. */
export const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** Moves each channel of a colour towards `channel` by `share`, from 0 to 1. */
const mixed = (color: string, channel: number, share: number): string =>
  hexColorOf(channelsOf(color).map((value) => Math.round(value + (channel - value) * share)))

/** Returns the #rrggbb colour of three channels from 0 to 255. */
export const hexColorOf = (channels: readonly number[]): string =>
  `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`

const STEPS = 128

/**
 * Returns the darker or lighter shade nearest to a #rrggbb colour that has `ratio` to `against`. Returns the colour
 * itself if its contrast is already sufficient.
 */
export const nearestReadable = (color: string, against: string, ratio: number): string => {
  for (let step = 0; step <= STEPS; step++) {
    for (const channel of [0, 255]) {
      const shade = mixed(color, channel, step / STEPS)
      if (contrastRatio(shade, against) >= ratio) return shade
    }
  }
  return readableTextColor(against)
}

/** Five colours as #rrggbb. */
export type Palette = { [Name in keyof QuizColors]: string }

/** Names of the colour fields of a quiz. */
export const COLOR_NAMES = [
  'bg_color',
  'text_color',
  'button_color',
  'button_text_color',
  'accent_color',
] as const satisfies (keyof QuizColors)[]

/** Default colours in the editor and on the settings screen (product 1.6). */
export const EDITOR_PALETTE: Palette = {
  bg_color: '#FFFFFF',
  text_color: '#37352F',
  button_color: '#000000',
  button_text_color: '#FFFFFF',
  accent_color: '#0070D7',
}

/** Default colours of preview and public pages (product 1.6). */
export const PLAYER_PALETTE: Palette = {
  bg_color: '#ffffff',
  text_color: '#37352F',
  button_color: '#17C3B2',
  button_text_color: '#ffffff',
  accent_color: '#FF8C61',
}

/** Returns the five colours of a quiz, with defaults for the colours it does not set. */
export const resolveColors = (colors: QuizColors, defaults: Palette): Palette => ({
  bg_color: colors.bg_color ?? defaults.bg_color,
  text_color: colors.text_color ?? defaults.text_color,
  button_color: colors.button_color ?? defaults.button_color,
  button_text_color: colors.button_text_color ?? defaults.button_text_color,
  accent_color: colors.accent_color ?? defaults.accent_color,
})

const HEX_COLOR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Parses `abc`, `#abc`, `aabbcc` or `#aabbcc` as typed by a creator to `#rrggbb`; undefined for other texts. */
export const parseHexColor = (typed: string): string | undefined => {
  const text = typed.trim()
  if (!HEX_COLOR.test(text)) return undefined
  const digits = text.replace('#', '')
  return digits.length === 6
    ? `#${digits}`
    : `#${[...digits].map((digit) => digit + digit).join('')}`
}
