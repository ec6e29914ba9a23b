import { TriangleAlert } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { IN_TRASH_MESSAGE } from '#domain/questionnaire/trash/trash.ts'
import type { Refusal } from '#web/editor/draft/draft-server.ts'
import type { DraftView } from '#web/editor/draft/draft-session.ts'
import { fieldTarget } from '#web/editor/fields/field-target.ts'
import type { FieldTarget } from '#web/editor/fields/publish-targets.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { conflictTitle } from './conflict-labels.ts'

/** Refusal with the id of the input of its field. */
export type RefusedField = { refusal: Refusal; id: string }

/** Shows why the server refused a save, with a button to its field. Passes the id of the field to `onField`. */
const RefusalBar = ({
  refusal,
  draft,
  onField,
  onShow,
}: {
  refusal: Refusal
  draft: DraftView['draft']
  onField: (refused: RefusedField) => void
  onShow: (target: FieldTarget) => void
}) => {
  const { at, reason } = refusal
  const target = useMemo(() => at && fieldTarget(at, draft.quiz), [at, draft.quiz])
  const id = target?.field_ids[0]
  useEffect(() => {
    if (id) onField({ refusal, id })
  }, [refusal, id, onField])
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-bad-wash px-4 py-2 text-sm text-ink sm:px-5">
      <p role="alert" className="flex min-w-0 flex-1 basis-60 gap-2 wrap-anywhere">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
        <span>
          <strong className="font-semibold">Non enregistré</strong>
          {at ? ` – ${conflictTitle(at, draft)} : ${reason}.` : ` : ${reason}.`} Vos autres
          modifications attendent aussi, gardées sur cet appareil.
        </span>
      </p>
      {reason === IN_TRASH_MESSAGE && <ButtonLink to="/corbeille">Ouvrir la corbeille</ButtonLink>}
      {target && <Button onClick={() => onShow(target)}>Voir le champ</Button>}
    </div>
  )
}

export default RefusalBar
