import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { importQuiz } from '#web/api/files.ts'
import { Button } from '#web/ui/button.tsx'
import { UploadProgress, useUpload } from '#web/ui/images/use-upload.tsx'
import type { CreationPanelProps, ImportedText } from './quiz-kinds.ts'

type Props = Pick<CreationPanelProps, 'onCreated'> & {
  /** Called with the text of a file of another product. */
  onConverted: (text: ImportedText) => void
}

const UNREAD = 'Le fichier n’a pas pu être lu. Vérifiez votre connexion, puis réessayez.'

/**
 * Creates a questionnaire from an exported file. A file of another product becomes a text for review; the product is
 * detected by the content.
 */
export const ImportFile = ({ onCreated, onConverted }: Props) => {
  const chooser = useRef<HTMLInputElement>(null)
  const error_id = useId()
  const latest = useRef<File>(undefined)
  const [refusal, setRefusal] = useState<string>()
  const { share, error: failure, upload, cancel } = useUpload(importQuiz, onCreated)
  const error = refusal ?? failure
  const isSending = share !== undefined
  const leave = useEffectEvent(cancel)
  // The import is cancelled when the dialog closes, because an editor that opens later would surprise.
  useEffect(
    () => () => {
      latest.current = undefined
      leave()
    },
    [],
  )
  const open = async (file: File): Promise<void> => {
    latest.current = file
    setRefusal(undefined)
    try {
      const { readChosenFile } = await import('./read-chosen-file.ts')
      const read = await readChosenFile(file)
      if (latest.current !== file) return
      if (read.kind === 'quiz_file') upload(read.file)
      else if (read.kind === 'refused') setRefusal(read.message)
      else onConverted(read)
    } catch {
      if (latest.current === file) setRefusal(UNREAD)
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="large"
          icon={<FileUp aria-hidden="true" />}
          disabled={isSending}
          aria-describedby={error ? error_id : `${error_id}-hint`}
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
      <p id={`${error_id}-hint`} className="text-sm text-ink-2">
        Un export de Quizaine, de Typebot, de Typeform ou de Google Forms.
      </p>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,.csv,application/json,text/csv"
        aria-label="Importer un fichier"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void open(file)
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
