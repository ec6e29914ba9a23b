import { create, type Font } from 'fontkit'
import {
  type Dict,
  isName,
  isOperator,
  PdfObjects,
  PdfReader,
  type PdfValue,
} from './pdf-objects.ts'

/**
 * Automatic checks of PDF/UA-1 (ISO 14289-1). Each error names the clause. Meaning, reading order and contrast need a
 * person.
 */

/** Structure types that the documents of the product use. */
const TYPES = /^(?:Document|H[1-6]|P|L|LI|Lbl|LBody|Link|Span|Figure|Table|TR|TH|TD)$/
/** Allowed parents of structure types with a fixed place. */
const PARENTS: Record<string, string[]> = {
  LI: ['L'],
  LBody: ['LI'],
  Lbl: ['LI'],
  TR: ['Table'],
  TH: ['TR'],
  TD: ['TR'],
}
/** Operators that show text, and operators that paint shapes and pictures. */
const SHOWS_TEXT = new Set(['Tj', 'TJ', "'", '"'])
const PAINTS = new Set(['f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*', 'Do', 'sh'])

/** Structure element with its place in the tree. */
type Element = { dict: Dict; type: string; parent: string }
/** Marked content of a page: its id, and whether it contains something visible. */
type MarkedContent = { mcid: number; isDrawn: boolean }
/** Character codes that a font shows. */
type UsedCodes = Map<Dict, Set<number>>

/** Returns the violations of PDF/UA in a document of pdfkit, one text for each violation. */
export const findAccessibilityErrors = (pdf: Buffer): string[] => {
  const objects = new PdfObjects(pdf)
  const catalog = objects.dict(objects.trailer.get('Root'))
  const used: UsedCodes = new Map()
  const contents = objects
    .ofType('Page')
    .map((page) => ({ page, ...readPage(objects, page, used) }))
  return [
    ...catalogErrors(objects, catalog),
    ...contents.flatMap(({ errors }) => errors),
    ...structureErrors(objects, catalog, contents),
    ...[...used].flatMap(([font, codes]) => fontErrors(objects, font, codes)),
  ]
}

const catalogErrors = (objects: PdfObjects, catalog: Dict): string[] => {
  const xmp = objects.bytes(catalog.get('Metadata')).toString('utf8')
  const title = objects.text(objects.dict(objects.trailer.get('Info')).get('Title'))
  const checks: [isGood: boolean, error: string][] = [
    [
      objects.dict(catalog.get('MarkInfo')).get('Marked') === true,
      '7.1: the file is not marked as tagged',
    ],
    [objects.dict(catalog.get('MarkInfo')).get('Suspects') !== true, '7.1: the tags are suspect'],
    [objects.text(catalog.get('Lang')) !== '', '7.2: the document has no language'],
    [
      objects.dict(catalog.get('ViewerPreferences')).get('DisplayDocTitle') === true,
      '7.1: the title is not displayed',
    ],
    [/<pdfuaid:part>1<|pdfuaid:part="1"/.test(xmp), '5: the metadata do not claim PDF/UA-1'],
    [/<dc:title>[\s\S]*?<rdf:li[^>]*>[^<]+</.test(xmp), '7.1: the metadata have no title'],
    [title.trim() !== '', '7.1: the document has no title'],
    [!objects.trailer.has('Encrypt'), '7.16: the file is encrypted'],
  ]
  return checks.flatMap(([isGood, error]) => (isGood ? [] : [error]))
}

/** Reads the content of a page, and reports visible content outside marked content. */
const readPage = (
  objects: PdfObjects,
  page: Dict,
  used: UsedCodes,
): { marked: MarkedContent[]; errors: string[] } => {
  const fonts = objects.dict(objects.dict(page.get('Resources')).get('Font'))
  const text = Buffer.concat(
    objects.list(page.get('Contents')).map((stream) => objects.bytes(stream)),
  )
  const reader = new PdfReader(text.toString('latin1'))
  const marked: MarkedContent[] = []
  const errors: string[] = []
  /** Open marked content; undefined for an artifact. */
  const open: (MarkedContent | undefined)[] = []
  let operands: PdfValue[] = []
  let font: Dict = new Map()
  for (let value = reader.next(); value !== undefined; value = reader.next()) {
    if (!isOperator(value)) {
      operands.push(value)
      continue
    }
    const { operator } = value
    const [first, second] = operands
    if (operator === 'BDC' || operator === 'BMC') {
      const mcid = second instanceof Map ? second.get('MCID') : undefined
      const isArtifact = isName(first) && first.name === 'Artifact'
      if (open.length > 0) errors.push('7.1: marked content is inside other marked content')
      if (!isArtifact && typeof mcid !== 'number') errors.push('7.1: marked content has no id')
      const content = isArtifact ? undefined : { mcid: Number(mcid), isDrawn: false }
      if (content) marked.push(content)
      open.push(content)
    } else if (operator === 'EMC') {
      if (open.length === 0) errors.push('7.1: marked content ends before it begins')
      open.pop()
    } else if (operator === 'Tf') font = objects.dict(fonts.get(isName(first) ? first.name : ''))
    else if (SHOWS_TEXT.has(operator) || PAINTS.has(operator)) {
      if (open.length === 0) errors.push(`7.1: ${operator} is neither tagged nor an artifact`)
      const content = open.at(-1)
      if (content) content.isDrawn = true
      if (SHOWS_TEXT.has(operator)) addCodes(used, font, operands)
    }
    operands = []
  }
  if (open.length > 0) errors.push('7.1: marked content has no end')
  if (objects.list(page.get('Annots')).length > 0 && objects.name(page.get('Tabs')) !== 'S')
    errors.push('7.18.3: the tab order of a page with links is not that of the structure')
  return { marked, errors }
}

