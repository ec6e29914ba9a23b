import type { Font } from '#domain/common/vocabulary.ts'

/** Names of the font families that the server delivers, in stylesheets and in menus. */
export const FONT_NAMES: Record<Exclude<Font, 'system'>, string> = {
  inter: 'Inter',
  nunito: 'Nunito',
  poppins: 'Poppins',
  'work-sans': 'Work Sans',
  lora: 'Lora',
  'playfair-display': 'Playfair Display',
  'source-serif-4': 'Source Serif 4',
  'space-grotesk': 'Space Grotesk',
}
