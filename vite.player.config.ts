import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  minifySync,
  type Plugin,
} from 'vite'
import { constantModules } from './scripts/constant-modules.ts'
import { phoneMetadata } from './scripts/phone-metadata.ts'
import {
  addressesOfFiles,
  BUNDLES,
  noModuleTwice,
  noShortAttribute,
  PLAYER,
  scopeOfParts,
  shareModules,
  TERSER,
} from './scripts/player-bundles.ts'
import { VISITOR_CSS_TARGET, VISITOR_TARGET } from './scripts/visitor-engines.ts'

/** Mode of `npm run dev`. */
const DEVELOPMENT = 'development'

/** Keeps the code readable and writes source maps, which `npm run dev` adds to the scripts. */
const readable: Plugin = {
  name: 'readable',
  apply: (_, { mode }) => mode === DEVELOPMENT,
  configEnvironment: () => ({ build: { minify: false, sourcemap: 'hidden' } }),
}

/** The server renders the player on React, because its own JSX runtime needs a browser. */
const reactOnServer: Plugin = {
  name: 'react-on-server',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  resolveId(id) {
    return id === '#web/player/jsx-runtime'
      ? this.resolve('#web/player/server-jsx-runtime.ts')
      : undefined
  },
}

/** Minifies once more with the minifier of Vite, which saves another 0.5 %. */
const smallestOfBoth: Plugin = {
  name: 'smallest-of-both',
  apply: (_, { mode }) => mode !== DEVELOPMENT,
  applyToEnvironment: ({ name }) => name !== 'ssr',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      const { code, errors } = minifySync(file.fileName, file.code, {
        module: true,
        compress: { target: VISITOR_TARGET },
        mangle: { toplevel: true },
        codegen: { removeWhitespace: true },
      })
      if (errors.length > 0) throw new Error(`${file.fileName}: ${errors[0]?.message}`)
      file.code = code
    }
  },
}

/** Options of the player's scripts; the options of Terser are at the top of the configuration. */
const SMALLEST: BuildEnvironmentOptions = { target: VISITOR_TARGET, minify: 'terser' }

/** Leaves out the stylesheets, which the renderer of the markup contains. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name !== 'ssr',
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (name.endsWith('.css')) delete bundle[name]
  },
}

/** Names the file for the licences of the packages in an environment. scripts/licences reads these files. */
const licencesOf = (name: string) => ({ fileName: `.vite/licences-${name}.json` })

const joiningBundle = (name: string, entry = name): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    emptyOutDir: false,
    license: licencesOf(name),
    ...SMALLEST,
    rolldownOptions: {
      input: `${PLAYER}/bundles/${entry}.ts`,
      treeshake: { propertyReadSideEffects: false },
      // Small letters and digits make the address in the page's script two bytes smaller than other letters do.
      output: { entryFileNames: BUNDLES[name], hashCharacters: 'base36' },
    },
  },
})

/**
 * Builds the public page's script, which the server inlines, and the bundles that join it. Also builds the renderer of
 * the markup, and the two scripts for frames on other sites.
 */
export default defineConfig({
  plugins: [
    readable,
    reactOnServer,
    shareModules(),
    noModuleTwice(),
    noShortAttribute,
    smallestOfBoth,
    scopeOfParts,
    addressesOfFiles(),
    constantModules(),
    phoneMetadata(),
    withoutStyles,
  ],
  publicDir: false,
  builder: {
    // One configuration for all, so that scripts learn the addresses of the files that they load.
    sharedConfigBuild: true,
    sharedPlugins: true,
    async buildApp({ build, environments }) {
      for (const name of [
        'phone_reading',
        'email_slips',
        'second_file',
        'client',
        'prefilled',
        'invited',
        'options',
        'formats',
        'phones',
        'texts',
        'variants',
        'grids',
        'wording',
        'auto_advance',
        'ssr',
      ]) {
        const environment = environments[name]
        if (environment) await build(environment)
      }
    },
  },
  build: {
    outDir: 'dist/player',
    modulePreload: false,
    cssCodeSplit: false,
    // Vite reads these options here only.
    cssTarget: VISITOR_CSS_TARGET,
    terserOptions: TERSER,
  },
  environments: {
    phone_reading: joiningBundle('phone_reading', 'phone-reading'),
    email_slips: joiningBundle('email_slips', 'email-slips'),
    second_file: joiningBundle('second_file', 'second-file'),
    options: joiningBundle('options'),
    formats: joiningBundle('formats'),
    phones: joiningBundle('phones'),
    texts: joiningBundle('texts'),
    variants: joiningBundle('variants'),
    grids: joiningBundle('grids'),
    wording: joiningBundle('wording'),
    auto_advance: joiningBundle('auto_advance', 'auto-advance'),
    client: {
      define: { IS_PREFILLED: 'false', IS_INVITED: 'false' },
      build: {
        ...SMALLEST,
        emptyOutDir: false,
        license: licencesOf('client'),
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
    // The script of the page with the replies of a prefilled link, so that no other page has the code for them.
    prefilled: {
      consumer: 'client',
      define: { IS_PREFILLED: 'true', IS_INVITED: 'false' },
      build: {
        ...SMALLEST,
        emptyOutDir: false,
        license: licencesOf('prefilled'),
        rolldownOptions: {
          input: { prefilled: `${PLAYER}/main.ts` },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    // The script of invited people: that of the public page with the calls of an invitation.
    invited: {
      consumer: 'client',
      define: { IS_PREFILLED: 'false', IS_INVITED: 'true' },
      build: {
        ...SMALLEST,
        emptyOutDir: false,
        license: licencesOf('invited'),
        rolldownOptions: {
          input: { invited: `${PLAYER}/main.ts` },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        emptyOutDir: false,
        license: licencesOf('ssr'),
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
