import { FileArchive } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { download } from '#web/api/download.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { type Filters, writeFilters } from '#web/statistics/filters/filters.ts'
import { Button } from '#web/ui/button.tsx'
import { readZip } from './read-zip-progress.ts'

type Progress = { nb_done: number; nb_participants: number }

const FAILED = 'Les rapports n’ont pas pu être préparés. Réessayez dans quelques instants.'

/** Renders the button that downloads the documents of the filtered participants as a ZIP, with its progress. */
const DocumentsZip = ({ quizId, filters }: { quizId: string; filters: Filters }) => {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [note, setNote] = useState('')
  const [error, setError] = useState<string | null>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const prepare = async (): Promise<void> => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setError(null)
    setNote('Préparation des rapports…')
    setProgress({ nb_done: 0, nb_participants: 1 })
    try {
      const { url, file_name, nb_participants } = await lazyClient.documents.link({
        ...{ id: quizId, body: { ...writeFilters(filters), file: 'zip' } },
      })
      const answer = await fetch(url, { signal })
      if (!answer.ok || !answer.body) throw new Error(FAILED)
      const zip = await readZip(answer.body, (nb_done) => setProgress({ nb_done, nb_participants }))
      const address = URL.createObjectURL(zip)
      download({ url: address, file_name })
      URL.revokeObjectURL(address)
      setNote('Les rapports sont téléchargés.')
    } catch (failure) {
      if (signal.aborted) setNote('Préparation arrêtée.')
      else {
        setNote('')
        setError(failure instanceof TypeError ? FAILED : errorText(failure))
      }
    }
    setProgress(null)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      {progress ? (
        <>
          <progress
            aria-label="Rapports préparés"
            className="h-2 w-40 accent-brand"
            max={progress.nb_participants}
            value={Math.min(progress.nb_done, progress.nb_participants)}
          />
          <Button onClick={() => abort.current?.abort()}>Arrêter</Button>
        </>
      ) : (
        <Button icon={<FileArchive aria-hidden="true" />} onClick={() => void prepare()}>
          Rapports en ZIP
        </Button>
      )}
      <p role="status" className="text-sm text-ink-2">
        {note || 'Les 500 plus récents des participants filtrés, au plus.'}
      </p>
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

export default DocumentsZip
