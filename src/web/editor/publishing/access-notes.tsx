import { closingSentence, openingSentence } from '#domain/questionnaire/access-sentences.ts'
import { useZone, withZone } from '#web/ui/moments.ts'
import { type AccessSettings, accessNotes } from './access-labels.ts'

/** Shows when visitors can start a quiz, if they cannot start it now or only until a limit. */
export const AccessNotes = ({ quiz }: { quiz: AccessSettings }) => {
  const zone = useZone()
  const now = Date.now()
  const notes = accessNotes(quiz, {
    now,
    sayOpening: (at) => withZone(openingSentence(at, { now, ...zone }), zone),
    sayClosing: (at) => withZone(closingSentence(at, { now, ...zone }), zone),
  })
  if (notes.length === 0) return null
  return (
    <ul className="mb-3 flex flex-col gap-1 rounded-lg bg-brand-wash px-3 py-2 text-sm text-brand">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
