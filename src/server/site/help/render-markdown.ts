import { fromMarkdown } from 'mdast-util-from-markdown'
import { comparableText } from '#domain/common/comparable-text.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root['children'][number]

/** A picture as the page shows it. The dark one is for browsers in dark mode. */
export type Picture = {
  path: string
  dark_path?: string | undefined
  width: number
  height: number
}

/** A heading or paragraph of a page, for the search. */
export type TextBlock = {
  text: string
  /** Id of the heading above the text; '' before the first heading. */
  anchor: string
  is_heading: boolean
}

/** A parsed page: its title, its first paragraph, its HTML and its texts. */
export type ParsedPage = {
  title: string
  summary: string
  html: string
  blocks: TextBlock[]
  /** Names of the files of its pictures. */
  pictures: string[]
  /** Texts in bold, which are labels of the product. */
  labels: string[]
}

/** Returns the id of a heading: its letters and digits without accents, joined by hyphens. */
const anchorOf = (heading: string): string =>
  comparableText(heading)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const textOf = (node: Node): string => {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/**
 * Parses a page of the help. Throws an error for syntax that the pages do not use, such as HTML. `pictureOf` returns a
 * picture by the name of its file.
 */
export const parseHelpPage = (source: string, pictureOf: (name: string) => Picture): ParsedPage => {
  const [title, ...nodes] = fromMarkdown(source).children
  const [summary, ...content] = nodes
  if (title?.type !== 'heading' || title.depth !== 1 || summary?.type !== 'paragraph')
    throw new Error('A page begins with its title and one paragraph')
  const page: ParsedPage = {
    title: textOf(title),
    summary: textOf(summary),
    html: '',
    blocks: [],
    pictures: [],
    labels: [],
  }
  let anchor = ''
  const addBlock = (text: string, is_heading = false): void => {
    if (text.trim() !== '')
      page.blocks.push({ text: text.replace(/\s+/g, ' ').trim(), anchor, is_heading })
  }
  const inside = (children: readonly Node[]): string => children.map(render).join('')
  const imageOf = (url: string, alt: string): string => {
    const { path, dark_path, width, height } = pictureOf(url)
    page.pictures.push(url)
    const image = `<img src="${path}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy">`
    return dark_path === undefined
      ? `<figure>${image}</figure>`
      : `<figure><picture><source srcset="${dark_path}" media="(prefers-color-scheme: dark)">${image}</picture></figure>`
  }
  const render = (node: Node): string => {
    switch (node.type) {
      case 'text':
        return escapeHtml(node.value)
      case 'strong':
        page.labels.push(textOf(node))
        return `<strong>${inside(node.children)}</strong>`
      case 'emphasis':
        return `<em>${inside(node.children)}</em>`
      case 'inlineCode':
        return `<code>${escapeHtml(node.value)}</code>`
      case 'link':
        return `<a href="${escapeHtml(node.url)}">${inside(node.children)}</a>`
      case 'heading': {
        anchor = anchorOf(textOf(node))
        addBlock(textOf(node), true)
        return `<h${node.depth} id="${anchor}">${inside(node.children)}</h${node.depth}>`
      }
      case 'paragraph': {
        const [only] = node.children
        if (only?.type === 'image') return imageOf(only.url, only.alt ?? '')
        addBlock(textOf(node))
        return `<p>${inside(node.children)}</p>`
      }
      case 'list': {
        const tag = node.ordered ? 'ol' : 'ul'
        return `<${tag}>${inside(node.children)}</${tag}>`
      }
      case 'listItem':
        return `<li>${node.children.map(renderItemPart).join('')}</li>`
      case 'blockquote':
        return `<div class="note">${inside(node.children)}</div>`
      default:
        throw new Error(`The pages of the help have no ${node.type}`)
    }
  }
  const renderItemPart = (node: Node): string => {
    if (node.type !== 'paragraph') return render(node)
    addBlock(textOf(node))
    return inside(node.children)
  }
  addBlock(page.title, true)
  page.html = `<p class="lead">${renderItemPart(summary)}</p>${inside(content)}`
  return page
}
