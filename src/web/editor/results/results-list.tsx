import type { Result } from '#domain/questionnaire/quiz.ts'
import { resultNameId } from '#web/editor/fields/field-ids.ts'
import { useItemKeys } from '#web/editor/fields/list-editing.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Message } from '#web/ui/feedback/screen-state.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { Sortable } from '#web/ui/sorting/sortable.tsx'
import { copiedLinksMessage } from './result-links.tsx'
import { nameOfResult, RESULTS_GROUP, ResultRow } from './result-row.tsx'
import { haveSameLinks, type ResultsAction } from './results-reducer.ts'

/** Lists the results in order of priority, which dragging changes (product 2.4). */
export const ResultsList = ({
  results,
  change,
  announce,
  focusAdd,
}: {
  results: readonly Result[]
  change: (action: ResultsAction) => void
  announce: (text: string) => void
  focusAdd: () => void
}) => {
  const { confirm } = useDialogs()

  const remove = async (index: number): Promise<void> => {
    const result = results[index]
    if (!result) return
    const isConfirmed = await confirm('Êtes-vous sûr de vouloir supprimer ce résultat ?', {
      confirm_label: 'Supprimer',
      danger: true,
    })
    if (!isConfirmed) return
    change({ type: 'removed', id: result.id })
    announce('Résultat supprimé')
    focusName(results[index + 1] ?? results[index - 1])
  }
  /** Removes a blank result without a confirmation. */
  const erase = (index: number): void => {
    const result = results[index]
    if (!result) return
    change({ type: 'removed', id: result.id })
    announceToScreenReader('Résultat vide supprimé')
    focusName(results[index - 1])
  }
  const copyLinks = (result: Result): void => {
    change({ type: 'links_copied', id: result.id })
    announce(copiedLinksMessage(result, results.length))
  }
  const focusName = (result: Result | undefined): void => {
    if (result) document.getElementById(resultNameId(result.id))?.focus()
    else focusAdd()
  }

  useItemKeys({
    onStep: (id, step) => {
      const from = results.findIndex((result) => result.id === id)
      const to = from + step
      if (results[to]) change({ type: 'moved', from, to })
    },
  })

  if (results.length === 0)
    return (
      <Message title="Aucun résultat créé" text="Ajoutez le premier avec le champ ci-dessus." />
    )

  const byId = new Map(results.map((result) => [result.id, result]))
  return (
    <Sortable
      groups={{ [RESULTS_GROUP]: results.map(({ id }) => id) }}
      nameOf={(id) => nameOfResult(results, id)}
      placeOf={({ index }, count) => `position ${index + 1} sur ${count}`}
      onMove={(id, { index: to }) =>
        change({
          type: 'moved',
          from: results.findIndex((result) => result.id === id),
          to,
          is_dragged: true,
        })
      }
    >
      {({ [RESULTS_GROUP]: ids = [] }) => (
        <ol className="flex flex-col gap-3">
          {ids.flatMap((id, index) => {
            const result = byId.get(id)
            return result ? (
              <ResultRow
                key={id}
                result={result}
                index={index}
                count={ids.length}
                change={change}
                isCopied={haveSameLinks(results, result)}
                onCopyLinks={() => copyLinks(result)}
                onEnter={() => focusName(results[index + 1])}
                onErase={() => erase(index)}
                onRemove={() => remove(results.indexOf(result))}
              />
            ) : (
              []
            )
          })}
        </ol>
      )}
    </Sortable>
  )
}
