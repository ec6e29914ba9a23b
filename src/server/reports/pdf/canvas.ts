import PDFDocument from 'pdfkit'
import type { PdfDocument } from '#domain/reports/document.ts'
import type { Inline } from '#domain/run/rich-text.ts'
import { FontChooser } from './fonts.ts'
import { type Line, type Lines, type Run, styledWords, type WordStyle, wrapWords } from './lines.ts'

/** Element of the structure tree, which screen readers read. */
export type Element = PDFKit.PDFStructureElement

/** Widths and heights in points. */
const MARGIN = 56
/** Type sizes of texts and of notes in points. */
export const TEXT_SIZE = 11
export const NOTE_SIZE = 9.5
const FOOTER_Y = 30
const FOOTER_SIZE = 8.5
const LINE_HEIGHT = 1.42
/** Distance from the top of a line to its baseline, as a share of the font size. */
const BASELINE = 1.05
const MUTED = '#5b5b57'

/** Colour of footers and notes, readable on white. */
export const MUTED_COLOR = MUTED

type Alignment = 'start' | 'center'
/** Place and look of a paragraph. */
export type ParagraphStyle = WordStyle & { indent?: number; right?: number; align?: Alignment }

/** Pages of a tagged PDF that are filled from top to bottom. */
export class Canvas {
  readonly pdf: PDFKit.PDFDocument
  readonly fonts: FontChooser
  /** Root of the structure tree. */
  readonly root: Element
  /** Top of the next part, in points from the top of the page. */
  y = MARGIN
  readonly left = MARGIN
  readonly #registered = new Set<string>()
  /** Number of pages so far. */
  nb_pages = 0

  /** `drawPage` draws the decoration of each page. */
  constructor(
    { title, font, layout }: Pick<PdfDocument, 'title' | 'font' | 'layout'>,
    drawPage?: (canvas: Canvas) => void,
  ) {
    this.fonts = new FontChooser(font)
    this.pdf = new PDFDocument({
      size: 'A4',
      layout: layout === 'certificate' ? 'landscape' : 'portrait',
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      lang: 'fr',
      displayTitle: true,
      tagged: true,
      subset: 'PDF/UA' as never,
      font: null as never,
      info: { Title: title, Creator: 'Quizaine', Producer: 'Quizaine' },
    })
    this.pdf.on('pageAdded', () => {
      drawPage?.(this)
      this.#drawFooter(title)
    })
    this.pdf.addPage()
    this.root = this.pdf.struct('Document')
    this.pdf.addStructure(this.root)
  }

  get width(): number {
    return this.pdf.page.width - 2 * MARGIN
  }

