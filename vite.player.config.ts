import { defineConfig, type Plugin } from 'vite'

const REACT = ['react', 'react/jsx-runtime', 'react-dom/client']

/** The server renders the player with React, as the previews do; visitors download what it uses of React alone. */
const leanReact: Plugin = {
  name: 'lean-react',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client' && process.env.PUBLIC_RUNTIME !== 'react',
  resolveId(id) {
    return REACT.includes(id) ? this.resolve('#web/player/runtime/react.ts') : undefined
  },
}

/**
 * The public page's script and stylesheet, which the server inlines, what renders its markup, and the
 * two ends of a frame on another site.
 */
export default defineConfig({
  plugins: [leanReact],
  publicDir: false,
  builder: {},
  build: { outDir: 'dist/player', modulePreload: false, cssCodeSplit: false },
  environments: {
    client: {
      build: {
        target: 'es2022',
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
