import type { DocumentPart, PdfDocument } from '#domain/reports/document.ts'
import { CUT_NOTE, printedParts } from '#domain/reports/document-size.ts'
import type { Block } from '#domain/run/rich-text.ts'
import {
  Canvas,
  type Element,
  MUTED_COLOR,
  NOTE_SIZE,
  type ParagraphStyle,
  TEXT_SIZE,
} from './canvas.ts'
import { drawFigures, drawRadar } from './figures.ts'
import { REPLACEMENT_NOTE } from './fonts.ts'

/** Picture as JPEG with its size in pixels. */
export type Picture = { data: Uint8Array; width: number; height: number }
/** Pictures by image id; deleted pictures are absent. */
export type Pictures = ReadonlyMap<string, Picture>

/** Sizes in points. */
const NAME_SIZE = 26
const HEADING_SIZES = { 1: 22, 2: 15, 3: 12.5 }
const CERTIFICATE_TITLE_SIZE = 30
/** Space above the first line of a certificate, in points. */
const CERTIFICATE_TOP = 60
const LIST_INDENT = 16
const MAX_LOGO = { width: 150, height: 60 }
const MAX_PICTURE = { width: 320, height: 230 }
/** Height below a heading that stays on the page of the heading. */
const KEPT_BELOW_HEADING = 60

/** Margin of the lists of a certificate on both sides, because their lines are not centred. */
const CERTIFICATE_LIST_MARGIN = 90
/** Smallest type that is readable on paper. A certificate is never drawn in smaller letters. */
const MIN_TYPE_SIZE = 7.5
/** Scales between 1 and the smallest one in which a certificate is tried, so that it fits on one page. */
const CERTIFICATE_SCALES = [0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55]
const SMALLEST_SCALE = 0.5

/**
 * Draws a document as a tagged PDF. A certificate is shrunk to fit on one page, down to half its size; if that is not
 * enough, it continues on further pages. Texts, fonts and structure follow docs/decisions/057.
 */
export const writePdf = (document: PdfDocument, pictures: Pictures): Promise<Buffer> =>
  drawFitting(document, pictures).finish()

/** Returns the number of pages of a document. */
export const countPages = (document: PdfDocument, pictures: Pictures): number =>
  drawFitting(document, pictures).nb_pages

/**
 * Draws a document. A certificate is drawn in the largest scale in which it fits on one page. If it fits in none, it
 * continues on further pages in the smallest scale, so that nothing is cut.
 */
const drawFitting = (document: PdfDocument, pictures: Pictures): Writer => {
  const draw = (scale: number): Writer => {
    const writer = new Writer(document, pictures, scale)
    writer.draw()
    return writer
  }
  const largest = draw(1)
  if (document.layout !== 'certificate' || largest.nb_pages === 1) return largest
  let best = draw(SMALLEST_SCALE)
  if (best.nb_pages > 1) return best
  for (let [first, last] = [0, CERTIFICATE_SCALES.length - 1]; first <= last; ) {
    const middle = (first + last) >> 1
    const tried = draw(CERTIFICATE_SCALES[middle] ?? SMALLEST_SCALE)
    if (tried.nb_pages === 1) {
      best = tried
      last = middle - 1
    } else first = middle + 1
  }
  return best
}

class Writer {
  readonly #canvas: Canvas
  readonly #document: PdfDocument
  readonly #pictures: Pictures
  readonly #scale: number

  constructor(document: PdfDocument, pictures: Pictures, scale: number) {
    this.#document = document
    this.#pictures = pictures
    this.#scale = scale
    const drawPage = this.#isCertificate ? (canvas: Canvas) => this.#drawFrame(canvas) : undefined
    this.#canvas = new Canvas(document, drawPage)
    this.#canvas.linkColor = document.colors.accent
  }

  get nb_pages(): number {
    return this.#canvas.nb_pages
  }