const addCodes = (used: UsedCodes, font: Dict, operands: readonly PdfValue[]): void => {
  const codes = used.get(font) ?? new Set()
  used.set(font, codes)
  for (const shown of operands.flat())
    if (Buffer.isBuffer(shown))
      for (let at = 0; at + 1 < shown.length; at += 2) codes.add(shown.readUInt16BE(at))
}

/** Checks the structure tree: each content has one element, headings skip no level, links and figures have descriptions. */
const structureErrors = (
  objects: PdfObjects,
  catalog: Dict,
  contents: { page: Dict; marked: MarkedContent[] }[],
): string[] => {
  const root = objects.dict(catalog.get('StructTreeRoot'))
  const errors: string[] = []
  const owners = new Map<string, Element>()
  const elements: Element[] = []
  let heading = 0
  const keyOf = (page: Dict, mcid: number): string =>
    `${contents.findIndex((content) => content.page === page)} ${mcid}`

  const visit = (value: PdfValue, parent: string, on_page: Dict): void => {
    const dict = objects.dict(value)
    const type = objects.name(dict.get('S'))
    const element = { dict, type, parent }
    const page = dict.has('Pg') ? objects.dict(dict.get('Pg')) : on_page
    elements.push(element)
    if (!TYPES.test(type)) errors.push(`7.1: unknown structure type « ${type} »`)
    if (PARENTS[type]?.includes(parent) === false) errors.push(`7.2: ${type} is inside ${parent}`)
    if (parent === 'L' && type !== 'LI') errors.push(`7.2: ${type} is inside L`)
    if (/^H\d$/.test(type)) {
      const level = Number(type.slice(1))
      if (level > heading + 1) errors.push(`7.4.2: H${level} follows H${heading}`)
      heading = level
    }
    let kids = 0
    for (const kid of objects.list(dict.get('K'))) {
      const inner = objects.dict(kid)
      const kind = objects.name(inner.get('Type'))
      kids++
      if (kind === 'OBJR') continue
      if (typeof kid !== 'number' && kind !== 'MCR') {
        visit(kid, type, page)
        continue
      }
      const place = inner.has('Pg') ? objects.dict(inner.get('Pg')) : page
      const key = keyOf(place, Number(typeof kid === 'number' ? kid : inner.get('MCID')))
      if (owners.has(key)) errors.push('7.1: a content has two structure elements')
      owners.set(key, element)
    }
    if (kids === 0) errors.push(`7.1: ${type} is empty`)
    if (type === 'Figure' && objects.text(dict.get('Alt')).trim() === '')
      errors.push('7.3: a figure has no alternative text')
    if (type === 'Figure' && !dict.has('A')) errors.push('7.3: a figure has no attributes')
  }
  for (const kid of objects.list(root.get('K'))) visit(kid, 'StructTreeRoot', new Map())
  if (!elements.some(({ type }) => type === 'H1')) errors.push('7.4: the document has no H1')

  for (const { page, marked } of contents)
    for (const { mcid, isDrawn } of marked) {
      const owner = owners.get(keyOf(page, mcid))
      if (!owner && isDrawn) errors.push('7.1: a content has no structure element')
      owners.delete(keyOf(page, mcid))
      const parents = objects.list(parentAt(objects, root, page.get('StructParents')))
      if (owner && objects.dict(parents[mcid]) !== owner.dict)
        errors.push('7.1: the parent tree names another element of a content')
    }
  if (owners.size > 0) errors.push('7.1: a structure element has a content that no page has')
  return [...errors, ...linkErrors(objects, root, elements)]
}

