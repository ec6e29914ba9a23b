import { useState } from 'react'
import type { ListedMapping, MappedTool } from '#contract/forwarding/field-mappings.ts'
import { readDryRunSubject } from '#domain/deliveries/dry-run.ts'
import type { MappedSource } from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { DryRunDisclosure } from '#web/automations/dry-run.tsx'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { FieldPicker, type PickedField } from './field-picker.tsx'
import { isSameSource, type SourceChoice } from './mapping-labels.ts'
import { SourceMenu } from './source-menu.tsx'
import { useMappingChanges } from './use-mapping-changes.ts'

/** Renders the actions on a mapping, its message and its dry run. */
export const MappingActions = ({
  quizId,
  mapping,
  tool,
  mapped_names,
  choices,
  flush,
}: {
  quizId: string
  mapping: ListedMapping
  tool: Pick<MappedTool, 'provider' | 'used_fields'>
  /** Names of the fields that other mappings fill. */
  mapped_names: readonly string[]
  choices: readonly SourceChoice[]
  /** Saves pending edits, so that a mapping can refer to them. */
  flush: () => Promise<void>
}) => {
  const { id: mappingId, source, question_id, dimension_id } = mapping
  const { field_name, field_type, message } = mapping
  const [isPicking, setPicking] = useState(false)
  const { confirm } = useDialogs()
  const { change, error, findMapping } = useMappingChanges(quizId)
  const subject = readDryRunSubject({ source, question_id, dimension_id })
  const name = PROVIDER_LABELS[tool.provider]
  const current = choices.find((choice) => isSameSource(choice, mapping))
  const sourceBody = (mapped: MappedSource) => ({
    source: mapped.source,
    question_id: mapped.question_id ?? undefined,
    dimension_id: mapped.dimension_id ?? undefined,
  })
  /** Returns the mapping as it is shown, so that a change of another tab is not overwritten. */
  const seen = () => {
    const { source, question_id, dimension_id, field_name } = findMapping(mappingId) ?? mapping
    return { source, question_id, dimension_id, field_name }
  }
  const changeSource = (choice: SourceChoice): void =>
    change({
      act: async () => {
        await flush()
        const body = { ...sourceBody(choice), replaces: seen() }
        await lazyClient.fieldMappings.update({ id: quizId, mappingId, body })
      },
      done: `Le champ ${field_name} reçoit maintenant : ${choice.name}.`,
      failure: 'La valeur n’a pas pu être changée. Réessayez.',
    })
  const changeField = ({ name: picked, ...field }: PickedField): void => {
    setPicking(false)
    change({
      act: () => {
        const body = { ...field, replaces: { field_name: seen().field_name } }
        return lazyClient.fieldMappings.update({ id: quizId, mappingId, body })
      },
      done: `Le champ ${picked} remplace ${field_name}.`,
      failure: 'Le champ n’a pas pu être changé. Réessayez.',
    })
  }
  const remove = async (): Promise<void> => {
    const question = `Ne plus remplir le champ « ${field_name} » ? Le champ et ses valeurs restent dans ${name}.`
    if (!(await confirm(question, { confirm_label: 'Supprimer', danger: true }))) return
    change({
      act: () => lazyClient.fieldMappings.remove({ id: quizId, mappingId }),
      done: `Le champ ${field_name} n’est plus rempli.`,
      failure: 'Le champ n’a pas pu être supprimé. Réessayez.',
    })
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {message && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-ink">{message}</p>}
      <div className="flex flex-wrap gap-2">
        <SourceMenu
          text="Changer la valeur"
          label={`Changer la valeur de ${field_name}`}
          choices={choices}
          field_type={field_type}
          onChoose={changeSource}
        />
        <Button
          aria-label={`Changer le champ ${field_name}`}
          aria-haspopup="dialog"
          onClick={() => setPicking(true)}
        >
          Changer le champ
        </Button>
        <Button
          variant="ghost"
          aria-label={`Supprimer ${field_name}`}
          onClick={() => void remove()}
        >
          Supprimer
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
      {subject && (
        <DryRunDisclosure
          quizId={quizId}
          subject={subject}
          effect="received"
          valueTitle={field_name}
        />
      )}
      {isPicking && (
        <FieldPicker
          tool={tool}
          types={current?.types ?? ['text']}
          mapped_names={mapped_names}
          onPick={changeField}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  )
}
