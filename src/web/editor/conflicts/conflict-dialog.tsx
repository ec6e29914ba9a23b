import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ConflictChoices, EditConflict, MergeSide } from '#domain/editing/merge-rows.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { DraftView } from '#web/editor/draft/draft-session.ts'
import { fieldTarget } from '#web/editor/fields/field-target.ts'
import { isInClosedPart } from '#web/editor/fields/focus.ts'
import type { FieldTarget } from '#web/editor/fields/publish-targets.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { conflictTitle, conflictValue } from './conflict-labels.ts'

/**
 * Asks which value to keep for each field that two authors or two tabs have changed. The dialog closes only
 * after an answer, and then leads to a field that a closed part of the screen hides.
 */
const ConflictDialog = ({
  view: { conflicts, draft },
  onSettle,
  onShow,
}: {
  view: Pick<DraftView, 'conflicts' | 'draft'>
  onSettle: (choices: ConflictChoices) => void
  onShow: (target: FieldTarget) => void
}) => {
  const hidden = useRef<FieldTarget>(undefined)
  const showHidden = useEffectEvent(() => hidden.current && onShow(hidden.current))
  // The dialog disappears after the merge. Until then, no field outside can have the focus.
  useEffect(() => () => void showHidden(), [])
  return (
    <Dialog
      title="Modifié aussi ailleurs"
      open={conflicts.length > 0}
      role="alertdialog"
      isRequired
      onClose={() => undefined}
    >
      <Conflicts
        conflicts={conflicts}
        draft={draft}
        onSettle={(choices) => {
          hidden.current = conflicts
            .map((conflict) => fieldTarget(conflict, draft.quiz))
            .find(({ field_ids }) => isInClosedPart(field_ids))
          onSettle(choices)
        }}
      />
    </Dialog>
  )
}

export default ConflictDialog

type ConflictAnswers = {
  conflicts: readonly EditConflict[]
  choices: ConflictChoices
  isForAll: boolean
}

const NO_CHOICES: ConflictAnswers = { conflicts: [], choices: {}, isForAll: false }

const Conflicts = ({
  conflicts,
  draft,
  onSettle,
}: {
  conflicts: readonly EditConflict[]
  draft: Draft
  onSettle: (choices: ConflictChoices) => void
}) => {
  const [storedChoices, setStoredChoices] = useState(NO_CHOICES)
  // Choices belong to one list of conflicts, so that a new list starts without choices.
  const { choices, isForAll } = storedChoices.conflicts === conflicts ? storedChoices : NO_CHOICES
  const rank = Object.keys(choices).length
  const conflict = conflicts[rank]
  if (!conflict) return null

  const choose = (choice: MergeSide): void => {
    const settled = isForAll ? conflicts.slice(rank) : [conflict]
    const all = { ...choices, ...Object.fromEntries(settled.map(({ path }) => [path, choice])) }
    setStoredChoices({ conflicts, choices: all, isForAll })
    if (Object.keys(all).length === conflicts.length) onSettle(all)
  }
  const left = conflicts.length - rank - 1

  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">
        Ce passage a été changé dans un autre onglet ou par une autre personne pendant que vous le
        modifiiez. Quelle version gardez-vous ?
      </p>
      <p className="font-medium break-words" aria-live="polite">
        {conflicts.length > 1 && `${rank + 1} sur ${conflicts.length} – `}
        {conflictTitle(conflict, draft)}
      </p>
      <Version
        title="La vôtre"
        text={conflictValue(conflict, conflict.mine, draft)}
        action="Garder la mienne"
        onChoose={() => choose('mine')}
      />
      <Version
        title="L’autre"
        text={conflictValue(conflict, conflict.theirs, draft)}
        action="Garder l'autre"
        onChoose={() => choose('theirs')}
      />
      {left > 0 && (
        <Checkbox
          label={`Faire de même pour ${left > 1 ? `les ${left} suivants` : 'le suivant'}`}
          checked={isForAll}
          onChange={(event) =>
            setStoredChoices({ conflicts, choices, isForAll: event.currentTarget.checked })
          }
        />
      )}
    </div>
  )
}

const Version = ({
  title,
  text,
  action,
  onChoose,
}: {
  title: string
  text: string
  action: string
  onChoose: () => void
}) => (
  <section className="rounded-xl border border-line p-4">
    <h3 className="text-sm font-medium text-ink-2">{title}</h3>
    <p className="mt-1 max-h-40 overflow-y-auto break-words whitespace-pre-wrap" dir="auto">
      {text}
    </p>
    <Button variant="secondary" className="mt-3" onClick={onChoose}>
      {action}
    </Button>
  </section>
)
