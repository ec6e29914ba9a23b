import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type MinifyOptions, minify } from 'terser'
import { defineConfig, type Plugin } from 'vite'
import { constantModules } from './scripts/constant-modules.ts'
import { lazyFiles } from './scripts/lazy-files.ts'
import { leanAuth } from './scripts/lean-auth.ts'
import { leanIcons } from './scripts/lean-icons.ts'
import { phoneMetadata } from './scripts/phone-metadata.ts'

/** Modules that every screen needs. */
const PLATFORM =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/query-core|@tanstack\/react-query|@supabase\/auth-js)\//

/** Modules that most screens load. Others go to the chunks of the screens that need them. */
const PARTS =
  /\/src\/web\/(ui\/(?!rich-text|form\/choice-controls|table-head|use-copy)|api\/|session\/(?!auth-labels|auth-settings|credentials-form|email-link|use-action|phone-number))|\/lucide-react\//

/** Icons and short modules that several screens share. */
const SMALL =
  /lucide-react|\/(settings-path|participant-uuid|use-media|questionnaire\/quiz|common\/(?:normalize-)?text|draft-session-registry|quiz-action-labels|quiz-badges)\.ts/

/** Modules that the steps of the editor share. A file for each would weigh more than its code. */
const EDITOR_FIELDS =
  /\/(fields\/(field-ids|field-labels|number-field|parse-numbers)|run\/(reachable-totals|path)|questionnaire\/(pages|mode|defaults|contact-roles|arrange|grids|arrange-grids)|editing\/draft-fields|publishing\/insertable-names|draft\/new-items|ui\/use-latest|preview-path|use-read-text|icons\/(mail|rotate-ccw|file-plus-corner))\.(tsx?|m?js)/

/** Folder with the minified chunks of the last build, each named after its hash. */
const MINIFIED = join(import.meta.dirname, 'node_modules/.cache/minified')
const MINIFY_OPTIONS: MinifyOptions = {
  module: true,
  ecma: 2020,
  compress: { passes: 2, keep_fargs: false },
}
const { version: TERSER_VERSION } = createRequire(import.meta.url)('terser/package.json')

/** Minifies a chunk, or returns the minified chunk of the last build if its code has not changed. */
const minifyChunk = async (code: string, name: string): Promise<string> => {
  const file = join(MINIFIED, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const minified = (await minify(code, MINIFY_OPTIONS)).code ?? code
  // The file gets its name last, so that an interrupted build leaves no half of a chunk.
  writeFileSync(`${file}-${process.pid}`, minified)
  renameSync(`${file}-${process.pid}`, file)
  return minified
}

/** Terser makes what Vite's own minifier leaves half a percent smaller. Most of a build is spent there. */
const smallestOfBoth: Plugin = {
  name: 'smallest-of-both',
  async generateBundle(_, bundle) {
    mkdirSync(MINIFIED, { recursive: true })
    const used = new Set<string>()
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.name === 'platform') continue
      const source = JSON.stringify([TERSER_VERSION, MINIFY_OPTIONS, file.code])
      const name = createHash('sha256').update(source).digest('hex')
      used.add(name)
      file.code = await minifyChunk(file.code, name)
    }
    for (const name of readdirSync(MINIFIED)) if (!used.has(name)) rmSync(join(MINIFIED, name))
  },
}

/** The creator's application. Its page runs under a policy that allows no inline script or style. */
export default defineConfig({
  root: 'src/web',
  plugins: [
    leanAuth(),
    lazyFiles(),
    leanIcons(),
    constantModules(),
    phoneMetadata(),
    react({ jsxImportSource: '#web/french' }),
    tailwindcss(),
    smallestOfBoth,
  ],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // In one piece it is smaller, and it changes less often than the screens do.
          groups: [
            { name: 'platform', test: PLATFORM },
            { name: 'parts', test: PARTS, minShareCount: 5 },
            // A file for each icon or short module that screens share weighs more than its code.
            { name: 'small', test: SMALL, minShareCount: 3 },
            { name: 'fields', test: EDITOR_FIELDS, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
