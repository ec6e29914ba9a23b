import { useQuery } from '@tanstack/react-query'
import { type RefObject, Suspense, useEffect, useRef } from 'react'
import { isHosted } from '#web/api/auth-client.ts'
import { AccountIntegrations } from '#web/integrations/account-integrations.tsx'
import { authSettingsQuery } from '#web/session/auth-settings.ts'
import { LegalLinks } from '#web/ui/brand.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { EmailSection, PhoneSection } from './contact-sections.tsx'
import { DataSection, DeletionSection, ImagesSection } from './data-sections.tsx'
import { FactorsSection } from './factors-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { PasswordSection } from './password-section.tsx'
import {
  AdministrationSection,
  CountrySection,
  KeyboardSection,
  TimeZoneSection,
} from './preference-sections.tsx'
import { Section } from './section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SettingsNav } from './settings-nav.tsx'

/**
 * Keeps the focus on the page: if the focused control is removed or disabled, the heading of its section gets the
 * focus. Also works while a dialog is open.
 */
const useFocusRecovery = (): RefObject<HTMLDivElement | null> => {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let last: { control: Element; headings: (HTMLElement | null | undefined)[] } | null = null

    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('dialog')) return
      const isOnPage = page.current?.contains(target)
      const heading = target.closest('section')?.querySelector<HTMLElement>('h2, h3')
      const title = page.current?.querySelector<HTMLElement>('h1')
      last = isOnPage ? { control: target, headings: [heading, title] } : null
    }
    const check = (): void => {
      if (!last) return
      const { control, headings } = last
      const isGone = !control.isConnected || control.matches(':disabled')
      const isFree = [control, document.body].includes(document.activeElement ?? document.body)
      const heading = headings.find((candidate) => candidate?.isConnected)
      if (!isGone || !isFree || !heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }

    document.addEventListener('focusin', onFocus)
    const observer = new MutationObserver(check)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled', 'open'],
    })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
  return page
}

const TITLE = 'Mon compte'

const ApiKeys = lazyPart(
  () => import('./api-keys-section.tsx'),
  'Les clés n’ont pas pu être chargées.',
)

const SenderSection = lazyPart(
  () => import('#web/mail-senders/sender-section.tsx'),
  'L’expéditeur n’a pas pu être chargé.',
)

/** Renders the settings: email tools first, then the account itself (product 7.16). */
const AccountPage = () => {
  const page = useFocusRecovery()
  const { data: settings } = useQuery(authSettingsQuery())
  const hasPasswords = settings?.hasPasswords ?? true
  return (
    <div ref={page} className="@container mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{TITLE}</title>
      <div className="flex items-center justify-between gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">{TITLE}</h1>
        <HelpLink about="compte" page="compte" />
      </div>
      {/* A container query, because larger text leaves less width. */}
      <div className="grid gap-6 @2xl:grid-cols-[12rem_minmax(0,1fr)]">
        <SettingsNav />
        <div className="flex min-w-0 flex-col gap-6">
          <AccountIntegrations />
          <EmailSection />
          <PhoneSection />
          <IdentitiesSection />
          {hasPasswords && <PasswordSection />}
          <FactorsSection />
          {!isHosted && <SessionsSection />}
          {!isHosted && (
            <Section
              title="Clés d’API"
              help={<HelpLink about="clés d’API" page="compte#cles-d-api" />}
            >
              <Suspense fallback={<div className="h-24" />}>
                <ApiKeys />
              </Suspense>
            </Section>
          )}
          <Section
            title="Envoi des emails"
            help={<HelpLink about="envoi des emails" page="emails#l-expediteur-et-les-reponses" />}
          >
            <Suspense fallback={<div className="h-24" />}>
              <SenderSection />
            </Suspense>
          </Section>
          <AdministrationSection />
          <TimeZoneSection />
          <CountrySection />
          <KeyboardSection />
          <ImagesSection />
          <DataSection />
          <DeletionSection />
          <LegalLinks />
        </div>
      </div>
    </div>
  )
}

export default AccountPage
