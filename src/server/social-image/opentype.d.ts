/** The part of opentype.js that draws text; the package has no types of its own. */
declare module 'opentype.js' {
  /** A command of a path with the points that it takes. */
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
    /** In units, above and, negative, below the baseline. */
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
