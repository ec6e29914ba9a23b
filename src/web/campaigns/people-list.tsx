import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { DetailedCampaign, ShownPerson } from '#contract/campaigns.ts'
import {
  INVITATION_STATE_LABELS,
  INVITATION_STATES,
  type InvitationState,
} from '#domain/campaigns/campaign.ts'
import { fullName } from '#domain/campaigns/people.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { lastEventText } from './campaign-labels.ts'
import { campaignsQuery, type PeopleFilter, peopleQuery } from './campaign-queries.ts'

const ALL = 'all'
/** Value of the filter for people without a group; names of groups have another prefix. */
const NO_GROUP = 'none'
const GROUP = 'group:'

const TONES: Record<InvitationState, 'ok' | 'warn' | 'neutral' | 'info'> = {
  invited: 'neutral',
  opened: 'info',
  started: 'info',
  replied: 'ok',
  refused: 'neutral',
  failed: 'warn',
}

/** Shows the people of a campaign by pages, with filters by state and group. */
export const PeopleListCard = ({
  quizId,
  campaign,
}: {
  quizId: string
  campaign: DetailedCampaign
}) => {
  const title = useId()
  const [state, setState] = useState<InvitationState | typeof ALL>(ALL)
  const [group, setGroup] = useState<string>(ALL)
  const filter: PeopleFilter = {
    ...(state !== ALL && { state }),
    ...(group !== ALL && { group: group === NO_GROUP ? '' : group.slice(GROUP.length) }),
  }
  const query = useInfiniteQuery(peopleQuery(quizId, campaign.id, filter))
  const people = query.data?.pages.flatMap((page) => page.people) ?? []
  const groups = campaign.groups.map(({ group_name }) =>
    group_name === null
      ? { value: NO_GROUP, label: 'Sans groupe' }
      : { value: `${GROUP}${group_name}`, label: group_name },
  )
  return (
    <section
      aria-labelledby={title}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <h2 id={title} className="text-base font-semibold">
        Personnes
      </h2>
      <div className="grid gap-2 sm:grid-cols-2">
        <Select
          label="État"
          value={state}
          options={[
            { value: ALL, label: 'Tous les états' },
            ...INVITATION_STATES.map((value) => ({ value, label: INVITATION_STATE_LABELS[value] })),
          ]}
          onChange={setState}
        />
        {groups.length > 1 && (
          <Select
            label="Groupe"
            value={group}
            options={[{ value: ALL, label: 'Tous les groupes' }, ...groups]}
            onChange={setGroup}
          />
        )}
      </div>
      {!query.data && !query.error && <Loading text="Chargement..." />}
      {!query.data && query.error && (
        <LoadFailure
          text={failureText(query.error, 'Les personnes n’ont pas pu être chargées.')}
          query={query}
        />
      )}
      {query.data && people.length === 0 && <p className="text-ink-2">Personne ici.</p>}
      <ul className="flex flex-col">
        {people.map((person) => (
          <PersonLine key={person.id} quizId={quizId} campaign={campaign} person={person} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          className="self-start"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Afficher plus de personnes
        </Button>
      )}
    </section>
  )
}

const PersonLine = ({
  quizId,
  campaign,
  person,
}: {
  quizId: string
  campaign: DetailedCampaign
  person: ShownPerson
}) => {
  const { confirm } = useDialogs()
  const queries = useQueryClient()
  const key = { id: quizId, campaignId: campaign.id, personId: person.id }
  const onSuccess = () => queries.invalidateQueries(campaignsQuery(quizId))
  const removing = useMutation({
    mutationFn: () => lazyClient.campaigns.removePerson(key),
    onSuccess,
  })
  const remove = async (): Promise<void> => {
    const kept = campaign.is_anonymous || person.state !== 'replied' ? '' : ' Sa réponse reste.'
    const isSure = await confirm(
      `Retirer ${person.email} de la campagne ? Son lien ne sera plus valable.${kept}`,
      { confirm_label: 'Retirer', danger: true },
    )
    if (isSure) removing.mutate()
  }
  const name = fullName(person)
  const isFailed = person.state === 'failed' && campaign.status !== 'ended'
  return (
    <li className="flex flex-col gap-1 border-t border-line py-2 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <p className="wrap-anywhere" dir="auto">
            {name === '' ? person.email : name}
          </p>
          <p className="text-sm text-ink-2 wrap-anywhere" dir="auto">
            {[name === '' ? '' : person.email, person.group_name].filter(Boolean).join(' · ')}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <Badge tone={TONES[person.state]}>{INVITATION_STATE_LABELS[person.state]}</Badge>
          <Button
            variant="ghost"
            size="compact"
            busy={removing.isPending}
            onClick={() => void remove()}
          >
            Retirer<span className="sr-only">{` ${person.email}`}</span>
          </Button>
        </div>
      </div>
      <p className="text-sm text-ink-2">{lastEventText(person, campaign.is_anonymous)}</p>
      {isFailed && <CorrectAddress ids={key} email={person.email} onDone={onSuccess} />}
      {removing.error && (
        <p role="alert" className="text-sm text-bad">
          {failureText(removing.error, 'La personne n’a pas pu être retirée. Réessayez.')}
        </p>
      )}
    </li>
  )
}

const CorrectAddress = ({
  ids,
  email,
  onDone,
}: {
  ids: { id: string; campaignId: string; personId: string }
  email: string
  onDone: () => unknown
}) => {
  const [typed, setTyped] = useState(email)
  const correcting = useMutation({
    mutationFn: () => lazyClient.campaigns.correctAddress({ ...ids, body: { email: typed } }),
    onSuccess: onDone,
  })
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        correcting.mutate()
      }}
    >
      <TextField
        type="email"
        label={`Corriger ${email}`}
        value={typed}
        {...(correcting.error && {
          error: failureText(correcting.error, 'L’adresse n’a pas pu être corrigée. Réessayez.'),
        })}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" busy={correcting.isPending}>
        Corriger et envoyer
      </Button>
    </form>
  )
}
