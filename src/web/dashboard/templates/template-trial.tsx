import { useMemo } from 'react'
import { replaceIds } from '#domain/questionnaire/duplicate-draft.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { createTemplateIds, type Template } from '#domain/templates/templates.ts'
import { WELCOME } from '#web/preview/preview-path.ts'
import { PreviewPlayer } from '#web/preview/preview-player.tsx'

/** Lets the creator answer a template up to its result, without storing replies. */
export default function TemplateTrial({ template: { key, draft } }: { template: Template }) {
  const snapshot = useMemo(
    () => takeSnapshot(replaceIds(draft, createTemplateIds(`${key}-trial`))),
    [key, draft],
  )
  return (
    <div className="grid min-h-96 overflow-hidden rounded-xl shadow-card">
      <PreviewPlayer snapshot={snapshot} place={WELCOME} />
    </div>
  )
}
