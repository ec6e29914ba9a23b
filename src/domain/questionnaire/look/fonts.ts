import type { Corners, Font } from '#domain/common/vocabulary.ts'
import { FONT_NAMES } from '#domain/questionnaire/fields/font-names.ts'

/** Two weights of a page: regular for texts, semibold for titles, questions and buttons. */
export const FONT_WEIGHTS = [400, 600] as const
/** Weight of a font file. */
export type FontWeight = (typeof FONT_WEIGHTS)[number]
/** Font family that the server delivers. */
export type Family = Exclude<Font, 'system'>

type Face = {
  /** Name in stylesheets and in the font menu. */
  name: string
  kind: 'sans' | 'serif'
  /** First ten digits of the SHA-256 of each file, so that browsers can cache its address forever. */
  digests: Record<FontWeight, string>
}

/** Names of device fonts with the metrics of the page's family, shown until the family has loaded; first choice first. */
const FALLBACK_FONTS = {
  sans: ['q-stand-in', 'q-stand-in1'],
  serif: ['q-stand-in', 'q-stand-in1', 'q-stand-in2'],
}

/** Generic fonts for devices without a fallback font and for characters that both fonts lack. */
const GENERIC_FONTS = { sans: 'system-ui,sans-serif', serif: 'Georgia,serif' }

/** Open font families (SIL Open Font License) from Fontsource, with the characters of Western European languages. */
export const FAMILIES: Record<Family, Face> = {
  inter: {
    name: FONT_NAMES.inter,
    kind: 'sans',
    digests: { 400: '8909904ab6', 600: 'f9a06e79cd' },
  },
  nunito: {
    name: FONT_NAMES.nunito,
    kind: 'sans',
    digests: { 400: 'a5906e15ce', 600: '45f437de32' },
  },
  poppins: {
    name: FONT_NAMES.poppins,
    kind: 'sans',
    digests: { 400: '7d93459d86', 600: 'f4e80d9dfd' },
  },
  'work-sans': {
    name: FONT_NAMES['work-sans'],
    kind: 'sans',
    digests: { 400: '418b069367', 600: 'c536b548fd' },
  },
  lora: { name: FONT_NAMES.lora, kind: 'serif', digests: { 400: 'ac079950fd', 600: '7bbfe9f3c9' } },
  'playfair-display': {
    name: FONT_NAMES['playfair-display'],
    kind: 'serif',
    digests: { 400: '1fe9ad5d8b', 600: '5d2286941a' },
  },
  'source-serif-4': {
    name: FONT_NAMES['source-serif-4'],
    kind: 'serif',
    digests: { 400: '02194deb92', 600: 'f2b7e1cf1d' },
  },
  'space-grotesk': {
    name: FONT_NAMES['space-grotesk'],
    kind: 'sans',
    digests: { 400: '65fd17fcbd', 600: '685bbbf69f' },
  },
}

/** Returns true if the server delivers files for this font; the system font has none. */
export const isFamily = (font: Font | undefined): font is Family =>
  font !== undefined && font !== 'system'

/** Returns the address of the file of one weight. */
export const fontAddress = (family: Family, weight: FontWeight): string =>
  `/fonts/${family}-${weight}.${FAMILIES[family].digests[weight]}.woff2`

/** Returns the value of `font-family` for a family. */
export const fontStack = (family: Family): string =>
  `"${FAMILIES[family].name}",${fallbackFontStack(family)}`

/** Returns the value of `font-family` until the files of a family have loaded. */
export const fallbackFontStack = (family: Family): string => {
  const { kind } = FAMILIES[family]
  return [...FALLBACK_FONTS[kind], GENERIC_FONTS[kind]].join()
}

/** Corner radius of fields, answers and buttons, in pixels. */
export const CORNER_RADIUS: Record<Corners, number> = { square: 0, soft: 8, round: 26 }

/** Ascent, descent and mean letter width of a font, relative to its size. */
export type Measures = { ascent: number; descent: number; widths: Record<FontWeight, number> }

/**
 * Metrics from the font files. Widths are means over a French text with kerning; server/public-quiz/fonts.test.ts
 * compares both with the files.
 */
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

/** Fonts of devices that have about equally wide letters, by full name and PostScript name. */
type DeviceFonts = { widths: Record<FontWeight, number>; names: Record<FontWeight, string[]> }

/** Fonts of Windows, Apple, Linux and Android. Widths are means over the text of MEASURES; Roboto is treated as equally wide. */
const ARIAL: DeviceFonts = {
  widths: { 400: 0.441, 600: 0.476 },
  names: {
    400: ['Arial', 'ArialMT', 'Liberation Sans', 'Roboto'],
    600: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'Roboto Bold'],
  },
}
const TIMES: DeviceFonts = {
  widths: { 400: 0.398, 600: 0.423 },
  names: {
    400: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'],
    600: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'],
  },
}
/** Serif fonts of Android. */
const NOTO_SERIF: DeviceFonts = {
  widths: { 400: 0.4725, 600: 0.5028 },
  names: { 400: ['Noto Serif', 'NotoSerif-Regular'], 600: ['Noto Serif Bold', 'NotoSerif-Bold'] },
}
/** Fonts of small Linux systems, where they also replace missing serif fonts. */
const NOTO_SANS: DeviceFonts = {
  widths: { 400: 0.4626, 600: 0.4925 },
  names: {
    400: ['Noto Sans', 'NotoSans-Regular', 'OpenSans-Regular'],
    600: ['NotoSans-Bold', 'OpenSans-Bold'],
  },
}

/** Device fonts behind the names of FALLBACK_FONTS, in the same order. */
const DEVICE_FONTS = { sans: [ARIAL, NOTO_SANS], serif: [TIMES, NOTO_SERIF, NOTO_SANS] }

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/** Returns the @font-face rules of device fonts with the metrics of a family, so that loading moves no text. */
const fallbackFaces = (family: Family, weight: FontWeight): string => {
  const { ascent, descent, widths } = MEASURES[family]
  const { kind } = FAMILIES[family]
  return DEVICE_FONTS[kind]
    .map((device, rank) => {
      const size = widths[weight] / device.widths[weight]
      return [
        `@font-face{font-family:${FALLBACK_FONTS[kind][rank]};font-weight:${weight}`,
        `src:${device.names[weight].map((name) => `local("${name}")`).join()}`,
        `size-adjust:${percent(size)}`,
        `ascent-override:${percent(ascent / size)}`,
        `descent-override:${percent(descent / size)}}`,
      ].join(';')
    })
    .join('')
}

/**
 * Returns the @font-face rules that load a family. Texts appear at once in the fallback font (`font-display: swap`).
 */
export const fontFaces = (family: Family): string =>
  FONT_WEIGHTS.map(
    (weight) =>
      `@font-face{font-family:"${FAMILIES[family].name}";font-weight:${weight};font-display:swap;src:url(${fontAddress(family, weight)})}${fallbackFaces(family, weight)}`,
  ).join('')
