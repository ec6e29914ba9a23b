import {
  type BuildEnvironmentOptions,
  defineConfig,
  type EnvironmentOptions,
  minifySync,
  type Plugin,
} from 'vite'

const PREACT: Record<string, string> = {
  react: '#web/player/preact.ts',
  'react-dom/client': '#web/player/preact.ts',
  '#web/french/jsx-runtime': '#web/player/preact.ts',
}

/** Visitors download Preact in place of React; the server renders the player with React, as previews do. */
const preact: Plugin = {
  name: 'preact',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name !== 'ssr' && process.env.PUBLIC_RUNTIME !== 'react',
  resolveId(id) {
    const replacement = PREACT[id]
    return replacement && this.resolve(replacement)
  },
}

/** Rules that only the server applies: it stores their outcome in the page. */
const SERVER_RULES = ['domain/run/reachable-totals.ts']

/** Fields and rules of questions with options that the specification does not have. */
const QUESTION_OPTIONS = [
  'web/player/content/has-question-options.ts',
  'web/player/ending/tied-results.tsx',
  'web/player/fields/question-options.tsx',
  'web/player/fields/scale.tsx',
  'domain/run/path.ts',
  'domain/run/replies.ts',
  'domain/run/shuffle.ts',
  'domain/run/ties.ts',
]

/** Components and rules of pages that show more than the specification has, such as pictures, links or a welcome screen. */
const PAGE_OPTIONS = [
  'web/player/content/has-page-options.ts',
  'web/player/content/picture.tsx',
  'web/player/content/rich-blocks.ts',
  'web/player/ending/next-steps.tsx',
  'web/player/ending/result-breakdown.tsx',
  'web/player/page/welcome.tsx',
  'web/player/run/redirect.ts',
  'domain/run/rich-text.ts',
  'domain/run/result-detail.ts',
]

/** Modules that each environment leaves out (`PlayerKind` in domain/run/player-kind.ts). */
const LEFT_OUT: Record<string, string[]> = {
  client: SERVER_RULES,
  dressed: [...SERVER_RULES, ...QUESTION_OPTIONS],
  plain: [...SERVER_RULES, ...QUESTION_OPTIONS, ...PAGE_OPTIONS],
}

/** Replaces the left-out modules by absent.ts, whose exports do nothing or follow the simpler rules. */
const leaveOutModules: Plugin = {
  name: 'leave-out-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name in LEFT_OUT,
  async resolveId(id, importer) {
    const name = id.slice(id.lastIndexOf('/'))
    const candidates = LEFT_OUT[this.environment.name]?.filter((path) => path.endsWith(name))
    if (!importer || !candidates?.length) return undefined
    const file = (await this.resolve(id, importer, { skipSelf: true }))?.id
    return candidates.some((path) => file?.endsWith(`/src/${path}`))
      ? this.resolve('#web/player/absent.ts')
      : undefined
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

/** Returns the environment that builds a lighter player. */
const lighterPlayer = (name: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    emptyOutDir: false,
    ...SMALLEST,
    rolldownOptions: {
      input: { [name]: 'src/web/player/main.tsx' },
      output: { entryFileNames: '[name].js', assetFileNames: `${name}[extname]` },
    },
  },
})

/**
 * Builds the public page's script and stylesheet, which the server inlines, and their lighter versions. Also builds the
 * renderer of the markup, and the two scripts for frames on other sites.
 */
export default defineConfig({
  plugins: [preact, leaveOutModules, smallestOfBoth],
  publicDir: false,
  builder: {},
  build: { outDir: 'dist/player', modulePreload: false, cssCodeSplit: false },
  environments: {
    client: {
      build: {
        ...SMALLEST,
        rolldownOptions: {
          input: {
            player: 'src/web/player/main.tsx',
            framed: 'src/web/embed/framed.ts',
            embed: 'src/web/embed/embed.ts',
          },
          output: { entryFileNames: '[name].js', assetFileNames: 'player[extname]' },
        },
      },
    },
    plain: lighterPlayer('plain'),
    dressed: lighterPlayer('dressed'),
    ssr: {
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: {
          input: 'src/web/player/render.tsx',
          output: { entryFileNames: 'render.js' },
        },
      },
    },
  },
})
