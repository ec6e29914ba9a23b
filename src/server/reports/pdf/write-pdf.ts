import type { DocumentPart, FigureRow, PdfDocument } from '#domain/reports/document.ts'
import { CUT_NOTE, printedParts } from '#domain/reports/document-size.ts'
import { RADAR_LABELS_AT, RADAR_RINGS, radarPoint } from '#domain/run/radar.ts'
import type { Block } from '#domain/run/rich-text.ts'
import { Canvas, type Element, MUTED_COLOR, type ParagraphStyle } from './canvas.ts'
import { REPLACEMENT_NOTE } from './fonts.ts'

/** Picture as JPEG with its size in pixels. */
export type Picture = { data: Uint8Array; width: number; height: number }
/** Pictures by image id; deleted pictures are absent. */
export type Pictures = ReadonlyMap<string, Picture>

/** Sizes in points. */
const TEXT_SIZE = 11
const NOTE_SIZE = 9.5
const NAME_SIZE = 26
const HEADING_SIZES = { 1: 22, 2: 15, 3: 12.5 }
const CERTIFICATE_TITLE_SIZE = 30
/** Space above the first line of a certificate, in points. */
const CERTIFICATE_TOP = 60
const LIST_INDENT = 16
const MAX_LOGO = { width: 150, height: 60 }
const MAX_PICTURE = { width: 320, height: 230 }
const BAR_HEIGHT = 7
const RADAR_RADIUS = 130
const RADAR_SCALE = 0.85
/** Height below a heading that stays on the page of the heading. */
const KEPT_BELOW_HEADING = 60

/** Draws a document as a tagged PDF. Texts, fonts and structure follow docs/decisions/057. */
export const writePdf = async (document: PdfDocument, pictures: Pictures): Promise<Buffer> => {
  const writer = new Writer(document, pictures)
  return writer.write()
}

class Writer {
  readonly #canvas: Canvas
  readonly #document: PdfDocument
  readonly #pictures: Pictures

  constructor(document: PdfDocument, pictures: Pictures) {
    this.#document = document
    this.#pictures = pictures
    this.#canvas = new Canvas(document)
    this.#canvas.linkColor = document.colors.accent
  }

