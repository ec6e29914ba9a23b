import { useId, useMemo, useState } from 'react'
import { ADDRESS_FORMS, type AddressForm, LIMITS } from '#domain/common/vocabulary.ts'
import { namesOf } from '#domain/questionnaire/fields/field.ts'
import { BUTTON_LABEL_FIELDS, PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import type { Draft, Quiz } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { hasPageToAdvance } from '#domain/run/public-page/page-needs.ts'
import { defaultLabelOf, isLabelShown } from '#domain/run/wording/shown-labels.ts'
import type { ChangePage } from '#web/editor/draft/use-draft.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { RadioGroup, Switch } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'

const LABEL_NAMES = namesOf(BUTTON_LABEL_FIELDS)

const ADDRESS_LABELS: Record<AddressForm, { label: string; hint: string }> = {
  vous: { label: 'Vous', hint: '« Merci pour votre participation ! »' },
  tu: { label: 'Tu', hint: '« Merci pour ta participation ! »' },
}

/** Edits the advance on taps, the form of address and the labels of the buttons of the public page. */
export const WordingCard = ({ draft, changePage }: { draft: Draft; changePage: ChangePage }) => {
  const id = useId()
  const { quiz } = draft
  return (
    <section
      aria-labelledby={id}
      className="mt-8 flex max-w-3xl flex-col gap-5 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={id} className="text-base font-semibold">
          Déroulement et mots
        </h2>
        <HelpLink about="mots de la page" page="apparence#les-mots-de-la-page" />
      </div>
      <AutoAdvance draft={draft} changePage={changePage} />
      <div className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">{PAGE_FIELDS.address_form.label}</h3>
        <p className="text-sm text-ink-2">
          Comment la page s’adresse à vos visiteurs. Vos propres textes ne changent pas.
        </p>
        <RadioGroup
          id={pageFieldId('address_form')}
          legend={PAGE_FIELDS.address_form.label}
          value={quiz.address_form}
          options={ADDRESS_FORMS.map((value) => ({ value, ...ADDRESS_LABELS[value] }))}
          onChange={(address_form) => changePage({ address_form })}
        />
      </div>
      <Labels quiz={quiz} changePage={changePage} />
    </section>
  )
}

/** Edits whether a tap on an answer leads to the next page, and explains on which pages. */
const AutoAdvance = ({ draft, changePage }: { draft: Draft; changePage: ChangePage }) => {
  const hint_id = useId()
  const { auto_advance } = draft.quiz
  const hasNoPage = useMemo(
    () => auto_advance && !hasPageToAdvance(takeSnapshot(draft)),
    [auto_advance, draft],
  )
  return (
    <div className="flex flex-col gap-1">
      <Switch
        id={pageFieldId('auto_advance')}
        label={PAGE_FIELDS.auto_advance.label}
        aria-describedby={hint_id}
        checked={auto_advance}
        onChange={({ currentTarget }) => changePage({ auto_advance: currentTarget.checked })}
      />
      <p id={hint_id} className="text-sm text-ink-2">
        Toucher une réponse mène à la page suivante, quand la page a une seule question : un choix
        d’une seule réponse, sans « Autre… », ou une échelle. Jamais au clavier, ni sur la dernière
        page.
      </p>
      <p role="status" className="text-sm text-ink-2">
        {hasNoPage && 'Pour l’instant, aucune page n’est dans ce cas.'}
      </p>
    </div>
  )
}

/** Edits the labels of buttons that the questionnaire can show. Labels with a stored text are always shown. */
const Labels = ({ quiz, changePage }: { quiz: Quiz; changePage: ChangePage }) => {
  const id = useId()
  // A cleared field stays, so that the field keeps the focus.
  const [initialNames] = useState(() => LABEL_NAMES.filter((name) => quiz[name] !== null))
  const names = LABEL_NAMES.filter(
    (name) => isLabelShown(quiz, name) || quiz[name] !== null || initialNames.includes(name),
  )
  return (
    <fieldset aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h3 id={id} className="text-sm font-semibold">
          Textes des boutons
        </h3>
        <p className="text-sm text-ink-2">
          {`Un champ vide garde le texte proposé. Le bouton de l’accueil se règle à l’étape Questions, avec l’accueil.${
            names.length < LABEL_NAMES.length
              ? ' D’autres boutons apparaissent ici quand le questionnaire les montre : recommencer, corrections après chaque page, rapport, attestation.'
              : ''
          }`}
        </p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {names.map((name) => (
          <TextField
            key={name}
            id={pageFieldId(name)}
            label={BUTTON_LABEL_FIELDS[name].label}
            value={quiz[name] ?? ''}
            placeholder={defaultLabelOf(quiz, name)}
            maxLength={LIMITS.button_label}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => changePage({ [name]: value || null })}
          />
        ))}
      </div>
    </fieldset>
  )
}
