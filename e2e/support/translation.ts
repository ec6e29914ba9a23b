import type { Page } from '@playwright/test'

/**
 * Simulates a browser's translation of the whole page, or of an element: each text node is replaced by two elements
 * with another text. Texts that the page shows later are translated by the next call.
 */
const translate = (page: Page, root = 'body'): Promise<void> =>
  page.evaluate((selector) => {
    const texts: Text[] = []
    for (const element of document.querySelectorAll(selector)) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (walker.nextNode())
        if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
    }
    for (const text of texts) {
      const { parentElement } = text
      const isWord =
        text.data.trim() !== '' && !parentElement?.closest('script, style, svg, option, textarea')
      if (!isWord || parentElement?.closest('font')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
  }, root)

/** Translates the page and everything that it shows afterwards, as a browser does. */
export const keepTranslating = async (page: Page): Promise<void> => {
  await translate(page)
  await page.evaluate(() => {
    const wrap = (node: Node): void => {
      if (node instanceof Element) {
        if (/^(?:FONT|SCRIPT|STYLE|svg|OPTION|TEXTAREA|TITLE)$/.test(node.nodeName)) return
        for (const child of [...node.childNodes]) wrap(child)
      } else if (
        node instanceof Text &&
        node.data.trim() &&
        node.parentElement?.nodeName !== 'FONT'
      ) {
        const [outer, inner] = [document.createElement('font'), document.createElement('font')]
        inner.textContent = node.data
        outer.append(inner)
        node.replaceWith(outer)
      }
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.isConnected) wrap(node)
    }).observe(document.body, { childList: true, subtree: true })
  })
}
