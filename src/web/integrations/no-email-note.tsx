import { TriangleAlert } from 'lucide-react'

/** Warns that a quiz with forwarding has no email question. */
export const NoEmailNote = () => (
  <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
    Ce questionnaire n’a pas de question email : aucun participant ne sera transmis.
  </p>
)
