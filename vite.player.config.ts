import { type BuildEnvironmentOptions, defineConfig, type Plugin } from 'vite'

const PREACT: Record<string, string> = {
  react: '#web/player/preact.ts',
  'react-dom/client': '#web/player/preact.ts',
  'react/jsx-runtime': 'preact/jsx-runtime',
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
/** Parts that a plain page never shows, and rules for what it never asks. */
const PARTS = [
  'parts',
  ...FOUND,
  'rich-blocks',
  'linked-text',
  'insertions',
  'picture',
  'logo',
  'detail',
  'equals',
  'welcome',
  'ahead',
  'leading',
  'result-detail',
  'other-choice',
  'clear-choice',
  'left-out-steps',
  'several',
  'scale',
  'help',
  'shuffle',
  'ties',
  'path',
  'replies',
  'form-replies',
]

const withoutParts: Plugin = {
  name: 'without-parts',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name !== 'ssr',
  resolveId(id) {
    const part = /([a-z-]+)\.tsx?$/.exec(id)?.[1] ?? ''
    const parts = this.environment.name === 'plain' ? PARTS : FOUND
    return parts.includes(part) ? this.resolve('#web/player/absent.ts') : undefined
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
      passes: 2,
      pure_getters: true,
      collapse_vars: false,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
  },
}

/**
 * The public page's script and stylesheet, which the server inlines, those of a plain page, what renders its markup, and the
 * two ends of a frame on another site.
 */
export default defineConfig({
  plugins: [preact, withoutParts],
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
    plain: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        ...SMALLEST,
        rolldownOptions: {
          input: { plain: 'src/web/player/main.tsx' },
          output: { entryFileNames: '[name].js', assetFileNames: 'plain[extname]' },
        },
      },
    },
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