/** Returns the entry of the parent tree at a number. */
const parentAt = (
  objects: PdfObjects,
  root: Dict,
  number: PdfValue | undefined,
): PdfValue | undefined => {
  const pairs = objects.list(objects.dict(root.get('ParentTree')).get('Nums'))
  const at = pairs.findIndex((pair, index) => index % 2 === 0 && pair === number)
  return at < 0 ? undefined : pairs[at + 1]
}

const linkErrors = (objects: PdfObjects, root: Dict, elements: readonly Element[]): string[] => {
  const annotations = objects.ofType('Annot')
  const owners = new Map<Dict, Element>()
  for (const element of elements)
    for (const kid of objects.list(element.dict.get('K'))) {
      const inner = objects.dict(kid)
      if (objects.name(inner.get('Type')) === 'OBJR')
        owners.set(objects.dict(inner.get('Obj')), element)
    }
  return annotations.flatMap((annotation): string[] => {
    const owner = owners.get(annotation)
    const parent = objects.dict(parentAt(objects, root, annotation.get('StructParent')))
    const checks: [isGood: boolean, error: string][] = [
      [owner?.type === 'Link', '7.18.5: a link is not inside a Link element'],
      [owner?.dict === parent, '7.18.5: the parent tree names another element of a link'],
      [objects.text(annotation.get('Contents')).trim() !== '', '7.18.5: a link has no description'],
    ]
    return checks.flatMap(([isGood, error]) => (isGood ? [] : [error]))
  })
}

/** Checks that a font is embedded, and that each shown character has a glyph, a width and a Unicode value. */
const fontErrors = (objects: PdfObjects, font: Dict, codes: ReadonlySet<number>): string[] => {
  const name = objects.name(font.get('BaseFont'))
  const [descendant] = objects.list(font.get('DescendantFonts'))
  const cid = objects.dict(descendant)
  const descriptor = objects.dict(cid.get('FontDescriptor'))
  const file = objects.bytes(descriptor.get('FontFile2') ?? descriptor.get('FontFile3'))
  if (file.length === 0) return [`7.21.4.1: ${name} is not embedded`]
  const errors: string[] = []
  const unicode = unicodeOf(objects.bytes(font.get('ToUnicode')).toString('latin1'))
  const widths = widthsOf(objects, cid)
  const opened = descriptor.has('FontFile2') ? (create(file) as Font) : undefined
  const set = objects.get(descriptor.get('CIDSet')) && objects.bytes(descriptor.get('CIDSet'))
  if (descriptor.has('FontFile2') && !cid.has('CIDToGIDMap'))
    errors.push(`7.21.3.2: ${name} has no map of glyphs`)
  for (let glyph = 0; set && opened && glyph < opened.numGlyphs; glyph++)
    if (((set[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) === 0) {
      errors.push(`7.21.4.2: the set of ${name} lacks glyph ${glyph} of ${opened.numGlyphs}`)
      break
    }
  for (const code of codes) {
    const text = unicode.get(code) ?? ''
    if (code === 0) errors.push(`7.21.8: ${name} shows a missing character`)
    if (text === '' || /[\0\ufeff\ufffe]/.test(text))
      errors.push(`7.21.7: ${name} has no Unicode value for ${code}`)
    const width = opened && (opened.getGlyph(code).advanceWidth * 1_000) / opened.unitsPerEm
    if (width !== undefined && Math.abs(width - (widths.get(code) ?? 1_000)) > 1)
      errors.push(`7.21.5: ${name} has the width ${widths.get(code)} for a glyph of ${width}`)
  }
  return errors
}

/** Returns the Unicode values of character codes. */
const unicodeOf = (map: string): Map<number, string> => {
  const found = new Map<number, string>()
  for (const [, from = '', , values = ''] of map.matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g))
    for (const [rank, [, hex = '']] of [...values.matchAll(/<([^>]*)>/g)].entries())
      found.set(Number.parseInt(from, 16) + rank, utf16(hex.replaceAll(' ', '')))
  for (const [, code = '', hex = ''] of map.matchAll(/^<(\w+)> <(\w+)>$/gm))
    found.set(Number.parseInt(code, 16), utf16(hex))
  return found
}
const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** Returns the widths of glyphs, in thousandths of the font size. */
const widthsOf = (objects: PdfObjects, font: Dict): Map<number, number> => {
  const widths = new Map<number, number>()
  const entries = objects.list(font.get('W'))
  for (let index = 0; index + 1 < entries.length; index += 2)
    for (const [rank, width] of objects.list(entries[index + 1]).entries())
      widths.set(Number(entries[index]) + rank, Number(width))
  return widths
}
