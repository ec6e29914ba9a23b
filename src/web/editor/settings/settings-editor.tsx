import { Suspense, useMemo, useState } from 'react'
import { basicPublishErrors } from '#domain/publish-check.ts'
import type { ShownSecrets } from '#web/automations/automations-tab.tsx'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import { useEditing } from '#web/editor/use-editing.ts'
import { POLL_MS } from '#web/editor/use-publishing.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyFields } from '#web/ui/lazy-fields.tsx'
import { Loading } from '#web/ui/screen-state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { AccessTab } from './access-tab.tsx'
import { ConsentSection } from './consent-section.tsx'
import { DesignTab } from './design-tab.tsx'
import { IntegrationsTab } from './integrations-tab.tsx'
import { useColors } from './use-colors.ts'

const DESIGN = 'design'
const AutomationsTab = lazyFields(
  () => import('#web/automations/automations-tab.tsx'),
  'Les automatisations n’ont pas pu être chargées.',
)

/** The colours of one quiz, saved as they change, and the tools its participants are forwarded to. */
export const SettingsEditor = ({ session }: { session: DraftSession }) => {
  const editing = useEditing(session, { poll_ms: POLL_MS.settings })
  const { quiz } = editing
  const { draft } = editing.view
  const colors = useColors(session)
  // A secret is shown once: it stays while other tabs are looked at.
  const [secrets, setSecrets] = useState<ShownSecrets>({})
  const { undone } = editing.undoing
  // All that is undone in this step is in that tab.
  const asked = useMemo(() => (undone?.step === 'settings' ? { id: DESIGN } : null), [undone])

  return (
    <EditorFrame editing={editing} step="settings" publishErrors={basicPublishErrors(draft)}>
      <Tabs
        label="Paramètres du quiz"
        asked={asked}
        tabs={[
          {
            id: DESIGN,
            label: 'Design',
            content: <DesignTab draft={{ ...draft, quiz }} colors={colors} />,
          },
          {
            id: 'integrations',
            label: 'Intégrations',
            content: (
              <div className="flex max-w-3xl flex-col gap-4">
                <IntegrationsTab session={session} draft={{ ...draft, quiz }} />
                <ConsentSection session={session} quiz={quiz} />
                <ButtonLink to={`/quiz/${quiz.id}/envois`} className="self-start">
                  Voir les envois
                </ButtonLink>
              </div>
            ),
          },
          {
            id: 'automations',
            label: 'Automatisations',
            content: (
              <Suspense fallback={<Loading text="Chargement..." />}>
                <AutomationsTab
                  session={session}
                  draft={{ ...draft, quiz }}
                  secrets={secrets}
                  onSecret={(webhook_id, secret) =>
                    setSecrets((shown) => ({ ...shown, [webhook_id]: secret }))
                  }
                />
              </Suspense>
            ),
          },
          { id: 'access', label: 'Accès', content: <AccessTab session={session} quiz={quiz} /> },
        ]}
      />
    </EditorFrame>
  )
}
