import { createRequire } from 'node:module'
import { after, before, test as nodeTest, suite } from 'node:test'
import { pickByRun } from '../../src/domain/testing/pick-by-run.ts'
import { expectLocator, expectPage } from './expect.ts'
import {
  type Definitions,
  defineFixtures,
  type Fixtures,
  runWithFixtures,
  type TestBody,
} from './fixture-engine.ts'
import { DomLocator } from './locator.ts'
import { DomPage } from './page.ts'
import { waitFor } from './wait.ts'

/**
 * Stands for `@playwright/test` while a journey runs in a DOM without a browser: the same fixtures, pages and assertions, on
 * Node's test runner.
 */

/** Playwright's assertions of values. `require`, because the hook of the DOM replaces the package for `import`. */
const { expect: expectValue } = createRequire(import.meta.url)(
  '@playwright/test',
) as typeof import('@playwright/test')

/** Tag of the journeys that need no layout, no gestures and no second tab. */
const DOM_TAG = '@dom'
/** Tag of the journeys that `npm test` leaves to `npm run test:all`. */
const RARE_TAG = '@rare'
const TEST_TIMEOUT_MS = 300_000

type LoadedFile = { file: string; options: Fixtures; beforeEach?: TestBody }
/** The file that is loaded, the options that its `test.use` set, and what runs before each of its tests. */
let loaded: LoadedFile = { file: '', options: {} }

/** Forgets the options of the file before. Called before each file of journeys is loaded. */
export const prepareFile = (file: string): void => {
  loaded = { file, options: {} }
}

/** Project of Playwright whose screens a DOM shows. Journeys name their data after it. */
const INFO = { project: { name: 'desktop' } }

type Details = { tag?: string | string[] }

/** Returns true if a journey runs in this run of the DOM. */
const isWanted = ({ tag = [] }: Details): boolean => {
  const tags = [tag].flat()
  return tags.includes(DOM_TAG) && pickByRun({ daily: !tags.includes(RARE_TAG), all: true })
}

/** Creates the function that declares tests with these fixtures. */
const createTest = (definitions: Definitions) => {
  const declare = (name: string, details: Details | TestBody, body?: TestBody): void => {
    if (body === undefined || typeof details === 'function' || !isWanted(details)) return
    const used = defineFixtures(definitions, loaded.options)
    // Node reports the place of this call, so that the name tells the file.
    const bodies = loaded.beforeEach ? [loaded.beforeEach, body] : [body]
    nodeTest(`${loaded.file} ${name}`, { timeout: TEST_TIMEOUT_MS }, () =>
      runWithFixtures(used, bodies, INFO),
    )
  }
  return Object.assign(declare, {
    extend: (added: Fixtures) => createTest(defineFixtures(definitions, added)),
    use: (values: Fixtures): void => {
      loaded.options = { ...loaded.options, ...values }
    },
    beforeAll: before,
    afterAll: after,
    step: (_name: string, work: () => unknown) => work(),
    slow: (): void => undefined,
    describe: Object.assign(describeWithOptions, { configure: (): void => undefined }),
    beforeEach: (body: TestBody): void => {
      loaded.beforeEach = body
    },
  })
}

/** Groups tests. Options that are set in a group end with it. */
const describeWithOptions = (name: string, declareTests: () => void): unknown =>
  suite(name, () => {
    const { options, beforeEach } = loaded
    declareTests()
    loaded.options = options
    if (beforeEach) loaded.beforeEach = beforeEach
    else delete loaded.beforeEach
  })

const ORIGIN = process.env.E2E_ORIGIN ?? ''

export const test = createTest(
  defineFixtures(new Map(), {
    baseURL: ORIGIN,
    browserName: 'dom',
    isMobile: false,
    viewport: { width: 1440, height: 900 },
    hasTouch: false,
    page: async (
      { baseURL, viewport, hasTouch }: Fixtures,
      use: (value: unknown) => Promise<void>,
    ) => {
      const size = viewport as { width: number; height: number }
      const page = new DomPage(String(baseURL), { ...size, has_touch: hasTouch === true })
      await use(page)
      await page.close()
    },
    context: async ({ page }: Fixtures, use: (value: unknown) => Promise<void>) =>
      use((page as DomPage).context()),
  }),
)

type Matchers = Record<string, (...given: unknown[]) => void>

/** Returns assertions of a value that are repeated until they are met. */
const pollMatchers = (read: () => unknown, timeout_ms: number | undefined): unknown => {
  const assert = (name: string, isNegated: boolean, given: unknown[]): Promise<void> =>
    waitFor(async () => {
      const actual = expectValue(await read())
      const matchers = (isNegated ? actual.not : actual) as unknown as Matchers
      matchers[name]?.(...given)
    }, timeout_ms)
  const createMatchers = (isNegated: boolean): unknown =>
    new Proxy(
      {},
      {
        get: (_, name) =>
          name === 'not'
            ? createMatchers(true)
            : (...given: unknown[]) => assert(String(name), isNegated, given),
      },
    )
  return createMatchers(false)
}

const expectAny = (actual: unknown, message?: string): unknown => {
  if (actual instanceof DomLocator) return expectLocator(actual)
  if (actual instanceof DomPage) return expectPage(actual)
  if (typeof actual === 'function') return { toPass: () => waitFor(() => actual()) }
  return expectValue(actual, message)
}

export const expect = Object.assign(expectAny, {
  soft: expectAny,
  poll: (read: () => unknown, { timeout }: { timeout?: number } = {}) =>
    pollMatchers(read, timeout),
  arrayContaining: expectValue.arrayContaining,
  objectContaining: expectValue.objectContaining,
  stringContaining: expectValue.stringContaining,
  stringMatching: expectValue.stringMatching,
  any: expectValue.any,
})
