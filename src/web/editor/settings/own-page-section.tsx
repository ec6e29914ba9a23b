import { useId } from 'react'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useAccessField } from '#web/editor/draft/use-access-field.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { Switch } from '#web/ui/form/choice-controls.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'

type SwitchName = 'keeps_page' | 'page_erases_contacts' | 'confirms_email'

/** Texts of a switch, which has none. */
export const noText = { show: () => '', parse: () => ({ error: '' }) }

/** Renders a switch whose value is stored at once, with its explanation and the state of the call. */
export const AccessSwitch = ({
  name,
  label,
  hint,
  isDisabled = false,
  field: { chosen, choose, error, state },
}: {
  name: SwitchName
  label: string
  hint: string
  isDisabled?: boolean
  field: Pick<
    ReturnType<typeof useAccessField<SwitchName>>,
    'chosen' | 'choose' | 'error' | 'state'
  >
}) => {
  const hintId = useId()
  return (
    <div>
      <Switch
        id={pageFieldId(name)}
        label={label}
        checked={chosen}
        disabled={isDisabled}
        aria-describedby={hintId}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <p id={hintId} className="text-sm text-ink-2">
        {hint}
      </p>
      <p role="status" className={`min-h-5 text-sm ${error ? 'text-bad' : 'text-ink-2'}`}>
        {error ?? state}
      </p>
    </div>
  )
}

/** Shows the settings of participants' pages, which apply at once without a publication. */
export const OwnPageSection = ({ session }: { session: DraftSession }) => {
  const page = useAccessField<SwitchName>(session, 'keeps_page', noText)
  const erasure = useAccessField<SwitchName>(session, 'page_erases_contacts', noText)
  return (
    <div className="flex flex-col gap-3">
      <HelpLink about="page du participant" page="effacement#la-page-du-participant" />
      <AccessSwitch
        name="keeps_page"
        label="Page du participant"
        hint="Chaque participant reçoit l’adresse d’une page où il retrouve son résultat, lit ses réponses avec son adresse email, et peut retirer son accord ou tout effacer."
        field={page}
      />
      {page.chosen === true && (
        <AccessSwitch
          name="page_erases_contacts"
          label="Demander aussi l’effacement aux outils d’emailing"
          hint="Quand un participant efface ses réponses ou retire son accord, les outils qui l’ont reçu sont priés de le supprimer ou de le désinscrire."
          field={erasure}
        />
      )}
    </div>
  )
}
