import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leanAuth } from './scripts/lean-auth.ts'

/** What every screen stands on. */
const PLATFORM =
  /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/query-core|@tanstack\/react-query|@supabase\/auth-js)\//

/** What most screens are made of; what editors alone share is no business of the dashboard's. */
const PARTS = /\/src\/web\/(ui|api|session)\/|\/lucide-react\//

/** The creator's application. Its page runs under a policy that allows no inline script or style. */
export default defineConfig({
  root: 'src/web',
  plugins: [leanAuth(), react(), tailwindcss()],
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
          ],
        },
      },
    },
  },
})
