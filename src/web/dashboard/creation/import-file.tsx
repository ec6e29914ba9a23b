import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { importQuiz } from '#web/api/files.ts'
import { Button } from '#web/ui/button.tsx'
import { UploadProgress, useUpload } from '#web/ui/images/use-upload.tsx'
import type { CreationPanelProps } from './quiz-kinds.ts'

/** Creates a questionnaire from an exported file. */
export const ImportFile = ({ onCreated }: CreationPanelProps) => {
  const chooser = useRef<HTMLInputElement>(null)
  const error_id = useId()
  const { share, error, upload, cancel } = useUpload(importQuiz, onCreated)
  const isSending = share !== undefined
  const leave = useEffectEvent(cancel)
  // The import is cancelled when the dialog closes, because an editor that opens later would surprise.
  useEffect(() => () => leave(), [])
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="large"
          icon={<FileUp aria-hidden="true" />}
          disabled={isSending}
          aria-describedby={error ? error_id : undefined}
          onClick={() => chooser.current?.click()}
        >
          Importer un fichier
        </Button>
        {isSending && (
          <Button variant="ghost" size="large" onClick={cancel}>
            Annuler
          </Button>
        )}
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Importer un fichier"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) upload(file)
          // Allows choosing the same file again after a correction.
          currentTarget.value = ''
        }}
      />
      {isSending && (
        <UploadProgress
          share={share}
          sending="Envoi du fichier"
          then="Création du questionnaire…"
        />
      )}
      {error && (
        <div id={error_id} role="alert" className="rounded-xl bg-bad-wash p-4 text-bad">
          <p className="font-medium">Rien n’a été créé</p>
          <p className="mt-1 wrap-anywhere">{error}</p>
        </div>
      )}
    </div>
  )
}
