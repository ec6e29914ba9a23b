/** Types of the part of opentype.js that draws text; the package has none. */
declare module 'opentype.js' {
  /** A path command with its points. */
  export type PathCommand = {
    type: 'M' | 'L' | 'Q' | 'C' | 'Z'
    x1?: number
    y1?: number
    x2?: number
    y2?: number
    x?: number
    y?: number
  }
  export type Font = {
    unitsPerEm: number
    /** Height above the baseline, and below it as a negative number, in font units. */
    ascender: number
    descender: number
    tables: { gsub?: { features: { tag: string }[] } }
    charToGlyphIndex: (character: string) => number
    getAdvanceWidth: (text: string, size: number) => number
    getPath: (text: string, x: number, y: number, size: number) => { commands: PathCommand[] }
  }
  const opentype: { parse: (bytes: ArrayBuffer) => Font }
  export default opentype
}
