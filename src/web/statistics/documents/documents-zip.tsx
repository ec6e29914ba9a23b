import { FileArchive } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_ZIPPED_PARTICIPANTS } from '#domain/reports/document.ts'
import { download } from '#web/api/download.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { type Filters, writeFilters } from '#web/statistics/filters/filters.ts'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import { readZip } from './read-zip-progress.ts'

type Progress = { nb_done: number; nb_participants: number }

const FAILED = 'Les rapports n’ont pas pu être préparés. Réessayez dans quelques instants.'

/** Returns the French label of the participants in the ZIP. `count` is their number; null if unknown. */
const selectionLabel = (search: string, count: number | null): string => {
  const listed = search ? `trouvés par « ${search} »` : 'filtrés'
  if (count !== null && count <= MAX_ZIPPED_PARTICIPANTS)
    return `Ceux de la liste : ${formatParticipants(count)}.`
  return `Les ${MAX_ZIPPED_PARTICIPANTS} plus récents des participants ${listed}, au plus.`
}

/** Maximum number of people that are named. */
const MAX_NAMED = 20

const listNames = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` et ${more} de plus` : '')
}

/** Renders the button that downloads the documents of the listed participants as a ZIP, with its progress. */
const DocumentsZip = ({
  quizId,
  filters,
  search,
  count,
}: {
  quizId: string
  filters: Filters
  /** Search of the list; '' without a search. */
  search: string
  /** Number of listed participants; null if it is unknown. */
  count: number | null
}) => {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [note, setNote] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [undrawable, setUndrawable] = useState<readonly string[]>([])
  const abort = useRef<AbortController>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => () => abort.current?.abort(), [])
  // A note belongs to one selection and disappears with it.
  const selection = JSON.stringify([filters, search])
  const [noted, setNoted] = useState(selection)
  if (noted !== selection && !progress) {
    setNoted(selection)
    setNote('')
    setUndrawable([])
  }

  const prepare = async (isConfirmed = false): Promise<void> => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setError(null)
    setUndrawable([])
    setNote('Préparation des rapports…')
    setProgress({ nb_done: 0, nb_participants: 1 })
    try {
      const { url, file_name, nb_participants, undrawable_names } = await lazyClient.documents.link(
        {
          id: quizId,
          body: { ...writeFilters(filters), ...(search && { search }), file: 'zip' },
        },
      )
      if (undrawable_names.length > 0 && !isConfirmed) {
        setNote('')
        setUndrawable(undrawable_names)
        setProgress(null)
        return
      }
      setNote(`Préparation des rapports de ${formatParticipants(nb_participants)}…`)
      const answer = await fetch(url, { signal })
      if (!answer.ok || !answer.body) throw new Error(FAILED)
      const zip = await readZip(answer.body, (nb_done) => setProgress({ nb_done, nb_participants }))
      const address = URL.createObjectURL(zip)
      download({ url: address, file_name })
      URL.revokeObjectURL(address)
      setNote(`Rapports de ${formatParticipants(nb_participants)} téléchargés.`)
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
      {progress && (
        <progress
          aria-label="Rapports préparés"
          className="h-2 w-40 accent-brand"
          max={progress.nb_participants}
          value={Math.min(progress.nb_done, progress.nb_participants)}
        />
      )}
      {/* One button for both, so that it keeps the focus. */}
      <Button
        ref={button}
        icon={progress ? undefined : <FileArchive aria-hidden="true" />}
        onClick={() => (progress ? abort.current?.abort() : void prepare())}
      >
        {progress ? 'Arrêter' : 'Rapports en ZIP'}
      </Button>
      <p role="status" className="text-sm text-ink-2">
        {note || selectionLabel(search, count)}
      </p>
      {undrawable.length > 0 && (
        <div role="alert" className="flex w-full flex-col items-start gap-2">
          <p className="text-sm text-bad">
            Les polices de ce site ne savent pas écrire en entier ces noms :{' '}
            <span dir="auto">{listNames(undrawable)}</span>. Leurs attestations ne seront pas dans
            le ZIP, qui les nomme ; leurs rapports auront « […] » à la place des signes manquants.
          </p>
          <Button
            onClick={() => {
              // This button disappears.
              button.current?.focus()
              void prepare(true)
            }}
          >
            Préparer quand même
          </Button>
        </div>
      )}
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

export default DocumentsZip
