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
  'react/jsx-runtime': '#web/player/preact.ts',
}

/** Visitors download Preact in place of React; the server renders the player with React, as previews do. */
const preact: Plugin = {
  name: 'preact',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name !== 'ssr' && process.env.PUBLIC_RUNTIME !== 'react',
  resolveId(id) {
    const other = PREACT[id]
    return other && this.resolve(other)
  },
}

/** Found as a page is made, which brings it. */
const FOUND = ['reachable-totals']
/** What other questions than the specification's need: their fields, and the rules of their replies. */
const ASKED = [
  'asked',
  'other-choice',
  'clear-choice',
  'several',
  'scale',
  'help',
  'shuffle',
  'ties',
  'equals',
  'path',
  'replies',
]
/** What other pages than the specification's show. */
const SHOWN = [
  'parts',
  'rich-blocks',
  'linked-text',
  'insertions',
  'picture',
  'logo',
  'detail',
  'welcome',
  'ahead',
  'leading',
  'result-detail',
]
/** What each environment leaves out (domain/run/visitor-snapshot.ts, PlayerKind). */
const LEFT_OUT: Record<string, string[]> = {
  client: FOUND,
  dressed: [...FOUND, ...ASKED],
  plain: [...FOUND, ...ASKED, ...SHOWN],
}

const withoutParts: Plugin = {
  name: 'without-parts',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name in LEFT_OUT,
  resolveId(id) {
    const part = /([a-z-]+)\.tsx?$/.exec(id)?.[1] ?? ''
    return LEFT_OUT[this.environment.name]?.includes(part)
      ? this.resolve('#web/player/absent.ts')
      : undefined
  },
}

/** What Vite brings along makes it 0.5 % smaller again. */
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

/** What every visitor downloads: terser makes it 2 % smaller than what Vite brings along. */
const SMALLEST: BuildEnvironmentOptions = {
  target: 'es2022',
  minify: 'terser',
  terserOptions: {
    module: true,
    ecma: 2020,
    // Found by trying: each makes the compressed page smaller.
    compress: {
      passes: 3,
      pure_getters: true,
      collapse_vars: false,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
  },
}

/** The player of pages that do not need all of it. */
const lesser = (name: string): EnvironmentOptions => ({
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
 * The public page's script and stylesheet, which the server inlines, those of pages that need less, what renders the
 * markup, and the two ends of a frame on another site.
 */
export default defineConfig({
  plugins: [preact, withoutParts, smallestOfBoth],
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
    plain: lesser('plain'),
    dressed: lesser('dressed'),
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
