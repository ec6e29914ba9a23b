import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { MappedTool } from '#contract/forwarding/field-mappings.ts'
import { comparableText } from '#domain/common/comparable-text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import {
  isSameField,
  type MappedType,
  typeRefusal,
  usedFieldReason,
} from '#domain/deliveries/field-mappings.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { newFieldName } from '#domain/deliveries/new-field-name.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { fieldCount, TYPE_LABELS } from './mapping-labels.ts'
import { accountFieldsQuery } from './mapping-queries.ts'
import { Skeleton } from './skeleton.tsx'

/** Field of the account, or name of a field to create. */
export type PickedField = { name: string; field_key?: string; field_name?: string }

type Props = {
  tool: Pick<MappedTool, 'provider' | 'used_fields'>
  /** Types of fields that can receive the value. */
  types: readonly MappedType[]
  /** Names of the fields that other mappings fill. */
  mapped_names: readonly string[]
  onPick: (field: PickedField) => void
  onClose: () => void
}

const ENTRY =
  'flex min-h-10 w-full flex-wrap items-center gap-x-2.5 rounded-md px-3 py-1.5 text-left text-sm wrap-anywhere hover:bg-press disabled:cursor-not-allowed disabled:text-ink-3 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'

/** Lets the creator pick a field of the account, or name a new one. */
export const FieldPicker = ({ tool, types, mapped_names, onPick, onClose }: Props) => {
  const { provider, used_fields } = tool
  const [typed, setTyped] = useState('')
  const query = useQuery(accountFieldsQuery(provider))
  const { data, error, fetchStatus } = query
  const sought = comparableText(typed)
  const fields = data?.fields ?? []
  const shown = fields.filter(({ name }) => comparableText(name).includes(sought))
  const refusalOf = ({ name, field_key, type }: (typeof fields)[number]): string | undefined => {
    const names = [name, field_key]
    if (
      mapped_names.some((mapped_name) =>
        names.some((field_name) => isSameField(field_name, mapped_name)),
      )
    )
      return 'Ce champ reçoit déjà une valeur.'
    const reason = usedFieldReason(used_fields, names)
    if (reason) return reason
    const accepted: readonly string[] = types
    return accepted.includes(type) ? undefined : typeRefusal(type)
  }
  const isKnown = fields.some(({ name }) => isSameField(name, typed.trim()))
  const used = [...mapped_names, ...used_fields.map(({ name }) => name)]
  const created = sought === '' || isKnown ? null : newFieldName(provider, typed, used)
  return (
    <Dialog title={`Choisir un champ de ${PROVIDER_LABELS[provider]}`} open onClose={onClose}>
      <div className="flex flex-col gap-3">
        <TextField
          type="search"
          label="Filtrer les champs, ou nommer un nouveau champ"
          data-initial-focus
          value={typed}
          maxLength={LIMITS.integration_field}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <p role="status" className="text-sm text-ink-2 empty:hidden">
          {data && fieldCount(shown.length)}
          {!data &&
            fetchStatus === 'paused' &&
            'Vous êtes hors connexion : la liste arrivera avec le réseau.'}
          {!data && fetchStatus === 'fetching' && (
            <span className="appear-late">Vos champs arrivent…</span>
          )}
        </p>
        {!data && fetchStatus === 'fetching' && <Skeleton lines={4} />}
        {!data && error && fetchStatus === 'idle' && (
          <LoadFailure
            text={failureText(error, 'Les champs de votre compte n’ont pas pu être lus.')}
            query={query}
          />
        )}
        <ul className="flex flex-col">
          {created !== null && (
            <li>
              <button
                type="button"
                className={ENTRY}
                onClick={() => onPick({ name: created, field_name: created })}
              >
                <Plus aria-hidden="true" />
                {`Créer un champ « ${created} »`}
              </button>
            </li>
          )}
          {shown.map((field) => {
            const refusal = refusalOf(field)
            return (
              <li key={field.field_key}>
                <button
                  type="button"
                  disabled={refusal !== undefined}
                  className={ENTRY}
                  onClick={() => onPick({ name: field.name, field_key: field.field_key })}
                >
                  <span dir="auto">{field.name}</span>
                  <span className="text-xs text-ink-3">{refusal ?? TYPE_LABELS[field.type]}</span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </Dialog>
  )
}
