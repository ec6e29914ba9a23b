import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from '#web/api/queries.ts'
import { SessionProvider } from '#web/session/session.tsx'
import { CrashBoundary } from '#web/ui/feedback/crash-boundary.tsx'
import { DialogsProvider } from '#web/ui/overlay/dialogs.tsx'
import { guardPresses } from '#web/ui/presses.ts'
import { Router } from './router.tsx'
import './styles.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has lost its #app')

guardPresses()
createRoot(root).render(
  <StrictMode>
    <CrashBoundary isScreen>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <DialogsProvider>
            <BrowserRouter>
              <Router />
            </BrowserRouter>
          </DialogsProvider>
        </SessionProvider>
      </QueryClientProvider>
    </CrashBoundary>
  </StrictMode>,
)
