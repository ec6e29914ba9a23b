import { useState } from 'react'
import { client } from '#web/api/client.ts'
import { saveErrorText } from '#web/api/error-text.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { SAVING } from '#web/editor/draft/use-draft.ts'
import { newId } from '#web/editor/new-id.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { restoredDraft } from './restored-draft.ts'
import { missingImagesText, restoredText, sameText } from './version-words.ts'

/** Restores versions into the draft of a session, each as one step of its history. */
export const useRestore = (
  session: DraftSession,
  { onRestore }: { onRestore: (text: string) => void },
): { restoring: number | null; restore: (version: number) => Promise<void> } => {
  const { alert } = useDialogs()
  const [restoring, setRestoring] = useState<number | null>(null)

  const restore = async (version: number): Promise<void> => {
    setRestoring(version)
    try {
      const { id } = session.view().draft.quiz
      const { snapshot, ...lost } = await client.versions.get({ id, version: String(version) })
      const before = session.view().draft
      const restored = restoredDraft(before, snapshot, { ...lost, createId: newId })
      if (restored === before) {
        await alert(sameText(version), { title: 'Rien à restaurer' })
        return
      }
      // Before the change, so that the toast is of it.
      onRestore(restoredText(version))
      session.change(() => restored, { burst: null, ...SAVING.version })
      if (lost.missing_image_ids.length > 0)
        await alert(missingImagesText(lost.missing_image_ids.length), { title: 'Images absentes' })
    } catch (error) {
      await alert(saveErrorText(error instanceof Error ? error : new Error(String(error))), {
        title: 'Non restaurée',
      })
    } finally {
      setRestoring(null)
    }
  }
  return { restoring, restore }
}
