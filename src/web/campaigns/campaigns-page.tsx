import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import type { api } from '#contract/api.ts'
import type { Answer } from '#contract/kit/endpoint.ts'
import type { HelpPlace } from '#domain/help/help-places.ts'
import { quizQuery } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { lazyScreen } from '#web/ui/feedback/lazy-part.tsx'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { CampaignDetail } from './campaign-detail.tsx'
import { CAMPAIGN_STATUS_LABELS, returnText, scheduleText } from './campaign-labels.ts'
import { campaignsQuery } from './campaign-queries.ts'
import { NewCampaign } from './new-campaign.tsx'

/** Last part of the address of the form that creates a campaign. */
const NEW = 'nouvelle'

const ProgressScreen = lazyScreen(() => import('#web/progress/progress-screen.tsx'))
const EvidenceScreen = lazyScreen(() => import('#web/evidence/evidence-screen.tsx'))
/** Screens of a campaign, by the last part of their address. */
const SECTIONS: Record<
  string,
  { title: string; help: HelpPlace; Part: ComponentType<{ quizId: string; campaignId: string }> }
> = {
  evolution: {
    title: 'Avant et après',
    help: { about: 'avant et après', page: 'avant-et-apres' },
    Part: ProgressScreen,
  },
  preuves: {
    title: 'Dossier de preuves',
    help: { about: 'dossier de preuves', page: 'avant-et-apres#le-dossier-de-preuves' },
    Part: EvidenceScreen,
  },
}
const CAMPAIGNS_HELP: HelpPlace = { about: 'campagnes', page: 'campagnes' }

/** Renders the campaigns of a quiz, the creation of one, or one campaign, by the address. */
const CampaignsPage = () => {
  const { id = '' } = useParams()
  const { pathname } = useLocation()
  const [, place = ''] = pathname.split('/campagnes/')
  return <Campaigns key={id} quizId={id} place={place} />
}

type Settings = Answer<typeof api.campaigns.list>

const Campaigns = ({ quizId, place }: { quizId: string; place: string }) => {
  const quiz = useQuery(quizQuery(quizId))
  const listed = useQuery(campaignsQuery(quizId))
  const error = quiz.error ?? listed.error
  if (!quiz.data || !listed.data)
    return error ? <QuizFailure error={error} /> : <Loading text="Chargement..." />
  const { name } = quiz.data.quiz
  const all = { to: `/quiz/${quizId}/campagnes`, label: 'Retour aux campagnes' }
  const statistics = { to: `/quiz/${quizId}/statistics`, label: 'Retour aux statistiques' }
  if (place === NEW)
    return (
      <Screen title={`Nouvelle campagne : ${name}`} back={all}>
        <NewCampaign quizId={quizId} settings={listed.data} />
      </Screen>
    )
  const [campaignId = '', section = ''] = place.split('/')
  const shown = SECTIONS[section]
  if (shown?.Part)
    return (
      <Screen
        title={`${shown.title} : ${name}`}
        help={shown.help}
        back={{ to: `/quiz/${quizId}/campagnes/${campaignId}`, label: 'Retour à la campagne' }}
      >
        <shown.Part key={place} quizId={quizId} campaignId={campaignId} />
      </Screen>
    )
  if (place !== '')
    return (
      <Screen title={`Campagne : ${name}`} back={all}>
        <CampaignDetail key={place} quizId={quizId} campaignId={place} settings={listed.data} />
      </Screen>
    )
  return (
    <Screen title={`Campagnes : ${name}`} back={statistics}>
      <CampaignList quizId={quizId} settings={listed.data} />
    </Screen>
  )
}

const Screen = ({
  title,
  back,
  help = CAMPAIGNS_HELP,
  children,
}: {
  title: string
  back: { to: string; label: string }
  help?: HelpPlace
  children: ReactNode
}) => (
  <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 p-4 sm:p-6">
    <div className="flex items-start justify-between gap-2">
      <ScreenHeader title={title} back={back} />
      <HelpLink {...help} />
    </div>
    {children}
  </div>
)

const CampaignList = ({ quizId, settings }: { quizId: string; settings: Settings }) => {
  const { campaigns, has_mail_server, is_published } = settings
  const canCreate = has_mail_server && is_published
  const create = (
    <ButtonLink to={`/quiz/${quizId}/campagnes/${NEW}`} variant="primary">
      Nouvelle campagne
    </ButtonLink>
  )
  return (
    <>
      {!has_mail_server && (
        <p className="rounded-lg bg-warn-wash p-3">
          Ce site n’a pas de serveur d’emails : aucune invitation ne peut partir.
        </p>
      )}
      {!is_published && (
        <p className="rounded-lg bg-warn-wash p-3">
          Publiez ce questionnaire avant d’inviter des personnes.
        </p>
      )}
      {campaigns.length === 0 ? (
        <Message
          title="Aucune campagne"
          text="Une campagne invite des personnes par email, chacune avec un lien à son nom, leur envoie des rappels et montre qui a répondu."
          action={canCreate ? create : undefined}
        />
      ) : (
        <>
          {canCreate && <div>{create}</div>}
          <ul className="flex flex-col gap-3">
            {campaigns.map((campaign) => (
              <li
                key={campaign.id}
                className="relative flex flex-col gap-1 rounded-xl bg-card p-4 shadow-card"
              >
                <div className="flex flex-wrap items-center gap-2">
                  <Link
                    to={`/quiz/${quizId}/campagnes/${campaign.id}`}
                    className="font-semibold text-ink wrap-anywhere underline-offset-2 after:absolute after:inset-0 hover:underline"
                  >
                    <span dir="auto">{campaign.name}</span>
                  </Link>
                  <Badge tone={campaign.status === 'running' ? 'ok' : 'neutral'}>
                    {CAMPAIGN_STATUS_LABELS[campaign.status]}
                  </Badge>
                  {campaign.is_anonymous && <Badge tone="info">Anonyme</Badge>}
                </div>
                <p>{returnText(campaign.counts)}</p>
                <p className="text-sm text-ink-2">{scheduleText(campaign)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

export default CampaignsPage
