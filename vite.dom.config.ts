import { defineConfig, type PluginOption } from 'vite'
import dashboard from './vite.config.ts'

/** Plugins for the size and the files of the published build, and Tailwind's: the DOM of tests applies no layout. */
const LEFT_OUT = /^(?:smallest-of-both|maps-apart|lazy-files|@tailwindcss)/

const hasName = (plugin: PluginOption): plugin is { name: string } =>
  plugin !== null && typeof plugin === 'object' && 'name' in plugin

/** The creator's application as one script, for journeys in a DOM without a browser (e2e/dom). */
export default defineConfig({
  root: 'src/web',
  publicDir: false,
  plugins: [dashboard.plugins ?? []]
    .flat(2)
    .filter((plugin) => !(hasName(plugin) && LEFT_OUT.test(plugin.name))),
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    outDir: '../../node_modules/.cache/dom',
    emptyOutDir: true,
    minify: false,
    target: 'es2023',
    reportCompressedSize: false,
    lib: {
      entry: 'app/main.tsx',
      formats: ['iife'],
      name: 'application',
      fileName: () => 'app.js',
    },
    rolldownOptions: { output: { codeSplitting: false } },
  },
})
