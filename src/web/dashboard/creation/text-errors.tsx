import { assistantCorrections } from '#domain/text-format/assistant/assistant-brief.ts'
import type { TextError } from '#domain/text-format/lines.ts'
import { CopyText } from './copy-text.tsx'

/** Returns the French sentence about the errors of a text; '' if there are none. */
export const summarizeErrors = ([first, ...others]: readonly TextError[]): string => {
  if (!first) return ''
  if (others.length === 0) return `Une erreur, ligne ${first.line}.`
  return `${others.length + 1} erreurs, la première ligne ${first.line}.`
}

const MAX_LISTED_LINES = 8

/** Returns the French sentence about the lines that are not part of the questionnaire; '' if there are none. */
export const summarizeIgnored = (lines: readonly number[]): string => {
  const [line] = lines
  if (line === undefined) return ''
  if (lines.length === 1) return `Laissée de côté : la ligne ${line}.`
  const more = lines.length > MAX_LISTED_LINES ? '…' : ''
  return `Laissées de côté : les lignes ${lines.slice(0, MAX_LISTED_LINES).join(', ')}${more}.`
}

/** Renders errors as buttons that lead to their lines, and a button that copies all errors for an assistant. */
export const TextErrors = ({
  text,
  errors,
  onChoose,
}: {
  text: string
  errors: readonly TextError[]
  onChoose: (line: number) => void
}) => (
  <>
    <ol aria-label="Erreurs du texte" className="max-h-48 overflow-y-auto empty:hidden">
      {errors.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          <button
            type="button"
            onClick={() => onChoose(line)}
            className="w-full rounded-md px-2 py-1 text-left wrap-anywhere hover:bg-press pointer-coarse:min-h-11"
          >
            <span className="font-medium text-bad">{`Ligne ${line} : `}</span>
            {message}
          </button>
        </li>
      ))}
    </ol>
    {errors.length > 0 && (
      <CopyText
        label="Copier les erreurs"
        announcement="Erreurs copiées : collez-les dans votre assistant."
        read={() => assistantCorrections(text, errors)}
      />
    )}
  </>
)