  get #bottom(): number {
    return this.pdf.page.height - MARGIN
  }

  /** Continues on a new page if less than `height` is left on this page. */
  ensure(height: number): void {
    if (this.y + height <= this.#bottom || this.y === MARGIN) return
    this.pdf.continueOnNewPage()
    this.y = MARGIN
  }

  /** Draws decoration that screen readers skip, such as lines and bars. */
  drawArtifact(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' })
    this.pdf.save()
    draw()
    this.pdf.restore()
    this.pdf.endMarkedContent()
  }

  /** Adds a structure element to `parent`; `fill` draws its content. */
  element(
    parent: Element,
    type: string,
    fill: (element: Element) => void,
    options: { actual?: string } = {},
  ): void {
    const element = this.pdf.struct(type, options)
    parent.add(element)
    fill(element)
    element.end()
  }

  /** Returns the lines of a text in a style. */
  wrap(inlines: readonly Inline[], style: ParagraphStyle): Lines {
    const { indent = 0, right = 0, align, ...words } = style
    const width = this.width - indent - right
    return wrapWords(styledWords(inlines, words), { width, fonts: this.fonts })
  }

  /**
   * Draws a paragraph as a structure element and moves `y` below the paragraph. The first line starts on a page with
   * room for `keep_height` more.
   */
  paragraph(
    parent: Element,
    type: string,
    inlines: readonly Inline[],
    style: ParagraphStyle,
    keep_height = 0,
  ): void {
    const wrapped = this.wrap(inlines, style)
    // PDF/UA forbids empty paragraphs, such as a reply of spaces.
    if (wrapped.lines.every(({ runs }) => runs.length === 0)) return
    const height = style.size * LINE_HEIGHT
    this.ensure(height + keep_height)
    this.element(parent, type, (element) => {
      for (const line of wrapped.lines) {
        this.ensure(height)
        this.#drawLine(element, line, wrapped.is_rtl, style)
        this.y += height
      }
    })
  }

  /** Draws a single line that ends at `right_x`. Does not move `y`. */
  lineAt(
    parent: Element,
    type: string,
    text: string,
    style: WordStyle,
    at: { right_x: number; top: number },
  ): void {
    const { lines } = wrapWords(styledWords([text], style), {
      width: this.width,
      fonts: this.fonts,
    })
    const [line] = lines
    if (!line) return
    this.element(parent, type, (element) =>
      element.add(() => this.#drawRuns(line.runs, at.right_x - line.width, at.top)),
    )
  }

  /** Draws a word centred on a point, without a structure element. */
  label(text: string, { x, y }: { x: number; y: number }, style: WordStyle): void {
    const { lines } = wrapWords(styledWords([text], style), {
      width: this.width,
      fonts: this.fonts,
    })
    const [line] = lines
    if (line) this.#drawRuns(line.runs, x - line.width / 2, y - style.size * (BASELINE - 0.35))
  }

  #drawLine(element: Element, line: Line, isRtl: boolean, style: ParagraphStyle): void {
    const { indent = 0, right = 0, align = 'start' } = style
    const free_width = this.width - indent - right - line.width
    const start_shift = isRtl ? free_width : 0
    let x = this.left + indent + (align === 'center' ? free_width / 2 : start_shift)
    const fill = (parent: Element): void => {
      for (const runs of byLink(line.runs)) {
        const href = runs[0]?.style.href
        const start = x
        const draw = (): void => this.#drawRuns(runs, start, this.y)
        if (href === undefined) parent.add(draw)
        else this.element(parent, 'Link', (link) => link.add(draw))
        x += runs.reduce((sum, run) => sum + run.width, 0)
      }
    }
    const hasLink = line.runs.some((run) => run.style.href !== undefined)
    if (line.reading === undefined || hasLink) fill(element)
    else this.element(element, 'Span', fill, { actual: line.reading })
  }

  #drawRuns(runs: readonly Run[], from: number, top: number): void {
    let x = from
    for (const { text, face, style, width } of runs) {
      if (!this.#registered.has(face.key)) this.pdf.registerFont(face.key, face.open() as never)
      this.#registered.add(face.key)
      this.pdf.font(face.key, style.size).fillColor(style.color)
      // pdfkit moves other baselines by the ascent of each font, so that mixed fonts would not align.
      this.pdf.text(text, x, top + style.size * BASELINE, {
        lineBreak: false,
        baseline: 'alphabetic',
        oblique: style.is_italic ?? false,
      })
      if (style.href !== undefined) this.#addLink(style.href, { x, top, width, size: style.size })
      x += width
    }
  }

  #addLink(
    href: string,
    { x, top, width, size }: { x: number; top: number; width: number; size: number },
  ): void {
    const structParent = this.currentElement
    this.pdf.link(x, top, width, size * LINE_HEIGHT, href, {
      Contents: new String(href),
      structParent,
    } as never)
    const y = top + size * BASELINE + 1.5
    this.pdf
      .lineWidth(0.6)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke(this.linkColor)
  }

  /** Colour of the line below links. */
  linkColor = MUTED

  get currentElement(): Element | undefined {
    return (this.pdf as unknown as { _currentStructureElement?: Element })._currentStructureElement
  }

  #drawFooter(title: string): void {
    this.nb_pages++
    this.pdf.markContent('Artifact', { type: 'Pagination' })
    const style: WordStyle = { size: FOOTER_SIZE, weight: 400, color: MUTED }
    const top = this.pdf.page.height - FOOTER_Y
    const number = `Page ${this.nb_pages}`
    const numbered = wrapWords(styledWords([number], style), { width: 100, fonts: this.fonts })
    const named = wrapWords(styledWords([title], style), {
      width: this.width - 110,
      fonts: this.fonts,
    })
    const [name, page] = [named.lines[0], numbered.lines[0]]
    if (name) this.#drawRuns(name.runs, this.left, top)
    if (page) this.#drawRuns(page.runs, this.left + this.width - page.width, top)
    this.pdf.endMarkedContent()
  }

  /**
   * Embeds the fonts without the list of their glyphs (CIDSet). The list of pdfkit lacks the components of letters such as é, and PDF/UA forbids an incomplete list.
   */
  #embedFonts(): void {
    const internals = this.pdf as unknown as Internals
    const { subset } = internals
    internals.subset = undefined
    for (const font of Object.values(internals._fontFamilies)) {
      // Parts of Arabic letters, such as dots, have no character of their own.
      font.unicode = font.unicode?.map((points) =>
        points.length > 0 ? points : [ZERO_WIDTH_SPACE],
      )
      font.finalize()
    }
    internals.subset = subset
  }

  /** Ends the document and returns its bytes. */
  async finish(): Promise<Buffer> {
    this.root.end()
    this.#embedFonts()
    const chunks: Buffer[] = []
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    this.pdf.on('end', resolve)
    this.pdf.on('error', reject)
    this.pdf.end()
    await promise
    return Buffer.concat(chunks)
  }
}

/** Properties of a pdfkit document that its types omit. */
type Internals = {
  subset: number | undefined
  _fontFamilies: Record<string, { finalize: () => void; unicode?: number[][] }>
}

const ZERO_WIDTH_SPACE = 0x200b

const byLink = (runs: readonly Run[]): Run[][] => {
  const groups: Run[][] = []
  for (const run of runs) {
    const last = groups.at(-1)
    if (last?.[0]?.style.href === run.style.href && last) last.push(run)
    else groups.push([run])
  }
  return groups
}
