import type { ChildProcess } from 'node:child_process'
import {
  DISPLAY_SERVER,
  findMiniBrowser,
  WEBKIT_DRIVER,
} from '../../../scripts/test/other-browsers.ts'
import { freePort } from '../../../src/server/testing/network/proxies/free-port.ts'
import { poll, startProgram, stopProgram } from './child-process.ts'
import { proxyWithConsole } from './console-proxy.ts'
import { CALL_TIMEOUT_MS, type Tab, type TabOptions, WINDOWS } from './tab.ts'

/** Starts WebKit's MiniBrowser on a virtual display and drives it through WebDriver. */
export const openWebkit = async (
  origin: string,
  { window, has_javascript }: TabOptions,
): Promise<Tab> => {
  const proxy = await proxyWithConsole(origin)
  const { child: display, match: number } = await startDisplay()
  const driver = await startDriver(number)
  const { sessionId } = await driver.call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: findMiniBrowser(),
          args: ['--automation', `--enable-javascript=${has_javascript}`],
        },
      },
    },
  })
  const call = <T = void>(path: string, body: object = {}): Promise<T> =>
    driver.call('POST', `/session/${sessionId}${path}`, body)
  await call('/window/rect', { x: 0, y: 0, ...WINDOWS[window] })
  const evaluate = (expression: string): Promise<string> =>
    call('/execute/sync', { script: `return ${expression}`, args: [] })
  const tab: Tab = {
    // The driver of WebKitGTK simulates no touch.
    pointer: 'mouse',
    open: async (address) => {
      await call('/frame', { id: null })
      await call('/url', { url: new URL(address, proxy.origin).href })
    },
    enterFrame: async () => {
      const frame = await call('/element', { using: 'css selector', value: 'iframe' })
      await call('/frame', { id: frame })
      return tab
    },
    reload: () => call('/refresh'),
    goBack: () => call('/back'),
    evaluate,
    act: (source) => call('/actions', { actions: [source] }),
    readErrors: () => proxy.errors,
    close: async () => {
      await driver.call('DELETE', `/session/${sessionId}`)
      await stopProgram(driver.child)
      await stopProgram(display)
      proxy.close()
    },
  }
  return tab
}

/** Starts an X server without a screen, on the first free display number. */
const startDisplay = (): Promise<{ child: ChildProcess; match: string }> =>
  startProgram(DISPLAY_SERVER, {
    args: ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    pattern: /^(\d+)\n/m,
  })

const startDriver = async (display: string) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { child } = await startProgram('sh', {
    args: ['-c', `echo started; exec ${WEBKIT_DRIVER} --port=${port}`],
    env: { DISPLAY: `:${display}`, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    pattern: /started/,
  })
  const call = async <T = void>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const { value } = (await response.json()) as { value: T & { message?: string } }
    if (!response.ok) throw new Error(`${method} ${path}: ${value.message}`)
    return value
  }
  await poll(
    () => call<object>('GET', '/status').catch(() => undefined),
    () => `${WEBKIT_DRIVER} did not become ready`,
  )
  return { child, call }
}
