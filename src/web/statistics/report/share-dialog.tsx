import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Link2 } from 'lucide-react'
import { sharedStatisticsPath } from '#domain/statistics/shared-statistics.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { formatMoment } from '#web/ui/moments.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'

const linkQuery = (id: string) =>
  queryOptions({
    queryKey: ['quizzes', id, 'statistics-link'],
    queryFn: () => lazyClient.statisticsLinks.get({ id }),
    staleTime: 0,
  })

type Answer = Awaited<ReturnType<typeof lazyClient.statisticsLinks.get>>

/** Creates, shows and revokes the link with which others read the figures (docs/decisions/038). */
export const ShareFiguresDialog = ({
  quizId,
  open,
  onClose,
}: {
  quizId: string
  open: boolean
  onClose: () => void
}) => (
  <Dialog title="Partager les chiffres" open={open} onClose={onClose}>
    <Sharing quizId={quizId} />
  </Dialog>
)

const REVOKED =
  'Le lien ne mènera plus nulle part, pour toutes les personnes qui l’ont. Un nouveau lien sera différent.'

const Sharing = ({ quizId }: { quizId: string }) => {
  const queries = useQueryClient()
  const { confirm } = useDialogs()
  const query = linkQuery(quizId)
  const { data, error } = useQuery(query)
  const store = (answer: Answer): unknown => queries.setQueryData(query.queryKey, answer)
  const creation = useMutation({
    mutationFn: () => lazyClient.statisticsLinks.create({ id: quizId }),
    onSuccess: store,
  })
  const revocation = useMutation({
    mutationFn: () => lazyClient.statisticsLinks.revoke({ id: quizId }),
    onSuccess: () => store({ link: null }),
  })
  const failure = creation.error ?? revocation.error ?? error
  const revoke = async (): Promise<void> => {
    if (await confirm(REVOKED, { confirm_label: 'Retirer le lien', danger: true }))
      revocation.mutate()
  }
  return (
    <div className="flex min-h-52 flex-col gap-4">
      <p className="text-ink-2">
        Toute personne qui a le lien voit les chiffres de ce questionnaire, sans compte et sans
        filtre. Les adresses, les numéros et les textes des participants n’y sont pas, ni les
        réponses aux questions auxquelles moins de cinq ont répondu ; une réponse choisie par une
        seule personne peut s’y lire.
      </p>
      {failure && (
        <p role="alert" className="text-bad">
          {errorText(failure)}
        </p>
      )}
      {data?.link && (
        <Link link={data.link} isRevoking={revocation.isPending} onRevoke={() => void revoke()} />
      )}
      {data?.link === null && (
        <Button
          // Focused at first, and again after the revoke button has disappeared.
          autoFocus
          variant="primary"
          busy={creation.isPending}
          icon={<Link2 aria-hidden="true" />}
          onClick={() => creation.mutate()}
          className="self-start"
        >
          Créer le lien
        </Button>
      )}
    </div>
  )
}

const Link = ({
  link: { token, created_at, opened_on },
  isRevoking,
  onRevoke,
}: {
  link: NonNullable<Answer['link']>
  isRevoking: boolean
  onRevoke: () => void
}) => {
  const path = sharedStatisticsPath(token)
  return (
    <>
      <LinkField
        label="Lien vers les chiffres"
        link={`${window.location.origin}${path}`}
        takesFocus
      >
        <OutsideLink href={path} icon={<ExternalLink aria-hidden="true" />}>
          Voir
        </OutsideLink>
        <Button variant="ghost" busy={isRevoking} onClick={onRevoke} className="ml-auto">
          Retirer le lien
        </Button>
      </LinkField>
      <p className="text-ink-2">
        Créé le {formatMoment(created_at, 'day')},{' '}
        {opened_on === null
          ? 'pas encore ouvert.'
          : `ouvert pour la dernière fois le ${formatMoment(opened_on, 'day', { time_zone: 'UTC' })}.`}
      </p>
    </>
  )
}
