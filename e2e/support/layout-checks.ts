import type { Locator, Page } from '@playwright/test'

/** Browser settings of a phone with a touch screen. */
export const TOUCH = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * Lists the visible controls within an element that are narrower or lower than 44 px. A box is measured with its
 * label. Links within a sentence are excluded (WCAG 2.5.8).
 */
export const findSmallTargets = (within: Locator): Promise<string[]> =>
  within.evaluate((root) => {
    const SMALLEST = 44
    const isInSentence = (element: Element): boolean =>
      element.tagName === 'A' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
    const controls = root.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role=button], [tabindex="0"]:not([role=region])',
    )
    return [...controls].flatMap((control) => {
      const isBox = control.matches('[type=checkbox], [type=radio]')
      const label = isBox && control instanceof HTMLInputElement ? control.labels?.[0] : null
      const area = label ?? control
      const { width, height } = area.getBoundingClientRect()
      const isClipped = getComputedStyle(control).clipPath !== 'none'
      // Elements far from the screen are not rendered and have no size.
      const drawn = { visibilityProperty: true, contentVisibilityAuto: true }
      const isHidden = isClipped || !control.checkVisibility(drawn)
      if (isHidden || control.closest('[inert]') || isInSentence(control)) return []
      if (Math.round(width) >= SMALLEST && Math.round(height) >= SMALLEST) return []
      const name = control.getAttribute('aria-label') ?? area.textContent
      return [`${control.tagName} ${name} (${Math.round(width)} × ${Math.round(height)})`]
    })
  })

/** Returns by how many pixels the content of a page is wider than its window. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Runs a check in a window of each of these widths. The window keeps the last width. */
export const atEachWidth = async (
  page: Page,
  widths: readonly number[],
  check: (width: number) => Promise<void>,
): Promise<void> => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await check(width)
  }
}
