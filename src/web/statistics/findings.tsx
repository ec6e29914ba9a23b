import { Lightbulb } from 'lucide-react'
import { FEWEST_TOLD, type FindingsInput, findings } from '#domain/findings.ts'
import { findingText } from './finding-words.ts'

/**
 * What the figures say, in a sentence or two. It is there when they say nothing as well, so that nothing below moves as
 * participants come.
 */
export const Findings = ({ input }: { input: FindingsInput }) => {
  const said = findings(input).map(findingText)
  return (
    <section
      aria-label="En bref"
      className="flex min-h-24 break-inside-avoid items-center gap-3 rounded-xl bg-brand-wash px-4 py-3 sm:min-h-16 print:min-h-0"
    >
      <Lightbulb aria-hidden="true" className="size-4 shrink-0 text-brand" />
      {said.length === 0 ? (
        <p className="text-ink-2">{silence(input)}</p>
      ) : (
        <ul className="flex min-w-0 flex-col gap-1 font-medium wrap-anywhere">
          {said.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const silence = ({ nb_participants }: FindingsInput): string =>
  nb_participants < FEWEST_TOLD
    ? `À partir de ${FEWEST_TOLD} participants, ce que les chiffres ont de marquant est dit ici.`
    : 'Rien ne sort de l’ordinaire dans ces chiffres.'
