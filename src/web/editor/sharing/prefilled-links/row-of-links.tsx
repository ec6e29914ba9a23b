import { Check, Copy } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { shortenText } from '#domain/common/text.ts'
import {
  canBeRow,
  type LinkRow,
  linkRowOf,
  rowToHtml,
  rowToText,
} from '#domain/prefilled-links/link-row.ts'
import type { LinkContent } from '#domain/prefilled-links/write-link.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { Snippet } from '#web/editor/sharing/snippet.tsx'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

const SHOWN_CHARACTERS = 60
const NONE = ''

/** Shows the links of a scale or of a choice as a mail shows them, and copies them. */
export const RowOfLinks = ({
  link,
  trial_link,
  questions,
  content,
  sample,
}: {
  link: string
  /** Link of a trial run, which the shown links open; undefined until it is loaded. */
  trial_link: string | undefined
  questions: readonly SnapshotQuestion[]
  content: LinkContent
  /** Content with a sample person in place of merge tags. */
  sample: LinkContent
}) => {
  const [id, setId] = useState(NONE)
  const shown = useRef<HTMLDivElement>(null)
  const fitting = questions.filter(canBeRow)
  const question = fitting.find((one) => one.id === id)
  if (fitting.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Rangée de liens pour un email"
        hint="Chaque lien remplit la réponse et ouvre la page, où la personne la confirme."
        value={id}
        options={[
          { value: NONE, label: 'Choisir une échelle ou un choix…' },
          ...fitting.map((one) => ({
            value: one.id,
            label: `${questions.indexOf(one) + 1}. ${shortenText(one.text, SHOWN_CHARACTERS)}`,
          })),
        ]}
        onChange={setId}
      />
      {question && (
        <>
          <ShownRow ref={shown} row={linkRowOf(trial_link ?? link, questions, question, sample)} />
          <CopyRow shown={shown} row={linkRowOf(link, questions, question, content)} />
        </>
      )}
    </div>
  )
}

/** Shows a row as in a mail. Its links open trial runs, so that nothing is counted. */
const ShownRow = ({ row, ref }: { row: LinkRow; ref: RefObject<HTMLDivElement | null> }) => (
  <div ref={ref} className="flex flex-col gap-2 rounded-lg border border-line p-3">
    <p className="text-sm font-medium" dir="auto">
      {row.question}
    </p>
    <ul className={`flex gap-0.5 ${row.is_list ? 'flex-col' : 'flex-row'}`}>
      {row.links.map(({ text, link }) => (
        <li key={link} className="min-w-0 flex-1">
          <a
            href={link}
            target="_blank"
            rel="noreferrer"
            dir="auto"
            className="flex min-h-9 items-center justify-center rounded bg-brand px-1 text-sm font-bold break-words text-on-brand pointer-coarse:min-h-11"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
    {row.ends && !row.is_list && (
      <p className="flex justify-between text-xs text-ink-2">
        <span dir="auto">{row.ends[0]}</span>
        <span dir="auto">{row.ends[1]}</span>
      </p>
    )}
  </div>
)

/**
 * Copies a row as HTML and as text. The event of a copy keeps the styles of the HTML, which `clipboard.write` removes where
 * the policy of the page allows none. Copies the text alone if the browser refuses.
 */
const copyRow = async (row: LinkRow, shown: Element | null): Promise<void> => {
  const text = rowToText(row)
  const fillClipboard = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/html', rowToHtml(row))
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fillClipboard)
  // Some browsers copy nothing without a selection.
  if (shown) getSelection()?.selectAllChildren(shown)
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fillClipboard)
  if (!isCopied) await navigator.clipboard.writeText(text)
}

const CODE_LABELS = {
  field: 'Code HTML de la rangée',
  copy: 'Copier le code HTML',
  copied: 'Code HTML copié',
}

const CopyRow = ({ row, shown }: { row: LinkRow; shown: RefObject<Element | null> }) => {
  const { isCopied, copy } = useCopy(() => copyRow(row, shown.current))
  return (
    <>
      <div>
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copy('')}
        >
          {isCopied ? 'Copié' : 'Copier la rangée'}
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? 'Rangée copiée' : ''}
        </span>
      </div>
      <Snippet code={rowToHtml(row)} labels={CODE_LABELS} />
    </>
  )
}
