import { FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import type { PeopleList, PersonField } from '#domain/campaigns/people.ts'
import { MAX_PEOPLE_FILE_BYTES, peopleFileTooHeavy } from '#domain/campaigns/read-people-file.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { PeoplePreview } from './people-preview.tsx'
import { type PeopleSource, readPeopleList } from './read-people.ts'

const FAILED = 'Cette liste n’a pas pu être lue. Réessayez, ou collez-la.'

/** Reads a list of people, pasted or from a file, and shows what was understood. */
export const PeopleStep = ({
  list,
  onList,
}: {
  list: PeopleList | undefined
  onList: (list: PeopleList | undefined) => void
}) => {
  const chooser = useRef<HTMLInputElement>(null)
  const hint = useId()
  const [text, setText] = useState('')
  const [source, setSource] = useState<PeopleSource>()
  const [isReading, setReading] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const latest = useRef<object>(undefined)

  const read = async (chosen: PeopleSource, fields?: (PersonField | null)[]): Promise<void> => {
    const turn = {}
    latest.current = turn
    setReading(true)
    setRefusal(undefined)
    setSource(chosen)
    try {
      const report = await readPeopleList(chosen, fields)
      if (latest.current !== turn) return
      if ('refusal' in report) setRefusal(report.refusal)
      onList('list' in report ? report.list : undefined)
    } catch {
      if (latest.current === turn) setRefusal(FAILED)
    } finally {
      if (latest.current === turn) setReading(false)
    }
  }
  const open = async (file: File): Promise<void> => {
    if (file.size > MAX_PEOPLE_FILE_BYTES) return setRefusal(peopleFileTooHeavy())
    await read({ bytes: new Uint8Array(await file.arrayBuffer()) })
  }
  const choose = (fields: (PersonField | null)[]): void => {
    if (source) void read(source, fields)
  }
  return (
    <div className="flex flex-col gap-3">
      <p id={hint} className="text-sm text-ink-2">
        {`Une personne par ligne : son email et, si vous voulez, son prénom, son nom et son groupe. ${CAMPAIGN_LIMITS.people.toLocaleString('fr-FR')} personnes au plus.`}
      </p>
      <TextField
        multiline
        label="Coller une liste"
        value={text}
        rows={4}
        spellCheck={false}
        aria-describedby={hint}
        className="max-h-60 overflow-auto font-mono text-sm"
        placeholder={'lea@exemple.fr;Léa;Martin;Équipe Nord'}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={text.trim() === ''} busy={isReading} onClick={() => void read({ text })}>
          Lire cette liste
        </Button>
        <Button
          icon={<FileUp aria-hidden="true" />}
          disabled={isReading}
          onClick={() => chooser.current?.click()}
        >
          Choisir un fichier
        </Button>
        <span className="text-sm text-ink-2">CSV ou classeur Excel (.xlsx), 2 Mo au plus</span>
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".csv,.txt,.xlsx,text/csv,text/plain"
        aria-label="Fichier des personnes"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void open(file)
          // Allows choosing the same file again after a correction.
          currentTarget.value = ''
        }}
      />
      {refusal && (
        <p role="alert" className="text-bad">
          {refusal}
        </p>
      )}
      {list && <PeoplePreview list={list} onFields={choose} />}
    </div>
  )
}
