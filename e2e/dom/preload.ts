import { registerHooks } from 'node:module'

const REPLACEMENT = new URL('playwright-test.ts', import.meta.url).href

// The time zone of the journeys in Chromium (playwright.config.ts).
process.env.TZ = 'Europe/Paris'

// Journeys that are loaded afterwards import the DOM instead of Playwright. `require` still finds the package.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@playwright/test' && !context.conditions.includes('require')
      ? { url: REPLACEMENT, shortCircuit: true }
      : next(specifier, context),
})

export { prepareFile } from './playwright-test.ts'
