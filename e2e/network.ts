import type { Page } from '@playwright/test'

type Calls = { method: string; path: string }

/** Calls of this kind fail, as when the network is away, until the function given back is called. */
export const failing = async (page: Page, { method, path }: Calls) => {
  await page.route(path, (route) =>
    route.request().method() === method ? route.abort() : route.fallback(),
  )
  return () => page.unroute(path)
}

/** Calls of this kind wait until the function given back is called. */
export const held = async (page: Page, { method, path }: Calls) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}
