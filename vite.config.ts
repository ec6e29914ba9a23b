import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { minify } from 'terser'
import { defineConfig, type Plugin } from 'vite'
import { leanAuth } from './scripts/lean-auth.ts'

/** Modules that every screen needs. */
const PLATFORM =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/query-core|@tanstack\/react-query|@supabase\/auth-js)\//

/** Modules that most screens load. Others go to the chunks of the screens that need them. */
const PARTS =
  /\/src\/web\/(ui\/(?!rich-text|form\/choice-controls|use-copy)|api\/|session\/(?!auth-labels|credentials-form|email-link|use-action|phone-number))|\/lucide-react\//

/** Icons and short modules that several screens share. */
const SMALL =
  /lucide-react|\/(settings-path|participant-uuid|use-media|questionnaire\/quiz|common\/text)\.ts/

/** Modules that the steps of the editor share. A file for each would weigh more than its code. */
const EDITOR_FIELDS =
  /\/(fields\/(field-ids|field-labels|number-field|parse-numbers)|run\/(reachable-totals|path)|questionnaire\/(pages|mode|defaults|contact-roles|arrange|grids|arrange-grids)|editing\/draft-fields|publishing\/insertable-names|draft\/new-items|ui\/use-latest|icons\/(mail|rotate-ccw))\.(tsx?|m?js)/

/** Terser makes what Vite's own minifier leaves half a percent smaller. */
const smallestOfBoth: Plugin = {
  name: 'smallest-of-both',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.name === 'platform') continue
      const { code } = await minify(file.code, { module: true, compress: { passes: 2 } })
      file.code = code ?? file.code
    }
  },
}

/** The creator's application. Its page runs under a policy that allows no inline script or style. */
export default defineConfig({
  root: 'src/web',
  plugins: [leanAuth(), react({ jsxImportSource: '#web/french' }), tailwindcss(), smallestOfBoth],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
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
