import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { api } from '#contract/api.ts'
import type { DetailedCampaign } from '#contract/campaigns.ts'
import type { Answer, Input } from '#contract/kit/endpoint.ts'
import { INVITATION_STATE_LABELS, INVITATION_STATES } from '#domain/campaigns/campaign.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { TableHead } from '#web/ui/table-head.tsx'
import { AnonymityNote } from './anonymity-note.tsx'
import {
  CAMPAIGN_STATUS_LABELS,
  remindersText,
  returnText,
  scheduleText,
} from './campaign-labels.ts'
import { campaignQuery, campaignsQuery } from './campaign-queries.ts'
import { AddPeople, EditCampaign } from './edit-campaign.tsx'
import { PeopleListCard } from './people-list.tsx'

type Settings = Answer<typeof api.campaigns.list>
type Change = Input<typeof api.campaigns.update>['body']

/** Shows one campaign: its figures, its people, and what the creator can change. */
export const CampaignDetail = ({
  quizId,
  campaignId,
  settings,
}: {
  quizId: string
  campaignId: string
  settings: Settings
}) => {
  const query = useQuery(campaignQuery(quizId, campaignId))
  const { data, error } = query
  if (!data)
    return error ? (
      <LoadFailure
        text={failureText(error, 'La campagne n’a pas pu être chargée.')}
        query={query}
      />
    ) : (
      <Loading text="Chargement..." />
    )
  return <Shown quizId={quizId} campaign={data.campaign} settings={settings} />
}

const Shown = ({
  quizId,
  campaign,
  settings,
}: {
  quizId: string
  campaign: DetailedCampaign
  settings: Settings
}) => {
  const queries = useQueryClient()
  const key = { id: quizId, campaignId: campaign.id }
  const changing = useMutation({
    mutationFn: (body: Change) => lazyClient.campaigns.update({ ...key, body }),
    onSuccess: (answer) => {
      queries.setQueryData(campaignQuery(quizId, campaign.id).queryKey, answer)
      void queries.invalidateQueries({ ...campaignsQuery(quizId), exact: true })
    },
  })
  const { is_anonymous, status, nb_deleted_replies } = campaign
  return (
    <>
      <section className="flex flex-col gap-2 rounded-xl bg-card p-4 shadow-card">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="text-lg font-semibold wrap-anywhere" dir="auto">
            {campaign.name}
          </h2>
          <Badge tone={status === 'running' ? 'ok' : 'neutral'}>
            {CAMPAIGN_STATUS_LABELS[status]}
          </Badge>
          {is_anonymous && <Badge tone="info">Anonyme</Badge>}
        </div>
        <p className="text-lg">{returnText(campaign.counts)}</p>
        <p className="text-sm text-ink-2">
          {`${scheduleText(campaign)} ${remindersText(campaign.reminder_days)}.`}
        </p>
        {is_anonymous && status !== 'ended' && <AnonymityNote />}
        {nb_deleted_replies > 0 && (
          <p className="rounded-lg bg-warn-wash p-3 text-sm">
            {`Moins de cinq réponses : ${nb_deleted_replies > 1 ? 'elles ont été effacées' : 'elle a été effacée'} sans être montrées, pour que personne ne soit reconnu.`}
          </p>
        )}
        <Actions campaign={campaign} changing={changing} quizId={quizId} />
        {changing.error && (
          <p role="alert" className="text-bad">
            {failureText(changing.error, 'La campagne n’a pas pu être changée. Réessayez.')}
          </p>
        )}
      </section>
      <Groups campaign={campaign} />
      <PeopleListCard quizId={quizId} campaign={campaign} />
      {status !== 'ended' && <AddPeople quizId={quizId} campaign={campaign} />}
      {status !== 'ended' && (
        <EditCampaign
          key={campaign.ends_at}
          quizId={quizId}
          campaign={campaign}
          settings={settings}
          isSaving={changing.isPending}
          onSave={(body) => changing.mutate(body)}
        />
      )}
    </>
  )
}

