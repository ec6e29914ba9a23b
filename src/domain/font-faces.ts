import {
  FAMILIES,
  type Family,
  FONT_WEIGHTS,
  type FontWeight,
  fontAddress,
  STAND_IN,
} from './fonts.ts'

/** What lines of text take, as shares of the size of a font: above and below the baseline, and a letter's width. */
export type Measures = { ascent: number; descent: number; widths: Record<FontWeight, number> }

/** As the files say; the widths are the mean of a French text's letters, kerned (server/taking/fonts.test.ts). */
export const MEASURES: Record<Family, Measures> = {
  inter: { ascent: 0.969, descent: 0.241, widths: { 400: 0.4708, 600: 0.4807 } },
  nunito: { ascent: 1.011, descent: 0.353, widths: { 400: 0.4415, 600: 0.4499 } },
  poppins: { ascent: 1.05, descent: 0.35, widths: { 400: 0.4924, 600: 0.5033 } },
  'work-sans': { ascent: 0.93, descent: 0.243, widths: { 400: 0.4916, 600: 0.4928 } },
  lora: { ascent: 1.006, descent: 0.274, widths: { 400: 0.4612, 600: 0.471 } },
  'playfair-display': { ascent: 1.082, descent: 0.251, widths: { 400: 0.4454, 600: 0.4533 } },
  'source-serif-4': { ascent: 1.036, descent: 0.335, widths: { 400: 0.4679, 600: 0.4756 } },
  'space-grotesk': { ascent: 0.984, descent: 0.292, widths: { 400: 0.4776, 600: 0.4793 } },
}

/**
 * Fonts that devices have, by their full and their PostScript names: those of Windows and Apple, those of Linux that are
 * as wide, and Android's Roboto, which is taken for as wide. The widths are of the same text.
 */
const LOCAL = {
  sans: {
    widths: { 400: 0.441, 600: 0.476 },
    names: {
      400: ['Arial', 'ArialMT', 'Liberation Sans', 'Roboto'],
      600: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'Roboto Bold'],
    },
  },
  serif: {
    widths: { 400: 0.398, 600: 0.423 },
    names: {
      400: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'],
      600: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'],
    },
  },
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/** A font of the device that takes the place of one weight of a family: nothing moves as the family arrives. */
const standIn = (family: Family, weight: FontWeight): string => {
  const { ascent, descent, widths } = MEASURES[family]
  const local = LOCAL[FAMILIES[family].kind]
  const size = widths[weight] / local.widths[weight]
  return [
    `@font-face{font-family:${STAND_IN};font-weight:${weight}`,
    `src:${local.names[weight].map((name) => `local("${name}")`).join()}`,
    `size-adjust:${percent(size)}`,
    `ascent-override:${percent(ascent / size)}`,
    `descent-override:${percent(descent / size)}}`,
  ].join(';')
}

/** The rules that load a family; none of them holds back a text, which is shown in the stand-in until then. */
export const fontFaces = (family: Family): string =>
  FONT_WEIGHTS.map(
    (weight) =>
      `@font-face{font-family:"${FAMILIES[family].name}";font-weight:${weight};font-display:swap;src:url(${fontAddress(family, weight)})}${standIn(family, weight)}`,
  ).join('')
