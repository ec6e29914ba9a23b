import { expect, type Locator, type Page } from '@playwright/test'

/** Counts of one job: clicks or taps, and keys that type no content. */
export type GestureCount = { clicks: number; keys: number }

const MAX_TAB_STOPS = 80
/** Longest time between the two taps of a double tap, of which the second has no effect (`web/ui/presses.ts`). */
const DOUBLE_TAP_MS = 400

/**
 * Returns actions on the page that count gestures: `clicks` counts clicks and taps, `keys` all keys, and `content` the
 * keys that type content.
 */
export const createGestureCounter = (page: Page) => {
  const done = { clicks: 0, keys: 0, content: 0 }
  let last_tap_ms = Number.NEGATIVE_INFINITY
  const press = async (key: string): Promise<void> => {
    done.keys++
    await page.keyboard.press(key)
  }
  /** Presses Tab until an element has the focus. */
  const moveTo = async (target: Locator): Promise<void> => {
    await expect(target).not.toHaveCount(0)
    const isReached = () =>
      target.evaluateAll((found) => found.some((element) => element === document.activeElement))
    for (let stops = 0; stops < MAX_TAB_STOPS && !(await isReached()); stops++) await press('Tab')
    await expect(target).toBeFocused()
  }
  return {
    done,
    click: async (target: Locator): Promise<void> => {
      done.clicks++
      await target.click()
    },
    tap: async (target: Locator): Promise<void> => {
      done.clicks++
      await expect.poll(() => performance.now() - last_tap_ms).toBeGreaterThan(DOUBLE_TAP_MS)
      await target.tap()
      last_tap_ms = performance.now()
    },
    write: async (field: Locator, text: string): Promise<void> => {
      await expect(field).toBeFocused()
      done.keys += text.length
      done.content += text.length
      await page.keyboard.type(text)
    },
    press,
    moveTo,
    /** Does a job and returns its gestures. */
    count: async (job: () => Promise<void>): Promise<GestureCount> => {
      const before = { ...done }
      await job()
      const content = done.content - before.content
      return { clicks: done.clicks - before.clicks, keys: done.keys - before.keys - content }
    },
  }
}

/** Expects that a job took at most so many clicks and keys. */
export const expectAtMost = (
  job: string,
  counted: GestureCount,
  most: Partial<GestureCount>,
): void => {
  console.log(`${job}: ${counted.clicks} clicks, ${counted.keys} keys`)
  for (const [gesture, limit] of Object.entries(most) as [keyof GestureCount, number][])
    expect(counted[gesture], `${gesture} of ${job}`).toBeLessThanOrEqual(limit)
}
