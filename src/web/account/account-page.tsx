import { Suspense } from 'react'
import { isHosted } from '#web/api/auth-client.ts'
import { AccountIntegrations } from '#web/integrations/account-integrations.tsx'
import { lazyFields } from '#web/ui/lazy-fields.tsx'
import { LegalLinks } from '#web/ui/legal-links.tsx'
import { DataSection } from './data-section.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { EmailSection } from './email-section.tsx'
import { FactorsSection } from './factors-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { ImagesSection } from './images-section.tsx'
import { KeyboardSection } from './keyboard-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PhoneSection } from './phone-section.tsx'
import { Section } from './section.tsx'
import { SectionLinks } from './section-links.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TimeZoneSection } from './time-zone-section.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

const TITLE = 'Paramètres'

const ApiKeys = lazyFields(
  () => import('./api-keys-section.tsx'),
  'Les clés n’ont pas pu être chargées.',
)

/** The settings: email tools first, then the account itself (spec §2 « Account settings »). */
const AccountPage = () => {
  const page = useKeptFocus()
  return (
    <div ref={page} className="@container mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{TITLE}</title>
      <h1 className="text-2xl font-semibold tracking-tight">{TITLE}</h1>
      {/* By the width that is left, which larger text makes smaller. */}
      <div className="grid gap-6 @2xl:grid-cols-[12rem_minmax(0,1fr)]">
        <SectionLinks />
        <div className="flex min-w-0 flex-col gap-6">
          <AccountIntegrations />
          <EmailSection />
          <PhoneSection />
          <IdentitiesSection />
          <PasswordSection />
          <FactorsSection />
          {!isHosted && <SessionsSection />}
          {!isHosted && (
            <Section title="Clés d’API">
              <Suspense fallback={<div className="h-24" />}>
                <ApiKeys />
              </Suspense>
            </Section>
          )}
          <TimeZoneSection />
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
