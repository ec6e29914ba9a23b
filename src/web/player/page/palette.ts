import {
  COLOR_NAMES,
  type Palette,
  PLAYER_PALETTE,
  parseHexColor,
  readableTextColor,
} from '#domain/questionnaire/look/colors.ts'
import { CORNER_RADIUS, fontStack, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { pictureBackground } from '#domain/questionnaire/look/overlay.ts'
import type { QuizPage } from '#domain/questionnaire/quiz.ts'

/** The settings of a quiz's appearance other than its colours. */
type Look = { [Name in 'font' | 'corners' | 'background_image_id']?: QuizPage[Name] | undefined }

/** Custom properties of the player's root, by name. */
export type PaletteProperties = Record<`--q-${string}`, string>

/**
 * Returns the five colours of a quiz as custom properties, with the text colours of « Contraste renforcé ». Adds its
 * font, corners and background if they differ from the defaults. A value that is not #rrggbb is replaced by the
 * player's default.
 */
export const paletteProperties = (palette: Palette, look: Look = {}): PaletteProperties => {
  const { font, corners, background_image_id } = look
  const safe = { ...PLAYER_PALETTE }
  for (const name of COLOR_NAMES) safe[name] = parseHexColor(palette[name]) ?? safe[name]
  const page =
    background_image_id &&
    pictureBackground(background_image_id, { background: safe.bg_color, text: safe.text_color })
  const strong = readableTextColor(safe.bg_color)
  return {
    '--q-bg': safe.bg_color,
    '--q-text': safe.text_color,
    '--q-button': safe.button_color,
    '--q-button-text': safe.button_text_color,
    '--q-accent': safe.accent_color,
    '--q-strong-text': strong,
    '--q-strong-button-text': readableTextColor(safe.button_color),
    // Dark colour scheme for controls that the browser draws, such as the calendar of a date.
    ...(strong === '#ffffff' && { '--q-scheme': 'dark' }),
    ...(isFamily(font) && { '--q-font': fontStack(font) }),
    ...(corners && corners !== 'soft' && { '--q-corner': `${CORNER_RADIUS[corners]}px` }),
    ...(page && { '--q-page': page }),
  }
}
