import { Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parseSettingsTab, settingsPath, TAB_PARAMETER } from '#domain/common/settings-path.ts'
import { basicPublishErrors } from '#domain/publishing/publish-check.ts'
import { quizNoun } from '#domain/questionnaire/quiz.ts'
import type { VisibleSecrets } from '#web/automations/automations-tab.tsx'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { usePageFields } from '#web/editor/draft/use-draft.ts'
import { useAllPublishErrors } from '#web/editor/draft/use-publish-errors.ts'
import { EditorFrame } from '#web/editor/frame/editor-frame.tsx'
import { EditorGate } from '#web/editor/frame/editor-gate.tsx'
import { useEditorState } from '#web/editor/frame/use-editor-state.ts'
import { POLL_MS } from '#web/editor/publishing/use-publishing.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Loading } from '#web/ui/feedback/screen-state.tsx'
import { useNotice } from '#web/ui/feedback/use-notice.ts'
import { Tabs } from '#web/ui/overlay/tabs.tsx'
import { AccessTab } from './access-tab.tsx'
import { ConsentSection } from './consent-section.tsx'
import { DesignTab, useColors } from './design-tab.tsx'
import { IntegrationsTab } from './integrations-tab.tsx'
import { WordingCard } from './wording-card.tsx'

const AutomationsTab = lazyPart(
  () => import('#web/automations/automations-tab.tsx'),
  'Les automatisations n’ont pas pu être chargées.',
)

/** Shows step 3 of a quiz (product 7.12, 7.13). */
const SettingsPage = () => (
  <EditorGate>{(session) => <SettingsEditor session={session} />}</EditorGate>
)

export default SettingsPage

/** Shows the tabs of the settings: design, integrations, automations and access. */
const SettingsEditor = ({ session }: { session: DraftSession }) => {
  const editing = useEditorState(session, { poll_ms: POLL_MS.settings })
  const { quiz } = editing
  const { draft } = editing.view
  const errors = basicPublishErrors(draft)
  const points = useAllPublishErrors(draft, errors)
  const colors = useColors(session)
  const changePage = usePageFields(session)
  // Secrets of new webhooks, kept while other tabs are open because the server returns them only once.
  const [secrets, setSecrets] = useState<VisibleSecrets>({})
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const notice = useNotice()

  return (
    <EditorFrame
      editing={editing}
      step="settings"
      publishErrors={errors}
      points={points}
      toasts={notice.toasts}
    >
      <Tabs
        label={`Réglages du ${quizNoun(quiz)}`}
        selected={parseSettingsTab(params.get(TAB_PARAMETER))}
        // Replaces the history entry, so that Back leaves the settings at once and returns to this tab.
        onSelect={(tab) => void navigate(settingsPath(quiz.id, tab), { replace: true })}
        tabs={[
          {
            id: 'design',
            label: 'Design',
            content: (
              <>
                <DesignTab draft={{ ...draft, quiz }} colors={colors} />
                <WordingCard draft={{ ...draft, quiz }} changePage={changePage} />
              </>
            ),
          },
          {
            id: 'integrations',
            label: 'Intégrations',
            content: (
              <div className="flex max-w-3xl flex-col gap-4">
                <IntegrationsTab
                  session={session}
                  draft={{ ...draft, quiz }}
                  notify={notice.announce}
                />
                <ConsentSection session={session} draft={{ ...draft, quiz }} />
                <ButtonLink to={`/quiz/${quiz.id}/envois`} className="self-start">
                  Voir les envois
                </ButtonLink>
              </div>
            ),
          },
          {
            id: 'automatisations',
            label: 'Automatisations',
            content: (
              <Suspense fallback={<Loading text="Chargement..." />}>
                <AutomationsTab
                  session={session}
                  draft={{ ...draft, quiz }}
                  secrets={secrets}
                  notify={notice.announce}
                  onSecret={(webhook_id, secret) =>
                    setSecrets((shown) => ({ ...shown, [webhook_id]: secret }))
                  }
                />
              </Suspense>
            ),
          },
          {
            id: 'acces',
            label: 'Accès',
            content: (
              <div className="flex flex-col gap-4">
                <AccessTab session={session} quiz={quiz} />
                <ButtonLink to={`/quiz/${quiz.id}/campagnes`} className="self-start">
                  Inviter des personnes par email
                </ButtonLink>
              </div>
            ),
          },
        ]}
      />
    </EditorFrame>
  )
}
