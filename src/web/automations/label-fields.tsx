import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import { formatLabel } from '#domain/deliveries/automations.ts'
import {
  isFeminineLabel,
  type LabelKind,
  labelNoun,
  labelNouns,
} from '#domain/deliveries/enrolment-kinds.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/feedback/screen-state.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { accountLabelsQuery } from './automation-queries.ts'

/** Renders the field for a tag or list. Labels of the account are suggested, and other names can be typed. */
export const NamedLabelField = ({
  provider,
  value,
  error,
  onChange,
}: {
  provider: ProviderName
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) => {
  const id = useId()
  const labels = useQuery(accountLabelsQuery(provider, null))
  const accountLabels = labels.data?.labels ?? []
  return (
    <div>
      <TextField
        label={labelNoun(provider) === 'tag' ? 'Tag' : 'Liste'}
        list={`${id}-labels`}
        value={value}
        {...(error && { error })}
        hint={hintOf(provider, { isPending: labels.isPending, failure: labels.error })}
        maxLength={LIMITS.label_name}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-labels`}>
        {accountLabels.map((accountLabel) => (
          <option key={accountLabel.vendor_id} value={formatLabel(accountLabel, accountLabels)} />
        ))}
      </datalist>
    </div>
  )
}

const hintOf = (
  provider: ProviderName,
  { isPending, failure }: { isPending: boolean; failure: unknown },
): string => {
  const tool = PROVIDER_LABELS[provider]
  const isTag = labelNoun(provider) === 'tag'
  const own = isTag ? 'Vos tags' : 'Vos listes'
  if (isPending) return `${own} de ${tool} arrivent…`
  if (failure)
    return `${own} n’ont pas pu être ${isTag ? 'lus' : 'lues'} : ${failureText(failure, `${tool} ne répond pas.`)} Écrivez le nom.`
  return isTag
    ? 'Un de vos tags, ou un nouveau nom : il est créé s’il n’existe pas.'
    : 'Une de vos listes, ou un nouveau nom : elle est créée si elle n’existe pas. Brevo n’offre rien d’autre.'
}

/** Effects of joining at the tool, so that its mails do not surprise the creator. */
const NOTES: Record<LabelKind, string> = {
  course: 'Accès complet. Systeme.io peut envoyer un email avec les accès.',
  community: 'Systeme.io ajoute la personne peu après l’envoi.',
  sequence: 'La séquence commence aussitôt. Une personne désinscrite n’y est jamais ajoutée.',
  form: 'Si la double confirmation y est active, Kit envoie un email à confirmer. Une personne désinscrite n’y est jamais ajoutée.',
}

/** Maximum number of shown choices without a filter field. */
const MAX_UNFILTERED = 8

/** Picked course, community, sequence or form. */
export type PickedLabel = { vendor_id: string; name: string }

/** Renders the choice of a course, community, sequence or form of the account, with a filter for many. */
export const LabelPicker = ({
  provider,
  kind,
  picked,
  error,
  onPick,
}: {
  provider: ProviderName
  kind: LabelKind
  picked: PickedLabel | undefined
  error: string | undefined
  onPick: (label: PickedLabel) => void
}) => {
  const id = useId()
  const [filter, setFilter] = useState('')
  const labels = useQuery(accountLabelsQuery(provider, kind))
  const isFeminine = isFeminineLabel(provider, kind)
  const nouns = labelNouns(provider, kind)
  const noun = labelNoun(provider, kind)
  if (labels.isPending)
    return (
      <p role="status" className="text-sm text-ink-2">
        {`Vos ${nouns} de ${PROVIDER_LABELS[provider]} arrivent…`}
      </p>
    )
  if (labels.error) {
    const isMissingFeature =
      labels.error instanceof RefusedCall && labels.error.code === 'missing_feature'
    const why = failureText(labels.error, `${PROVIDER_LABELS[provider]} ne répond pas.`)
    const read = isFeminine ? 'lues' : 'lus'
    return (
      <div className="rounded-lg bg-warn-wash p-3 text-sm">
        <LoadFailure
          text={isMissingFeature ? why : `Vos ${nouns} n’ont pas pu être ${read} : ${why}`}
          query={labels}
        />
      </div>
    )
  }
  const all = labels.data.labels
  if (all.length === 0)
    return (
      <div className="flex flex-wrap items-center gap-3 rounded-lg border border-dashed border-line p-3 text-sm">
        <p role="status" className="min-w-0 flex-1 basis-60">
          {`${isFeminine ? 'Aucune' : 'Aucun'} ${noun} dans ce compte. Créez-${isFeminine ? 'la' : 'le'} d’abord dans ${PROVIDER_LABELS[provider]}.`}
        </p>
        <Button busy={labels.isFetching} onClick={() => void labels.refetch()}>
          Actualiser
        </Button>
      </div>
    )
  const words = filter.trim().toLowerCase()
  const shown = all.filter((label) => formatLabel(label, all).toLowerCase().includes(words))
  const about = [`${id}-note`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {all.length > MAX_UNFILTERED && (
        <TextField
          type="search"
          label={`Filtrer les ${nouns}`}
          value={filter}
          maxLength={LIMITS.label_name}
          autoComplete="off"
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <p id={`${id}-title`} className="text-sm font-medium first-letter:uppercase">
        {noun}
      </p>
      <div
        role="radiogroup"
        aria-labelledby={`${id}-title`}
        aria-describedby={about}
        aria-invalid={error ? true : undefined}
        tabIndex={-1}
        className="flex max-h-64 flex-col overflow-auto rounded-lg border border-field p-2 aria-invalid:border-bad"
      >
        {shown.map((label) => (
          <label
            key={label.vendor_id}
            className="flex min-h-8 items-center gap-2 text-sm pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={id}
              checked={picked?.vendor_id === label.vendor_id}
              onChange={() => onPick(label)}
              className="size-4 shrink-0 accent-brand"
            />
            <span className="min-w-0 wrap-anywhere" dir="auto">
              {formatLabel(label, all)}
            </span>
          </label>
        ))}
      </div>
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {shown.length === 0 &&
          `${isFeminine ? 'Aucune' : 'Aucun'} ${noun} ne contient « ${filter.trim()} ».`}
      </p>
      <p id={`${id}-note`} className="text-xs text-ink-3">
        {NOTES[kind]}
      </p>
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
