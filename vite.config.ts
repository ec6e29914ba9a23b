import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { constantModules } from './scripts/constant-modules.ts'
import { lazyFiles } from './scripts/lazy-files.ts'
import { leanAuth } from './scripts/lean-auth.ts'
import { leanIcons } from './scripts/lean-icons.ts'
import { mapsApart, smallestOfBoth } from './scripts/minify-chunks.ts'
import { phoneMetadata } from './scripts/phone-metadata.ts'

/** Modules that every screen needs. */
const PLATFORM =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/query-core|@tanstack\/react-query|@supabase\/auth-js)\//

/** Modules that most screens load. Others go to the chunks of the screens that need them. */
const PARTS =
  /\/src\/web\/(ui\/(?!rich-text|form\/(?:choice-controls|link-field|search-field|select)|table-head|use-copy|screen-header)|api\/|session\/(?!auth-labels|auth-settings|credentials-form|email-link|email-request|use-action|phone-number))|\/lucide-react\//

/** Icons and short modules that several screens share. */
const SMALL =
  /lucide-react|\/(settings-path|participant-uuid|use-media|questionnaire\/quiz|common\/(?:normalize-)?text|draft-session-registry|publication-request|quiz-action-labels|quiz-badges)\.ts/

/** Modules that the steps of the editor share. A file for each would weigh more than its code. */
const EDITOR_FIELDS =
  /\/(fields\/(field-ids|field-labels|number-field|parse-numbers|scrolling)|run\/(reachable-totals|path)|questionnaire\/(question-type-names|pages|mode|defaults|contact-roles|arrange|grids|arrange-grids|references|ordered-rows|shared-settings)|editing\/(draft-fields|apply-changes)|publishing\/(insertable-names|reachability)|draft\/new-items|ui\/use-latest|preview-path|use-read-text|kit\/field-message|icons\/(mail|rotate-ccw|file-plus-corner))\.(tsx?|m?js)/

/** Formats of figures and the list of questionnaires, which the dashboard shares with the statistics and the trash. */
const FIGURES =
  /\/(statistics\/format\/(format|distinct-keys)|common\/numbers|dashboard\/quizzes\/quiz-list)\.ts/

/** Fails the build if a worker contains a package, because Vite collects licences of packages for pages only. */
const noPackagesInWorkers: Plugin = {
  name: 'no-packages-in-workers',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      const id = file.type === 'chunk' && file.moduleIds.find((one) => /\/node_modules\//.test(one))
      if (id) this.error(`A worker contains ${id}, whose licence would not be written`)
    }
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
    mapsApart(),
  ],
  worker: { plugins: () => [noPackagesInWorkers] },
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    manifest: true,
    license: { fileName: '.vite/licences.json' },
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
            { name: 'figures', test: FIGURES, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
