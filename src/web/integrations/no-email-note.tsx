import { TriangleAlert } from 'lucide-react'

/** For a quiz that forwards to a tool and asks nobody for an address. */
export const NoEmailNote = () => (
  <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
    Ce questionnaire n’a pas de question email : aucun participant ne sera transmis.
  </p>
)
