import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { read } from './lean-react/parts.ts'
import { randomStates } from './lean-react/random-states.ts'
import { openRuntimePage } from './lean-react/runtime-page.ts'
import type { showInTurn, Turns } from './lean-react/turns.ts'

declare global {
  interface Window {
    showInTurn: typeof showInTurn
  }
}

for (const is_written of [false, true])
  test(`whatever follows whatever, ${is_written ? 'from what the server wrote on' : 'from nothing on'}, the page is as React would have it`, async ({
    page,
  }) => {
    await openRuntimePage(page)
    await page.addScriptTag({
      type: 'module',
      content: `import { showInTurn } from '/turns.ts'; Object.assign(window, { showInTurn })`,
    })
    await page.waitForFunction(() => 'showInTurn' in window)
    await fc.assert(
      fc.asyncProperty(randomStates, async (states) => {
        const markup = states.map((state) => renderToStaticMarkup(read(state)))
        const turns: Turns = { states, markup, is_written }
        const outcome = await page.evaluate((given) => window.showInTurn(given), turns)
        expect(outcome).toEqual({ wrong: [], replaced: 0 })
      }),
      { numRuns: 300 },
    )
  })
