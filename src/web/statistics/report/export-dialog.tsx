import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { download } from '#web/api/download.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { type Filters, writeFilters } from '#web/statistics/filters/filters.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Switch } from '#web/ui/form/choice-controls.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

const FORMATS = [
  {
    format: 'xlsx',
    label: 'Classeur Excel',
    hint: 'Le plus sûr : téléphones et codes postaux gardent leurs zéros, dates et nombres sont prêts à calculer.',
  },
  {
    format: 'csv_excel',
    label: 'CSV pour Excel',
    hint: 'Séparateurs et décimales à la française, à ouvrir dans un tableur.',
  },
  { format: 'csv', label: 'CSV standard', hint: 'Virgules et points, pour tout autre logiciel.' },
  { format: 'json', label: 'JSON', hint: 'Pour un programme.' },
] as const

/** Renders the button and the dialog that export the filtered participants as a file. */
export const ExportButton = ({
  quizId,
  filters,
  about,
}: {
  quizId: string
  filters: Filters
  about: string
}) => {
  const [isOpen, setOpen] = useState(false)
  const [hasChoiceColumns, setChoiceColumns] = useState(false)
  const exportRequest = useMutation({
    mutationFn: (format: (typeof FORMATS)[number]['format']) =>
      lazyClient.exports.link({
        id: quizId,
        body: {
          ...writeFilters(filters),
          format,
          choices: hasChoiceColumns ? 'columns' : 'joined',
        },
      }),
    onSuccess: (file) => {
      download(file)
      // Closed first, because an open dialog keeps the live region of the page silent.
      flushSync(() => setOpen(false))
      announceToScreenReader('L’export est prêt : son téléchargement commence.')
    },
  })
  return (
    <>
      <Button icon={<Download aria-hidden="true" />} onClick={() => setOpen(true)}>
        Exporter
      </Button>
      <Dialog title="Exporter les réponses" open={isOpen} onClose={() => setOpen(false)}>
        <HelpLink about="exports" page="participants-et-exports#exporter" />
        <p className="mb-3 text-ink-2">{about}, une ligne par participant.</p>
        {exportRequest.error && (
          <p role="alert" className="mb-3 text-bad">
            {errorText(exportRequest.error)}
          </p>
        )}
        <div className="mb-3">
          <Switch
            label="Une colonne par réponse"
            aria-describedby="choice-columns-hint"
            checked={hasChoiceColumns}
            onChange={(event) => setChoiceColumns(event.currentTarget.checked)}
          />
          <p id="choice-columns-hint" className="text-xs text-ink-3">
            Pour les questions à plusieurs réponses : 1 si la réponse est cochée, 0 sinon.
          </p>
        </div>
        <ul className="flex flex-col gap-2">
          {FORMATS.map(({ format, label, hint }) => (
            <li key={format}>
              <button
                type="button"
                aria-busy={exportRequest.isPending || undefined}
                onClick={() => !exportRequest.isPending && exportRequest.mutate(format)}
                className="flex w-full flex-col rounded-lg border border-field px-4 py-2.5 text-left hover:bg-press"
              >
                <span className="font-medium">{label}</span>
                <span className="text-xs text-ink-3">{hint}</span>
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
