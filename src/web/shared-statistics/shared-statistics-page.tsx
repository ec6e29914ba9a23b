import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { RefusedCall } from '#contract/client.ts'
import { FEWEST_SHARED } from '#domain/shared-statistics.ts'
import { errorText } from '#web/api/error-text.ts'
import { formatParticipants } from '#web/statistics/format.ts'
import { Brand } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { LegalLinks } from '#web/ui/legal-links.tsx'
import { formatNamedMoment, supportedZone } from '#web/ui/moments.ts'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { type SharedStatistics, sharedStatisticsQuery } from './queries.ts'
import { SharedFigures } from './shared-figures.tsx'

/** The figures that a creator shared by a link; nobody needs to be signed in (docs/decisions/039). */
const SharedStatisticsPage = () => {
  const { token = '' } = useParams()
  const { data, error } = useQuery(sharedStatisticsQuery(token))
  // Once the link is revoked, what was read before goes too.
  if (error instanceof RefusedCall && error.status === 404) return <Revoked />
  if (data) return <Shared answer={data} error={error} />
  return error ? (
    <Frame title="Chiffres partagés">
      <Message title={errorText(error)} text="Rechargez la page dans un instant." />
    </Frame>
  ) : (
    <Loading text="Chargement des statistiques..." />
  )
}

const Shared = ({ answer, error }: { answer: SharedStatistics; error: Error | null }) => {
  const { quiz, counted_at, nb_participants, nb_opened, shared } = answer
  return (
    <Frame title={quiz.name}>
      <div className="flex flex-wrap items-center gap-3 rounded-xl bg-brand-wash px-4 py-3">
        <p role="status" className="min-w-0 flex-1 font-medium">
          {formatParticipants(nb_participants)} depuis le début
        </p>
        <p className="text-ink-2">
          Chiffres du {formatNamedMoment(counted_at, 'short', supportedZone(answer))}
        </p>
        <Button
          className="print:hidden"
          icon={<Printer aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Imprimer
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-bad print:hidden">
          {errorText(error)} : les chiffres seront relus dans un instant.
        </p>
      )}
      {shared ? (
        <SharedFigures nb_opened={nb_opened} zone={answer} shared={shared} />
      ) : (
        <Message
          title="Encore trop peu de participants"
          text={`Les chiffres s’affichent à partir de ${FEWEST_SHARED} participants, pour que personne ne soit reconnu.`}
        />
      )}
    </Frame>
  )
}

const Revoked = () => (
  <Frame title="Chiffres partagés">
    <Message
      title="Ces chiffres ne sont plus partagés"
      text="Le lien a été retiré, ou il est incomplet. Demandez-en un nouveau à la personne qui vous l’a envoyé."
    />
  </Frame>
)

const Frame = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex min-h-dvh flex-col">
    <title>{`${title} – Quizaine`}</title>
    <meta name="robots" content="noindex" />
    <header className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-6 sm:pt-6">
      <Brand />
    </header>
    <main className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 p-4 sm:p-6">
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
        {title}
      </h1>
      {children}
    </main>
    <footer className="flex flex-col items-center gap-2 p-4 text-center text-sm text-ink-2">
      <p>Ces chiffres ne contiennent ni nom, ni adresse, ni texte d’un participant.</p>
      <div className="print:hidden">
        <LegalLinks />
      </div>
    </footer>
  </div>
)

export default SharedStatisticsPage
