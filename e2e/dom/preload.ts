import { registerHooks } from 'node:module'

const REPLACEMENT = new URL('playwright-test.ts', import.meta.url).href

// Journeys that are loaded afterwards import the DOM instead of Playwright. `require` still finds the package.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@playwright/test' && !context.conditions.includes('require')
      ? { url: REPLACEMENT, shortCircuit: true }
      : next(specifier, context),
})

export { prepareFile } from './playwright-test.ts'
