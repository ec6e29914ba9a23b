import { COLOR_NAMES, type Palette, PLAYER_PALETTE, parseHexColor } from '#domain/colors.ts'
import { readableOn } from '#domain/contrast.ts'

/** Custom properties of the player's root, by name. */
export type PaletteProperties = Record<`--q-${string}`, string>

/**
 * The five colours of a quiz as custom properties, with the text colours of « Contraste renforcé ». A value that
 * is not #rrggbb is replaced by the player's default.
 */
export const paletteProperties = (palette: Palette): PaletteProperties => {
  const safe = { ...PLAYER_PALETTE }
  for (const name of COLOR_NAMES) safe[name] = parseHexColor(palette[name]) ?? safe[name]
  return {
    '--q-bg': safe.bg_color,
    '--q-text': safe.text_color,
    '--q-button': safe.button_color,
    '--q-button-text': safe.button_text_color,
    '--q-accent': safe.accent_color,
    '--q-strong-text': readableOn(safe.bg_color),
    '--q-strong-button-text': readableOn(safe.button_color),
  }
}
