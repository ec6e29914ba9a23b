import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type Plugin, type ProxyOptions, type ViteDevServer } from 'vite'
import { appPolicy } from '../../src/server/http/edge/security-headers.ts'
import { ROOT } from '../imports.ts'
import { DASHBOARD_FOLDER } from './folders.ts'

const WEB = join(ROOT, 'src/web')

/** Our JSX runtimes have no variant for development, so JSX is compiled as for production. */
const oneJsxRuntime: Plugin = {
  name: 'one-jsx-runtime',
  enforce: 'post',
  config: (config) => {
    const { include = [] } = config.optimizeDeps ?? {}
    // Our own runtime stays a source file, so that its changes are seen.
    const packages = include.filter((name) => !name.startsWith('#'))
    config.optimizeDeps = { ...config.optimizeDeps, include: packages }
    return { oxc: { jsx: { development: false } } }
  },
}

/** Sources of the player in the preview, whose objects keep the code with which they were made. */
const KEPT_CODE = /\/src\/(?:web\/player|domain)\//

/** Reloads the page after changes that React's fast refresh would not show. */
const reloadForPlayer: Plugin = {
  name: 'reload-for-player',
  hotUpdate({ file, modules }) {
    if (!KEPT_CODE.test(file) || modules.length === 0) return undefined
    this.environment.hot.send({ type: 'full-reload' })
    return []
  },
}

/** Returns true for addresses of Vite: its own modules, and files of src/web. */
const isVites = (url: string): boolean => {
  const [path = '/'] = url.split(/[?#]/)
  if (path.startsWith('/@')) return true
  const file = join(WEB, path)
  return [file, join(WEB, 'public', path)].some((one) =>
    statSync(one, { throwIfNoEntry: false })?.isFile(),
  )
}

/** Content security policy of the screens, which forbids the inline scripts and styles of Vite. */
const SCREEN_POLICY = appPolicy(process.env.SUPABASE_URL || undefined)

const proxyTo = (origin: string, untilReady: () => Promise<unknown>): ProxyOptions => ({
  target: origin,
  bypass: async ({ url = '/' }) => {
    if (isVites(url)) return url
    await untilReady()
    return undefined
  },
  configure: (proxy) => {
    proxy.on('proxyRes', ({ headers }) => {
      if (headers['content-security-policy'] === SCREEN_POLICY)
        delete headers['content-security-policy']
    })
  },
})

/**
 * Starts Vite's development server. It serves the modules of the screens, replaces changed ones in the browser, and passes all
 * other requests to the product's server at `origin`, which also decides which addresses are screens. `untilReady` delays these
 * requests during a restart.
 */
export const startBrowserServer = async ({
  host,
  port,
  origin,
  untilReady,
}: {
  host: string
  port: number
  origin: string
  untilReady: () => Promise<unknown>
}): Promise<ViteDevServer> => {
  const server = await createServer({
    configFile: join(ROOT, 'vite.config.ts'),
    cacheDir: join(ROOT, 'node_modules/.cache/vite'),
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [oneJsxRuntime, reloadForPlayer],
    server: { host, port, strictPort: true, proxy: { '/': proxyTo(origin, untilReady) } },
  })
  const page = readFileSync(join(WEB, 'index.html'), 'utf8')
  mkdirSync(DASHBOARD_FOLDER, { recursive: true })
  writeFileSync(join(DASHBOARD_FOLDER, 'index.html'), await server.transformIndexHtml('/', page))
  return server.listen()
}