  get #style(): ParagraphStyle {
    const { layout, colors } = this.#document
    const align = layout === 'certificate' ? 'center' : 'start'
    return { size: TEXT_SIZE, weight: 400, color: colors.text, align }
  }

  write(): Promise<Buffer> {
    const canvas = this.#canvas
    this.#drawFrame()
    if (this.#document.layout === 'certificate') canvas.y += CERTIFICATE_TOP
    const logo = this.#pictures.get(this.#document.logo_image_id ?? '')
    if (logo) this.#drawPicture(logo, MAX_LOGO, null)
    const { parts, is_cut } = printedParts(this.#document.parts)
    for (const part of parts) this.#drawPart(canvas.root, part)
    for (const note of [
      ...(is_cut ? [CUT_NOTE] : []),
      ...(canvas.fonts.hasReplaced ? [REPLACEMENT_NOTE] : []),
    ])
      canvas.paragraph(canvas.root, 'P', [note], this.#noteStyle)
    return canvas.finish()
  }

  get #noteStyle(): ParagraphStyle {
    return { ...this.#style, size: NOTE_SIZE, color: MUTED_COLOR }
  }

  /** Draws the coloured frame of a certificate, or the coloured strip above a report. */
  #drawFrame(): void {
    const { pdf } = this.#canvas
    const { colors, layout } = this.#document
    const { width, height } = pdf.page
    this.#canvas.drawArtifact(() => {
      if (layout === 'certificate')
        pdf
          .lineWidth(3)
          .rect(24, 20, width - 48, height - 60)
          .stroke(colors.accent)
      else pdf.rect(0, 0, width, 8).fill(colors.accent)
    })
  }

  #drawPart(root: Element, part: DocumentPart): void {
    const canvas = this.#canvas
    const { colors, layout } = this.#document
    switch (part.kind) {
      case 'heading': {
        const { level, text } = part
        const isTitle = layout === 'certificate' && level === 1
        const size = isTitle ? CERTIFICATE_TITLE_SIZE : HEADING_SIZES[level]
        const color = level === 1 ? colors.accent : colors.text
        canvas.y += level === 1 ? 4 : 10
        const style: ParagraphStyle = { ...this.#style, size, weight: 600, color }
        canvas.paragraph(root, `H${level}`, [text], style, KEPT_BELOW_HEADING)
        canvas.y += 4
        return
      }
      case 'name':
        canvas.y += 12
        canvas.paragraph(root, 'P', [part.text], { ...this.#style, size: NAME_SIZE, weight: 600 })
        canvas.y += 12
        return
      case 'note':
        canvas.paragraph(root, 'P', [part.text], this.#noteStyle)
        canvas.y += 6
        return
      case 'text':
        this.#drawBlocks(root, part.blocks, 0)
        return
      case 'link':
        canvas.paragraph(root, 'P', [{ a: [part.text], href: part.href }], {
          ...{ ...this.#style, color: colors.accent },
        })
        canvas.y += 6
        return
      case 'picture': {
        const picture = this.#pictures.get(part.image_id)
        if (picture) this.#drawPicture(picture, MAX_PICTURE, part.alt)
        return
      }
      case 'figures':
        this.#drawFigures(root, part.rows, part.is_numbered)
        return
      case 'radar':
        this.#drawRadar(part.percents)
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
    const style = { ...this.#style, indent }
    for (const block of blocks) {
      if ('list' in block) this.#drawList(parent, block.list, indent)
      else {
        canvas.paragraph(parent, 'P', block, style)
        canvas.y += 5
      }
    }
  }

  #drawList(parent: Element, items: readonly (readonly Block[])[], indent: number): void {
    const canvas = this.#canvas
    const inner = indent + LIST_INDENT
    canvas.element(parent, 'L', (list) => {
      for (const item of items) {
        canvas.ensure(TEXT_SIZE * 2)
        canvas.element(list, 'LI', (entry) => {
          const dot = { x: canvas.left + indent + 5, y: canvas.y + TEXT_SIZE * 0.72 }
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
    const scale = Math.min(1, most.width / width, most.height / height)
    const [drawn_width, drawn_height] = [width * scale, height * scale]
    canvas.ensure(drawn_height + 8)
    const isCentred = this.#document.layout === 'certificate'
    const x = canvas.left + (isCentred ? (canvas.width - drawn_width) / 2 : 0)
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
    canvas.y += drawn_height + 10
  }

  #drawFigures(root: Element, rows: readonly FigureRow[], isNumbered: boolean): void {
    const canvas = this.#canvas
    const { colors } = this.#document
    const right_x = canvas.left + canvas.width
    canvas.element(root, 'L', (list) => {
      for (const [rank, { label, value, note, share }] of rows.entries()) {
        canvas.ensure(TEXT_SIZE * 4)
        canvas.element(list, 'LI', (item) =>
          canvas.element(item, 'LBody', (body) => {
            const bold = { size: TEXT_SIZE, weight: 600 as const, color: colors.text }
            const top = canvas.y
            const name = isNumbered ? `${rank + 1}. ${label}` : label
            canvas.paragraph(body, 'P', [name], { ...this.#style, align: 'start', right: 110 })
            canvas.lineAt(body, 'P', value, bold, { right_x, top })
            if (share !== undefined) this.#drawBar(share)
            if (note) canvas.paragraph(body, 'P', [note], this.#noteStyle)
            canvas.y += 4
          }),
        )
      }
    })
    canvas.y += 4
  }

  #drawBar(share: number): void {
    const canvas = this.#canvas
    const { left, width, pdf } = canvas
    const y = canvas.y + 2
    canvas.drawArtifact(() => {
      pdf.roundedRect(left, y, width, BAR_HEIGHT, 3).fill('#e6e6e3')
      if (share > 0)
        pdf
          .roundedRect(left, y, Math.max(2, width * Math.min(1, share)), BAR_HEIGHT, 3)
          .fill(this.#document.colors.accent)
    })
    canvas.y += BAR_HEIGHT + 5
  }

  /** Draws the radar with the numbers of the list that follows, which has the same figures in words. */
  #drawRadar(percents: readonly number[]): void {
    const canvas = this.#canvas
    const { pdf } = canvas
    const { colors } = this.#document
    const radius = RADAR_RADIUS * RADAR_SCALE
    canvas.ensure(2 * radius + 10)
    const centre = { x: canvas.left + canvas.width / 2, y: canvas.y + radius }
    const place = (axis: number, percent: number): [number, number] => {
      const [x, y] = radarPoint(axis, percents.length, percent)
      return [centre.x + x * RADAR_SCALE, centre.y + y * RADAR_SCALE]
    }
    const polygon = (percentOf: (axis: number) => number) =>
      pdf.polygon(...percents.map((_, axis) => place(axis, percentOf(axis))))
    canvas.drawArtifact(() => {
      pdf.lineWidth(0.7)
      for (const ring of RADAR_RINGS) polygon(() => ring).stroke('#b9b9b4')
      for (const axis of percents.keys())
        pdf
          .moveTo(centre.x, centre.y)
          .lineTo(...place(axis, 100))
          .stroke('#b9b9b4')
      pdf.fillOpacity(0.25)
      polygon((axis) => percents[axis] ?? 0).fill(colors.accent)
      pdf.fillOpacity(1).lineWidth(1.6)
      polygon((axis) => percents[axis] ?? 0).stroke(colors.accent)
      for (const [axis, percent] of percents.entries())
        pdf.circle(...place(axis, percent), 3).fill(colors.accent)
      for (const axis of percents.keys()) {
        const [x, y] = place(axis, RADAR_LABELS_AT)
        canvas.label(`${axis + 1}`, { x, y }, { size: NOTE_SIZE, weight: 600, color: colors.text })
      }
    })
    canvas.y += 2 * radius + 10
  }
}
