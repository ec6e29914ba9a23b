import type { Corners, Font } from '#domain/common/vocabulary.ts'

/** The two weights of a page: of its texts, and of its titles, questions and buttons. */
export const FONT_WEIGHTS = [400, 600] as const
export type FontWeight = (typeof FONT_WEIGHTS)[number]
export type Family = Exclude<Font, 'system'>

type Face = {
  /** As people and stylesheets call it. */
  name: string
  kind: 'sans' | 'serif'
  /** The first ten digits of each file's SHA-256, so that its address may be kept for ever. */
  digests: Record<FontWeight, string>
}

/** The letters of the device in the measures of the page's family (fonts.ts): shown until that is there. */
const FALLBACK_FONT = 'q-stand-in'

/** Shown where the device has no stand-in, and for letters that both lack. */
const OTHERWISE = { sans: 'system-ui,sans-serif', serif: 'Georgia,serif' }

/** Open families (SIL Open Font License), from Fontsource: the letters of Western European languages. */
export const FAMILIES: Record<Family, Face> = {
  inter: { name: 'Inter', kind: 'sans', digests: { 400: '8909904ab6', 600: 'f9a06e79cd' } },
  nunito: { name: 'Nunito', kind: 'sans', digests: { 400: 'a5906e15ce', 600: '45f437de32' } },
  poppins: { name: 'Poppins', kind: 'sans', digests: { 400: '7d93459d86', 600: 'f4e80d9dfd' } },
  'work-sans': {
    name: 'Work Sans',
    kind: 'sans',
    digests: { 400: '418b069367', 600: 'c536b548fd' },
  },
  lora: { name: 'Lora', kind: 'serif', digests: { 400: 'ac079950fd', 600: '7bbfe9f3c9' } },
  'playfair-display': {
    name: 'Playfair Display',
    kind: 'serif',
    digests: { 400: '1fe9ad5d8b', 600: '5d2286941a' },
  },
  'source-serif-4': {
    name: 'Source Serif 4',
    kind: 'serif',
    digests: { 400: '02194deb92', 600: 'f2b7e1cf1d' },
  },
  'space-grotesk': {
    name: 'Space Grotesk',
    kind: 'sans',
    digests: { 400: '65fd17fcbd', 600: '685bbbf69f' },
  },
}

/** Whether a font has files; the one of the visitor's system has none. */
export const isFamily = (font: Font | undefined): font is Family =>
  font !== undefined && font !== 'system'

/** Where one weight of a family is. */
export const fontAddress = (family: Family, weight: FontWeight): string =>
  `/fonts/${family}-${weight}.${FAMILIES[family].digests[weight]}.woff2`

/** A family as `font-family` takes it. */
export const fontStack = (family: Family): string =>
  `"${FAMILIES[family].name}",${fallbackFontStack(family)}`

/** The same without its files: what is shown until they are there. */
export const fallbackFontStack = (family: Family): string =>
  `${FALLBACK_FONT},${OTHERWISE[FAMILIES[family].kind]}`

/** How round fields, answers and buttons are, in pixels. */
export const CORNER_RADIUS: Record<Corners, number> = { square: 0, soft: 8, round: 26 }

/** What lines of text take, as shares of the size of a font: above and below the baseline, and a letter's width. */
export type Measures = { ascent: number; descent: number; widths: Record<FontWeight, number> }

/** As the files say; the widths are the mean of a French text's letters, kerned (server/public-quiz/fonts.test.ts). */
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
    `@font-face{font-family:${FALLBACK_FONT};font-weight:${weight}`,
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
