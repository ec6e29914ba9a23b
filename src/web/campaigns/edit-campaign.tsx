import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { api } from '#contract/api.ts'
import type { DetailedCampaign } from '#contract/campaigns.ts'
import type { Answer, Input } from '#contract/kit/endpoint.ts'
import type { PeopleList } from '#domain/campaigns/people.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { peopleText } from './campaign-labels.ts'
import { campaignsQuery } from './campaign-queries.ts'
import { MomentField } from './dates-fields.tsx'
import { PeopleStep } from './people-step.tsx'
import { WordsFields } from './words-fields.tsx'

type Settings = Answer<typeof api.campaigns.list>
type Change = Input<typeof api.campaigns.update>['body']
/** Values of the form. */
type Edited = { name: string; ends_at: string } & DetailedCampaign['words']

/** Returns the values that differ from the stored campaign. */
const changesOf = ({ name, ends_at, words }: DetailedCampaign, edited: Edited): Change => {
  const stored: Edited = { name, ends_at, ...words }
  const fields = Object.keys(stored) as (keyof Edited)[]
  return Object.fromEntries(
    fields
      .filter((field) => edited[field] !== stored[field])
      .map((field) => [field, edited[field]]),
  )
}

/** Form that invites further people to a campaign. */
export const AddPeople = ({ quizId, campaign }: { quizId: string; campaign: DetailedCampaign }) => {
  const queries = useQueryClient()
  const [list, setList] = useState<PeopleList>()
  const [isDeclared, setDeclared] = useState(false)
  const adding = useMutation({
    mutationFn: (people: PeopleList['people']) =>
      lazyClient.campaigns.addPeople({
        id: quizId,
        campaignId: campaign.id,
        body: { people: people.map(({ line: _, ...person }) => person), may_write: true },
      }),
    onSuccess: () => {
      setList(undefined)
      void queries.invalidateQueries(campaignsQuery(quizId))
    },
  })
  const { added } = adding.data ?? {}
  const nb_known = added?.known.length ?? 0
  return (
    <details className="rounded-xl bg-card p-4 shadow-card">
      <summary className="min-h-6 cursor-pointer font-semibold pointer-coarse:min-h-11 pointer-coarse:py-2.5">
        Ajouter des personnes
      </summary>
      <div className="mt-3 flex flex-col gap-3">
        <PeopleStep list={list} onList={setList} />
        <Checkbox
          label="Ces personnes me connaissent ou ont accepté que je leur écrive : je peux leur envoyer cette invitation."
          checked={isDeclared}
          onChange={({ currentTarget }) => setDeclared(currentTarget.checked)}
        />
        <Button
          variant="primary"
          className="self-start"
          busy={adding.isPending}
          disabled={!isDeclared || !list || list.people.length === 0}
          onClick={() => adding.mutate(list?.people ?? [])}
        >
          {list ? `Inviter ${peopleText(list.people.length)}` : 'Inviter'}
        </Button>
        <p role="status" className="text-sm empty:hidden">
          {added &&
            `${peopleText(added.nb_added)} ajoutée${added.nb_added > 1 ? 's' : ''}.${nb_known > 0 ? ` ${peopleText(nb_known)} déjà dans la campagne.` : ''}${added.nb_refused > 0 ? ` ${peopleText(added.nb_refused)} ne ${added.nb_refused > 1 ? 'veulent' : 'veut'} plus de vos emails.` : ''}`}
        </p>
        {adding.error && (
          <p role="alert" className="text-bad">
            {failureText(adding.error, 'Les personnes n’ont pas pu être ajoutées. Réessayez.')}
          </p>
        )}
      </div>
    </details>
  )
}

/** Form that changes name, end and words of a campaign. Sends only what the creator changed. */
export const EditCampaign = ({
  quizId,
  campaign,
  settings,
  isSaving,
  onSave,
}: {
  quizId: string
  campaign: DetailedCampaign
  settings: Settings
  isSaving: boolean
  onSave: (body: Change) => void
}) => {
  const [name, setName] = useState(campaign.name)
  const [endsAt, setEndsAt] = useState(campaign.ends_at)
  const [words, setWords] = useState(campaign.words)
  const canTest = settings.has_mail_server
  const fields = {
    ...{ quizId, words, endsAt, canTest },
    onWords: (changed: Partial<typeof words>) => setWords({ ...words, ...changed }),
  }
  return (
    <details className="rounded-xl bg-card p-4 shadow-card">
      <summary className="min-h-6 cursor-pointer font-semibold pointer-coarse:min-h-11 pointer-coarse:py-2.5">
        Modifier la campagne
      </summary>
      <form
        noValidate
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(changesOf(campaign, { name, ends_at: endsAt, ...words }))
        }}
      >
        <TextField
          label="Nom"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <MomentField label="Fin de la campagne" value={endsAt} onChange={setEndsAt} />
        <p className="text-sm text-ink-2">
          Les textes changent pour les emails qui ne sont pas encore partis.
        </p>
        <WordsFields kind="invitation" {...fields} />
        <WordsFields kind="reminder" {...fields} />
        <Button type="submit" variant="primary" className="self-start" busy={isSaving}>
          Enregistrer
        </Button>
      </form>
    </details>
  )
}
