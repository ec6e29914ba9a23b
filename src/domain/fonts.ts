import type { Corners, Font } from './vocabulary.ts'

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

/** The letters of the device in the measures of the page's family (font-faces.ts): shown until that is there. */
export const STAND_IN = 'q-stand-in'

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
  `"${FAMILIES[family].name}",${standInStack(family)}`

/** The same without its files: what is shown until they are there. */
export const standInStack = (family: Family): string =>
  `${STAND_IN},${OTHERWISE[FAMILIES[family].kind]}`

/** How round fields, answers and buttons are, in pixels. */
export const CORNER_RADIUS: Record<Corners, number> = { square: 0, soft: 8, round: 26 }
