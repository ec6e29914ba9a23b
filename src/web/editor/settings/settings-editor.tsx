import { basicPublishErrors } from '#domain/publish-check.ts'
import { EditorFrame } from '#web/editor/editor-frame.tsx'
import type { QuizDetail } from '#web/editor/editor-gate.tsx'
import { UndoButtons } from '#web/editor/undo-buttons.tsx'
import { POLL_MS, usePublishing } from '#web/editor/use-publishing.ts'
import { useSaveKey } from '#web/editor/use-save-key.ts'
import { StatusBadge } from '#web/ui/badge.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { DesignTab } from './design-tab.tsx'
import { useColors } from './use-colors.ts'

/** How one quiz looks, saved as it changes. */
export const SettingsEditor = ({
  detail: { quiz, questions, results },
}: {
  detail: QuizDetail
}) => {
  const publishing = usePublishing(quiz, { poll_ms: POLL_MS.settings })
  const { colors, change, reset, undoing, state, flush } = useColors(quiz, {
    is_paused: publishing.isPublishing,
  })

  useSaveKey(flush)

  return (
    <EditorFrame
      quiz={quiz}
      step="settings"
      result_count={results.length}
      question_count={questions.length}
      saveState={state}
      publishErrors={basicPublishErrors({ quiz, questions, results })}
      publishing={publishing}
      flush={flush}
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 truncate text-2xl font-semibold tracking-tight">{quiz.name}</p>
        <StatusBadge status={quiz.status} />
        <UndoButtons undoing={undoing} />
      </div>
      <Tabs
        label="Paramètres du quiz"
        tabs={[
          {
            id: 'design',
            label: 'Design',
            content: <DesignTab quiz={quiz} colors={colors} onChange={change} onReset={reset} />,
          },
        ]}
      />
    </EditorFrame>
  )
}
