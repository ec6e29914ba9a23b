import type { Page } from '@playwright/test'

type Calls = { method: string; path: string }

/** Makes these calls fail like calls without a network until the returned function is called. */
export const failCalls = async (page: Page, { method, path }: Calls) => {
  await page.route(path, (route) =>
    route.request().method() === method ? route.abort() : route.fallback(),
  )
  return () => page.unroute(path)
}

/** Delays these calls until the returned function is called. */
export const delayCalls = async (page: Page, { method, path }: Calls) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}