const Actions = ({
  quizId,
  campaign,
  changing,
}: {
  quizId: string
  campaign: DetailedCampaign
  changing: { isPending: boolean; mutate: (body: Change) => void }
}) => {
  const { confirm } = useDialogs()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const removing = useMutation({
    mutationFn: () => lazyClient.campaigns.remove({ id: quizId, campaignId: campaign.id }),
    onSuccess: () => {
      void queries.invalidateQueries(campaignsQuery(quizId))
      void navigate(`/quiz/${quizId}/campagnes`, { replace: true })
    },
  })
  const { status } = campaign
  const end = async (): Promise<void> => {
    const isSure = await confirm(
      'Terminer cette campagne ? Plus aucun email ne partira, et les liens ne permettront plus de répondre. Une campagne terminée ne reprend pas.',
      { confirm_label: 'Terminer', danger: true },
    )
    if (isSure) changing.mutate({ status: 'ended' })
  }
  const remove = async (): Promise<void> => {
    const isSure = await confirm(
      'Êtes-vous sûr de vouloir supprimer cette campagne et la liste de ses personnes ? Les réponses restent dans les statistiques.',
      { confirm_label: 'Supprimer', danger: true },
    )
    if (isSure) removing.mutate()
  }
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'running' && (
        <Button busy={changing.isPending} onClick={() => changing.mutate({ status: 'paused' })}>
          Mettre en pause
        </Button>
      )}
      {status === 'paused' && (
        <Button
          variant="primary"
          busy={changing.isPending}
          onClick={() => changing.mutate({ status: 'running' })}
        >
          Reprendre les envois
        </Button>
      )}
      {status === 'ended' ? (
        <Button busy={removing.isPending} onClick={() => void remove()}>
          Supprimer la campagne
        </Button>
      ) : (
        <Button onClick={() => void end()}>Terminer maintenant</Button>
      )}
      <ButtonLink to={`/quiz/${quizId}/statistics?campaign=${campaign.id}`}>
        Voir les statistiques
      </ButtonLink>
      <ButtonLink to={`/quiz/${quizId}/campagnes/${campaign.id}/evolution`}>
        Avant et après
      </ButtonLink>
      <ButtonLink to={`/quiz/${quizId}/campagnes/${campaign.id}/preuves`}>
        Dossier de preuves
      </ButtonLink>
    </div>
  )
}

const TAB_STOP = 0

/** Table of the people by group and state. The figures add up to the number of people. */
const Groups = ({ campaign: { groups, counts } }: { campaign: DetailedCampaign }) => {
  const rows = groups.length > 1 ? groups : []
  const titles = ['Groupe', ...INVITATION_STATES.map((state) => INVITATION_STATE_LABELS[state])]
  return (
    <section
      aria-label="États"
      tabIndex={TAB_STOP}
      className="overflow-x-auto rounded-xl bg-card p-4 shadow-card"
    >
      <table className="w-full text-sm">
        <TableHead
          className="px-2 py-1"
          columns={titles.map((title, index) => ({ title, isRightAligned: index > 0 }))}
        />
        <tbody>
          {rows.map(({ group_name, counts: own }) => (
            <tr key={group_name ?? ''} className="border-t border-line">
              <th scope="row" className="px-2 py-1 text-left font-normal wrap-anywhere" dir="auto">
                {group_name ?? 'Sans groupe'}
              </th>
              {INVITATION_STATES.map((state) => (
                <td key={state} className="px-2 py-1 text-right tabular-nums">
                  {own[state]}
                </td>
              ))}
            </tr>
          ))}
          <tr className="border-t border-line font-medium">
            <th scope="row" className="px-2 py-1 text-left">
              Tous
            </th>
            {INVITATION_STATES.map((state) => (
              <td key={state} className="px-2 py-1 text-right tabular-nums">
                {counts[state]}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}
