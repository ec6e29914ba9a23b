import { useQueryClient } from '@tanstack/react-query'
import { Info, Keyboard, LayoutDashboard, LogOut, Menu as MenuIcon, User, X } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { UNSAVED_EDITS_KEY_PREFIX } from '#web/editor/draft/unsaved-edits-key.ts'
import { clearOnSignOut, useSession } from '#web/session/session.tsx'
import { Brand } from '#web/ui/brand.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Announcer, clearAnnouncement } from '#web/ui/feedback/announcer.tsx'
import { useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { isDialogOpen, useSingleKeys } from '#web/ui/keyboard-shortcuts.ts'

clearOnSignOut(clearAnnouncement)

const ENTRY =
  'flex min-h-10 w-full pointer-coarse:min-h-11 items-center gap-2.5 rounded-md px-3 text-left font-medium text-ink-2 hover:bg-press hover:text-ink aria-[current=page]:bg-press aria-[current=page]:text-ink [&_svg]:size-4'

/** After sign-in, saves the edits that an earlier visit could not save (docs/decisions/012). */
const useResumeUnsavedEdits = (): void => {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const isSignedIn = user !== null
  useEffect(() => {
    // The code is loaded only if there are edits to save.
    if (
      !isSignedIn ||
      !Object.keys(localStorage).some((key) => key.startsWith(UNSAVED_EDITS_KEY_PREFIX))
    )
      return
    import('#web/editor/draft/resume-unsaved-edits.ts')
      .then(({ resumeUnsavedEdits }) => resumeUnsavedEdits(queryClient))
      .catch((error: unknown) => console.warn('Edits of an earlier visit are still kept', error))
  }, [isSignedIn, queryClient])
}

/** Renders the frame of the signed-in screens: a sidebar, or a bar with a menu on phones (product 7.3). */
export const Layout = () => {
  const { pathname } = useLocation()
  useResumeUnsavedEdits()
  // Path of the screen on which the menu was opened, so that the menu closes on any other screen.
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  const isOpen = openedOn === pathname
  const menuButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen()) return
      setOpenedOn(null)
      menuButton.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOpen])
  const help = useShortcutHelp()

  return (
    <div className="min-h-dvh sm:pl-60 print:pl-0">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-paper px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Aller au contenu
      </a>
      <header className="border-b border-line bg-wash sm:fixed sm:inset-y-0 sm:left-0 sm:w-60 sm:border-r sm:border-b-0 print:hidden">
        <div className="flex items-center p-2 pl-4 sm:p-4 sm:pl-5">
          <Link to="/dashboard" className="inline-flex items-center pointer-coarse:min-h-11">
            <Brand />
          </Link>
          <IconButton
            ref={menuButton}
            label={isOpen ? 'Fermer le menu' : 'Ouvrir le menu'}
            icon={isOpen ? <X aria-hidden="true" /> : <MenuIcon aria-hidden="true" />}
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpenedOn(isOpen ? null : pathname)}
            className="ml-auto size-11 sm:hidden"
          />
        </div>
        <Navigation isOpen={isOpen} onHelp={help.open} />
      </header>
      <main id="content" tabIndex={-1} className="focus:outline-none">
        <Suspense fallback={<Loading text="Chargement..." />}>
          <Outlet />
        </Suspense>
      </main>
      <Announcer />
      {help.sheet}
    </div>
  )
}

const Navigation = ({ isOpen, onHelp }: { isOpen: boolean; onHelp: () => void }) => {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const signOutAndRedirect = async (): Promise<void> => {
    await signOut()
    navigate('/login')
  }
  return (
    <nav
      id="navigation"
      aria-label="Navigation principale"
      className={`${isOpen ? '' : 'max-sm:hidden'} flex flex-col gap-1 p-2 sm:p-3`}
    >
      <NavLink to="/dashboard" className={ENTRY}>
        <LayoutDashboard aria-hidden="true" />
        Tableau de bord
      </NavLink>
      <NavLink to="/settings" className={ENTRY}>
        <User aria-hidden="true" />
        Mon compte
      </NavLink>
      <a href="/aide" target="_blank" className={ENTRY} rel="noopener">
        <Info aria-hidden="true" />
        Aide
      </a>
      <button
        type="button"
        onClick={onHelp}
        aria-haspopup="dialog"
        className={`${ENTRY} pointer-coarse:hidden`}
      >
        <Keyboard aria-hidden="true" />
        Raccourcis clavier
      </button>
      <button type="button" onClick={signOutAndRedirect} className={ENTRY}>
        <LogOut aria-hidden="true" />
        Déconnexion
      </button>
    </nav>
  )
}

const loadSheet = () => import('./shortcut-sheet.tsx')

/** Opens the list of shortcuts on `?` outside of any field. */
const useShortcutHelp = () => {
  const [isOpen, setOpen] = useState(false)
  const { part, show } = useLazyPart(loadSheet)
  const open = async (): Promise<void> => setOpen(await show())
  useSingleKeys((event) => {
    if (event.key === '?') void open()
  })
  return {
    open,
    sheet: part && <part.ShortcutSheet open={isOpen} onClose={() => setOpen(false)} />,
  }
}
