import type { Page } from '@playwright/test'

/** How a text node is translated: in `root`, with `mark` around the words of the translation. */
type Translation = {
  root?: string
  mark?: readonly [string, string]
  /** True if texts that the page shows later are translated too, as by a browser. */
  isLasting?: boolean
}

/**
 * Simulates a browser's translation: each text node of the page, or of an element, is replaced by two elements with
 * another text.
 */
export const translate = (
  page: Page,
  { root = 'body', mark = ['', ''], isLasting = false }: Translation = {},
): Promise<void> =>
  page.evaluate(
    ({ selector, before, after, lasts }) => {
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
          inner.textContent = `${before}${node.data}${after}`
          outer.append(inner)
          node.replaceWith(outer)
        }
      }
      for (const element of document.querySelectorAll(selector)) wrap(element)
      if (!lasts) return
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (node.isConnected) wrap(node)
      }).observe(document.body, { childList: true, subtree: true })
    },
    { selector: root, before: mark[0], after: mark[1], lasts: isLasting },
  )

/** Translates the page and everything that it shows afterwards, as a browser does. */
export const keepTranslating = (page: Page): Promise<void> => translate(page, { isLasting: true })
