import { Download } from 'lucide-react'
import {
  describeProblem,
  PERSON_FIELD_LABELS,
  PERSON_FIELDS,
  type PeopleList,
  type PersonField,
} from '#domain/campaigns/people.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { TableHead } from '#web/ui/table-head.tsx'
import { peopleText } from './campaign-labels.ts'

/** Number of people, and of left out lines, that the preview shows. */
const SHOWN_PEOPLE = 5
const SHOWN_LINES = 20
const TAB_STOP = 0
const IGNORED = 'ignored'
const FIELD_OPTIONS = [
  ...PERSON_FIELDS.map((value) => ({ value, label: PERSON_FIELD_LABELS[value] })),
  { value: IGNORED, label: 'Ne pas lire' },
] as const

/** Returns a cell of a CSV file. A cell never becomes a formula. */
const csvCell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const downloadRefused = ({ refused }: PeopleList): void => {
  const lines = refused.map(({ line, text, problem }) =>
    [String(line), text, describeProblem(problem)].map(csvCell).join(';'),
  )
  const csv = ['"Ligne";"Contenu";"Raison"', ...lines].join('\r\n')
  saveFile('lignes-laissees-de-cote.csv', new Blob(['\ufeff', csv], { type: 'text/csv' }))
}

/** Shows what was understood of a list: its columns, its first people and the lines that were left out. */
export const PeoplePreview = ({
  list,
  onFields,
}: {
  list: PeopleList
  onFields: (fields: (PersonField | null)[]) => void
}) => {
  const { columns, people, refused, nb_left_out } = list
  const fields = columns.map(({ field }) => field)
  const set = (index: number, field: PersonField | null): void =>
    onFields(
      // A field has one column.
      fields.map((current, place) => {
        if (place === index) return field
        return current === field ? null : current
      }),
    )
  return (
    <section aria-label="Ce qui est compris" className="flex flex-col gap-3">
      <p role="status" className="font-medium">
        {people.length === 0
          ? 'Aucune personne dans cette liste.'
          : `${peopleText(people.length)} à inviter.`}
      </p>
      {nb_left_out > 0 && (
        <p className="rounded-lg bg-warn-wash p-3 text-sm">
          {`${peopleText(nb_left_out)} de plus ${nb_left_out > 1 ? 'dépassent' : 'dépasse'} la limite d’une campagne : faites-en une deuxième.`}
        </p>
      )}
      {columns.length > 1 && (
        <div className="grid gap-2 sm:grid-cols-2">
          {columns.map(({ title, field }, index) => (
            <Select
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id, and their order never changes
              key={index}
              label={title === '' ? `Colonne ${index + 1}` : `Colonne « ${title} »`}
              value={field ?? IGNORED}
              options={[...FIELD_OPTIONS]}
              onChange={(chosen) => set(index, chosen === IGNORED ? null : chosen)}
            />
          ))}
        </div>
      )}
      {people.length > 0 && (
        <section
          aria-label="Premières personnes"
          tabIndex={TAB_STOP}
          className="overflow-x-auto rounded-lg border border-line"
        >
          <table className="w-full text-sm">
            <TableHead
              className="px-3 py-2"
              columns={PERSON_FIELDS.map((field) => ({ title: PERSON_FIELD_LABELS[field] }))}
            />
            <tbody>
              {people.slice(0, SHOWN_PEOPLE).map((person) => (
                <tr key={person.email} className="border-t border-line">
                  {PERSON_FIELDS.map((field) => (
                    <td key={field} className="px-3 py-2 wrap-anywhere" dir="auto">
                      {person[field] ?? ''}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {refused.length > 0 && (
        <details className="rounded-lg bg-warn-wash p-3 text-sm">
          <summary className="min-h-6 cursor-pointer font-medium pointer-coarse:min-h-11 pointer-coarse:py-2.5">
            {refused.length > 1
              ? `${refused.length} lignes laissées de côté`
              : '1 ligne laissée de côté'}
          </summary>
          <ul className="mt-2 flex flex-col gap-1">
            {refused.slice(0, SHOWN_LINES).map(({ line, text, problem }) => (
              <li key={`${line} ${text}`} className="wrap-anywhere">
                {`Ligne ${line} : ${describeProblem(problem)}.`}{' '}
                <span dir="auto" className="text-ink-2">
                  {text}
                </span>
              </li>
            ))}
          </ul>
          <Button
            className="mt-2"
            icon={<Download aria-hidden="true" />}
            onClick={() => downloadRefused(list)}
          >
            Télécharger ces lignes
          </Button>
        </details>
      )}
    </section>
  )
}
