import { defineConfig, type Plugin } from 'vite'

/** The player needs React's classes alone: without hooks and preact/compat its page is a fifth smaller. */
const PREACT: Record<string, string> = {
  react: 'preact',
  'react-dom/client': '#web/player/preact-root.ts',
  'react/jsx-runtime': '#web/player/preact-jsx.ts',
}

/** Visitors run the player on Preact; the server renders it with React, as the previews do. */
const preactForVisitors: Plugin = {
  name: 'preact-for-visitors',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client' && process.env.PUBLIC_RUNTIME !== 'react',
  resolveId(id) {
    const replacement = PREACT[id]
    return replacement ? this.resolve(replacement) : undefined
  },
}

/** The public page's script and stylesheet, which the server inlines, and what renders its markup. */
export default defineConfig({
  plugins: [preactForVisitors],
  publicDir: false,
  builder: {},
  build: { outDir: 'dist/player', modulePreload: false, cssCodeSplit: false },
  environments: {
    client: {
      build: {
        target: 'es2022',
        rolldownOptions: {
          input: 'src/web/player/main.tsx',
          output: { entryFileNames: 'player.js', assetFileNames: 'player[extname]' },
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
