import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  minifySync,
  type Plugin,
} from 'vite'

/** The server renders the player on React, because its own JSX runtime needs a browser. */
const reactOnServer: Plugin = {
  name: 'react-on-server',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  resolveId(id) {
    return id === '#web/player/jsx-runtime' ? this.resolve('#web/french/jsx-runtime') : undefined
  },
}

/** Minifies once more with the minifier of Vite, which saves another 0.5 %. */
const smallestOfBoth: Plugin = {
  name: 'smallest-of-both',
  applyToEnvironment: ({ name }) => name !== 'ssr',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      const { code, errors } = minifySync(file.fileName, file.code, {
        module: true,
        compress: { target: 'es2022' },
        mangle: { toplevel: true },
        codegen: { removeWhitespace: true },
      })
      if (errors.length > 0) throw new Error(`${file.fileName}: ${errors[0]?.message}`)
      file.code = code
    }
  },
}

/** Options of the player's script. Terser makes it 2 % smaller than the minifier of Vite does. */
const SMALLEST: BuildEnvironmentOptions = {
  target: 'es2022',
  minify: 'terser',
  terserOptions: {
    module: true,
    ecma: 2020,
    // Each option was measured and makes the compressed page smaller.
    compress: {
      passes: 3,
      pure_getters: true,
      collapse_vars: false,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
  },
}

const PLAYER = 'src/web/player'
const SHARED = join(import.meta.dirname, PLAYER, 'shared.ts')
const IMPORT = /import \{([^}]*)\} from '([^']+)'/g
/** Marks for the proxy of a module and for the module behind it. */
const PROXY = '\0shared:'
const OWN = '?own'

/**
 * Makes the bundles that join a page take from its script what shared.ts lists. Each module of the list is replaced by a
 * proxy, whose other exports are those of the module.
 */
const shareModules = (): Plugin => {
  const shared = new Map<string, string[]>()
  return {
    name: 'share-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name in BUNDLES,
    async buildStart() {
      for (const [, names = '', path = ''] of readFileSync(SHARED, 'utf8').matchAll(IMPORT)) {
        const found = await this.resolve(path, SHARED)
        if (found)
          shared.set(
            found.id,
            names
              .split(',')
              .map((name) => name.trim())
              .filter(Boolean),
          )
      }
    },
    async resolveId(path, importer) {
      if (path.endsWith(OWN)) return path
      const found = importer && (await this.resolve(path, importer, { skipSelf: true }))
      return found && shared.has(found.id) ? PROXY + found.id : undefined
    },
    load(id) {
      if (!id.startsWith(PROXY)) return undefined
      const file = id.slice(PROXY.length)
      const names = shared.get(file) ?? []
      const lines = names.map((name) => `export const ${name} = globalThis.quizaine.${name}`)
      return [...lines, `export * from '${file}${OWN}'`].join('\n')
    },
  }
}

/** Bundles that join a page, by the name of their environment. The page's script loads `later`; the others are inlined. */
const BUNDLES: Record<string, string> = {
  later: 'assets/player-[hash].js',
  options: 'options.js',
  texts: 'texts.js',
}

/** Address of the second file, which the bundle `later` decides. */
let later_address = ''

/** Writes the address of the second file into the page's script. */
const addressOfLater: Plugin = {
  name: 'address-of-later',
  applyToEnvironment: ({ name }) => ['later', 'client'].includes(name),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      if (this.environment.name === 'later') later_address = `/${file.fileName}`
      else if (later_address)
        file.code = file.code.replace(/\bLATER_ADDRESS\b/, JSON.stringify(later_address))
      else this.error('The second file must be built first')
    }
  },
}

/** Leaves out the stylesheets, which the renderer of the markup contains. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name !== 'ssr',
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (name.endsWith('.css')) delete bundle[name]
  },
}

const joiningBundle = (name: string, entry = name): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    emptyOutDir: false,
    ...SMALLEST,
    rolldownOptions: {
      input: `${PLAYER}/bundles/${entry}.ts`,
      treeshake: { propertyReadSideEffects: false },
      // A part follows the page's script in one element, so that its names need a scope of their own.
      output: { entryFileNames: BUNDLES[name], format: name === 'later' ? 'es' : 'iife' },
    },
  },
})

/**
 * Builds the public page's script, which the server inlines, and the bundles that join it. Also builds the renderer of
 * the markup, and the two scripts for frames on other sites.
 */
export default defineConfig({
  plugins: [reactOnServer, shareModules(), smallestOfBoth, addressOfLater, withoutStyles],
  publicDir: false,
  builder: {
    // One configuration for all, so that the page's script learns the address of the second file.
    sharedConfigBuild: true,
    sharedPlugins: true,
    async buildApp({ build, environments }) {
      for (const name of ['later', 'client', 'options', 'texts', 'ssr']) {
        const environment = environments[name]
        if (environment) await build(environment)
      }
    },
  },
  build: { outDir: 'dist/player', modulePreload: false, cssCodeSplit: false },
  environments: {
    later: joiningBundle('later', 'second-file'),
    options: joiningBundle('options'),
    texts: joiningBundle('texts'),
    client: {
      build: {
        ...SMALLEST,
        emptyOutDir: false,
        rolldownOptions: {
          input: {
            player: `${PLAYER}/main.ts`,
            framed: 'src/web/embed/framed.ts',
            embed: 'src/web/embed/embed.ts',
          },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        emptyOutDir: false,
        target: 'node24',
        cssMinify: true,
        rolldownOptions: {
          input: `${PLAYER}/render.tsx`,
          output: { entryFileNames: 'render.js' },
        },
      },
    },
  },
})
