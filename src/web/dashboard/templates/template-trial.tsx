import { useMemo, useState } from 'react'
import { replaceIds } from '#domain/questionnaire/duplicate-draft.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { createTemplateIds, type Template } from '#domain/templates/templates.ts'
import { WELCOME } from '#web/preview/preview-path.ts'
import { PreviewPlayer } from '#web/preview/preview-player.tsx'
import { RestartButton } from '#web/preview/restart-button.tsx'

/** Lets the creator answer a template up to its result, without storing replies. */
export default function TemplateTrial({ template: { key, draft } }: { template: Template }) {
  const snapshot = useMemo(
    () => takeSnapshot(replaceIds(draft, createTemplateIds(`${key}-trial`))),
    [key, draft],
  )
  const [restartCount, setRestartCount] = useState(0)
  const restart = (): void => setRestartCount(restartCount + 1)
  return (
    <>
      <div className="mb-2 flex justify-end">
        <RestartButton onRestart={restart} />
      </div>
      <div className="grid min-h-96 overflow-hidden rounded-xl shadow-card">
        <PreviewPlayer
          snapshot={snapshot}
          place={WELCOME}
          restart_count={restartCount}
          onRestart={restart}
        />
      </div>
    </>
  )
}