  get #isCertificate(): boolean {
    return this.#document.layout === 'certificate'
  }

  /** Returns a type size in the scale of the document, at least MIN_TYPE_SIZE. */
  #size(size: number): number {
    return Math.max(Math.min(size, MIN_TYPE_SIZE), size * this.#scale)
  }

  /** Leaves a space below the last part. */
  #skip(height: number): void {
    this.#canvas.y += height * this.#scale
  }

  get #style(): ParagraphStyle {
    const { colors } = this.#document
    const align = this.#isCertificate ? 'center' : 'start'
    return { size: this.#size(TEXT_SIZE), weight: 400, color: colors.text, align }
  }

  get #noteStyle(): ParagraphStyle {
    return { ...this.#style, size: this.#size(NOTE_SIZE), color: MUTED_COLOR }
  }

  draw(): void {
    const canvas = this.#canvas
    if (this.#isCertificate) this.#skip(CERTIFICATE_TOP)
    else this.#drawStrip()
    const logo = this.#pictures.get(this.#document.logo_image_id ?? '')
    if (logo) this.#drawPicture(logo, MAX_LOGO, null)
    const { parts, is_cut } = printedParts(this.#document.parts)
    for (const part of parts) this.#drawPart(canvas.root, part)
    for (const note of [
      ...(is_cut ? [CUT_NOTE] : []),
      ...(canvas.fonts.hasReplaced ? [REPLACEMENT_NOTE] : []),
    ])
      canvas.paragraph(canvas.root, 'P', [note], this.#noteStyle)
  }

  finish(): Promise<Buffer> {
    return this.#canvas.finish()
  }

  /** Draws the coloured frame of a page of a certificate. */
  #drawFrame(canvas: Canvas): void {
    const { width, height } = canvas.pdf.page
    canvas.drawArtifact(() =>
      canvas.pdf
        .lineWidth(3)
        .rect(24, 20, width - 48, height - 60)
        .stroke(this.#document.colors.accent),
    )
  }

  /** Draws the coloured strip above a report. */
  #drawStrip(): void {
    const { pdf } = this.#canvas
    this.#canvas.drawArtifact(() =>
      pdf.rect(0, 0, pdf.page.width, 8).fill(this.#document.colors.accent),
    )
  }

  #drawPart(root: Element, part: DocumentPart): void {
    const canvas = this.#canvas
    const { colors } = this.#document
    switch (part.kind) {
      case 'heading': {
        const { level, text } = part
        const isTitle = this.#isCertificate && level === 1
        const full_size = isTitle ? CERTIFICATE_TITLE_SIZE : HEADING_SIZES[level]
        const color = level === 1 ? colors.accent : colors.text
        const size = this.#size(full_size)
        this.#skip(level === 1 ? 4 : 10)
        const style: ParagraphStyle = { ...this.#style, size, weight: 600, color }
        canvas.paragraph(root, `H${level}`, [text], style, KEPT_BELOW_HEADING)
        this.#skip(4)
        return
      }
      case 'name':
        this.#skip(12)
        canvas.paragraph(root, 'P', [part.text], {
          ...this.#style,
          size: this.#size(NAME_SIZE),
          weight: 600,
        })
        this.#skip(12)
        return
      case 'note':
        canvas.paragraph(root, 'P', [part.text], this.#noteStyle)
        this.#skip(6)
        return
      case 'text':
        this.#drawBlocks(root, part.blocks, 0)
        return
      case 'link':
        canvas.paragraph(root, 'P', [{ a: [part.text], href: part.href }], {
          ...this.#style,
          color: colors.accent,
        })
        this.#skip(6)
        return
      case 'picture': {
        const picture = this.#pictures.get(part.image_id)
        if (picture) this.#drawPicture(picture, MAX_PICTURE, part.alt)
        return
      }
      case 'figures':
        drawFigures({ canvas, root, colors }, part.rows, part.is_numbered)
        return
      case 'radar':
        drawRadar({ canvas, colors }, part)
        return
      case 'reply':
        canvas.y += 6
        canvas.paragraph(root, 'P', [part.question], { ...this.#style, weight: 600 }, TEXT_SIZE * 2)
        for (const text of part.answers)
          canvas.paragraph(root, 'P', [text], { ...this.#style, indent: LIST_INDENT })
        for (const text of part.notes)
          canvas.paragraph(root, 'P', [text], { ...this.#noteStyle, indent: LIST_INDENT })
        this.#drawBlocks(root, part.explanation ?? [], LIST_INDENT)
        canvas.y += 3
        return
    }
  }

  #drawBlocks(parent: Element, blocks: readonly Block[], indent: number): void {
    const canvas = this.#canvas
    // Lists of certificates are not centred, because bullets would be far from the centred lines.
    const isCentred = this.#isCertificate && indent === 0
    const style: ParagraphStyle = isCentred
      ? this.#style
      : { ...this.#style, indent, right: this.#listMargin, align: 'start' }
    for (const block of blocks) {
      if ('list' in block) this.#drawList(parent, block.list, indent || this.#listMargin)
      else {
        canvas.paragraph(parent, 'P', block, style)
        this.#skip(5)
      }
    }
  }

  get #listMargin(): number {
    return this.#isCertificate ? CERTIFICATE_LIST_MARGIN : 0
  }

  #drawList(parent: Element, items: readonly (readonly Block[])[], indent: number): void {
    const canvas = this.#canvas
    const inner = indent + LIST_INDENT
    canvas.element(parent, 'L', (list) => {
      for (const item of items) {
        const size = this.#size(TEXT_SIZE)
        canvas.ensure(size * 2)
        canvas.element(list, 'LI', (entry) => {
          const dot = { x: canvas.left + indent + 5, y: canvas.y + size * 0.72 }
          canvas.drawArtifact(() =>
            canvas.pdf.circle(dot.x, dot.y, 1.7).fill(this.#document.colors.text),
          )
          canvas.element(entry, 'LBody', (body) => this.#drawBlocks(body, item, inner))
        })
      }
    })
  }

  #drawPicture(
    { data, width, height }: Picture,
    most: { width: number; height: number },
    alt: string | null,
  ): void {
    const canvas = this.#canvas
    const scale = this.#scale * Math.min(1, most.width / width, most.height / height)
    const [drawn_width, drawn_height] = [width * scale, height * scale]
    canvas.ensure(drawn_height + 8)
    const x = canvas.left + (this.#isCertificate ? (canvas.width - drawn_width) / 2 : 0)
    const { y } = canvas
    const draw = (): void => {
      canvas.pdf.image(Buffer.from(data), x, y, { width: drawn_width, height: drawn_height })
    }
    if (alt) {
      const bbox: [number, number, number, number] = [x, y, x + drawn_width, y + drawn_height]
      const figure = canvas.pdf.struct('Figure', { alt, bbox } as never)
      canvas.root.add(figure)
      figure.add(draw)
      figure.end()
    } else canvas.drawArtifact(draw)
    canvas.y += drawn_height
    this.#skip(10)
  }
}
