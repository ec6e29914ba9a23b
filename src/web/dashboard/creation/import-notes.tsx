import { type ReactNode, useId } from 'react'
import type { ImportedText } from './quiz-kinds.ts'

/** Returns the nearest line of a text that equals an imported line, from 1; null if no line is equal. */
const findLine = (lines: readonly string[], imported: string, line: number): number | null => {
  let nearest: number | null = null
  for (const [index, one] of lines.entries()) {
    const isNearer = nearest === null || Math.abs(index + 1 - line) < Math.abs(nearest - line)
    if (one === imported && isNearer) nearest = index + 1
  }
  return nearest
}

/** Renders the remarks about an import. A remark about a question has a button that leads to its line. */
export const ImportNotes = ({
  imported: { product, text, notes },
  current,
  onChoose,
  children,
}: {
  imported: ImportedText
  /** Text in the field, which the creator may have changed after the import. */
  current: string
  onChoose: (line: number) => void
  /** Actions below the list. */
  children: ReactNode
}) => {
  const id = useId()
  const written = text.split('\n')
  const lines = current.split('\n')
  const listed = notes.map(({ line, message }) => ({
    message,
    line: line === null ? null : findLine(lines, written[line - 1] ?? '', line),
  }))
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 rounded-xl bg-card p-4">
      <h3 id={id} className="font-medium">{`Repris de ${product}`}</h3>
      <p role="status" className="text-ink-2">
        {summarizeNotes(notes.length)}
      </p>
      <ul
        aria-label="Ce qui n’est pas repris"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the list
        tabIndex={0}
        className="max-h-48 overflow-y-auto empty:hidden"
      >
        {listed.map(({ line, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and messages may be equal
          <li key={index} className="px-2 py-1 wrap-anywhere">
            {line !== null && (
              <button
                type="button"
                onClick={() => onChoose(line)}
                className="mr-1 rounded-md font-medium text-brand underline underline-offset-2 pointer-coarse:min-h-11"
              >{`Ligne ${line} :`}</button>
            )}
            {message}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

const summarizeNotes = (count: number): string => {
  if (count === 0) return 'Tout est repris. Relisez le texte avant de créer le questionnaire.'
  const what =
    count === 1
      ? 'Un élément n’est pas repris tel quel'
      : `${count} éléments ne sont pas repris tels quels`
  return `${what}. Relisez le texte avant de créer le questionnaire.`
}
