import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileArchive } from 'lucide-react'
import { useState } from 'react'
import type { EvidenceFile } from '#contract/evidence.ts'
import { describeEvidenceFailure, EVIDENCE_LIMITS } from '#domain/evidence/evidence.ts'
import { download } from '#web/api/download.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { formatMoment } from '#web/ui/moments.ts'
import { evidenceQuery } from './evidence-queries.ts'

type Place = { quizId: string; campaignId: string }

/** Renders « Actions menées » and the file for an audit of a campaign. */
const EvidenceScreen = ({ quizId, campaignId }: Place) => {
  const query = useQuery(evidenceQuery(quizId, campaignId))
  const { data, error } = query
  if (!data)
    return error ? (
      <LoadFailure text={failureText(error, 'Le dossier n’a pas pu être chargé.')} query={query} />
    ) : (
      <Loading text="Chargement..." />
    )
  return (
    <>
      <Actions quizId={quizId} campaignId={campaignId} stored={data.actions_text} />
      <File quizId={quizId} campaignId={campaignId} file={data.file} />
    </>
  )
}

const Actions = ({ quizId, campaignId, stored }: Place & { stored: string }) => {
  const queries = useQueryClient()
  // The text on which the creator's changes are based stays the same while the query is read again.
  const [former, setFormer] = useState(stored)
  const [typed, setTyped] = useState(stored)
  const saving = useMutation({
    mutationFn: (actions_text: string) =>
      lazyClient.evidence.setActions({
        id: quizId,
        campaignId,
        body: { actions_text, former_text: former },
      }),
    onSuccess: (_, actions_text) => {
      setFormer(actions_text)
      announceToScreenReader('Actions menées enregistrées.')
      void queries.invalidateQueries(evidenceQuery(quizId, campaignId))
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(typed)
      }}
    >
      <TextField
        multiline
        label="Actions menées"
        hint="Ce que les réponses ont changé : décisions, améliorations, dates. Ce texte est dans le dossier de preuves."
        rows={4}
        maxLength={EVIDENCE_LIMITS.actions_text}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button
        type="submit"
        className="self-start"
        busy={saving.isPending}
        disabled={typed === former}
      >
        Enregistrer
      </Button>
      {saving.error && (
        <p role="alert" className="text-bad">
          {failureText(saving.error, 'Le texte n’a pas pu être enregistré. Réessayez.')}
        </p>
      )}
    </form>
  )
}

const MEBIBYTE = 1_048_576

/** Returns the size of a file in French. */
const sizeText = (bytes: number): string =>
  `${(bytes / MEBIBYTE).toLocaleString('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} Mo`

const stateText = (file: EvidenceFile | null): string => {
  switch (file?.status) {
    case undefined:
      return ''
    case 'writing':
      return `Préparation du dossier : ${file.nb_done} sur ${file.nb_total}. Vous pouvez quitter cette page.`
    case 'ready':
      return `Le dossier est prêt (${sizeText(file.size_bytes ?? 0)}). Il sera supprimé le ${formatMoment(file.expires_at, 'long')}.`
    case 'failed':
      return file.failure ? describeEvidenceFailure(file.failure) : ''
  }
}

const File = ({ quizId, campaignId, file }: Place & { file: EvidenceFile | null }) => {
  const queries = useQueryClient()
  const key = { id: quizId, campaignId }
  const refresh = () => queries.invalidateQueries(evidenceQuery(quizId, campaignId))
  const creating = useMutation({
    mutationFn: () => lazyClient.evidence.create(key),
    onSettled: refresh,
  })
  const removing = useMutation({
    mutationFn: () => lazyClient.evidence.remove(key),
    onSettled: refresh,
  })
  const linking = useMutation({
    mutationFn: () => lazyClient.evidence.link(key),
    onSuccess: (ready) => {
      download(ready)
      announceToScreenReader('Le téléchargement commence.')
    },
    onError: refresh,
  })
  const error = creating.error ?? removing.error ?? linking.error
  const status = file?.status
  return (
    <section className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
      <h2 className="text-lg font-semibold">Dossier de preuves</h2>
      <p className="text-sm text-ink-2">
        Un ZIP pour un audit : un PDF (questionnaire, dates, personnes invitées, taux de retour,
        rappels, résultats, évolution, actions menées), les réponses en classeur, les attestations
        et le journal des envois. Il est préparé en arrière-plan et gardé {EVIDENCE_LIMITS.hours}{' '}
        heures.
      </p>
      {status === 'writing' && file && (
        <progress
          aria-label="Préparation du dossier"
          className="h-2 w-full max-w-80 accent-brand"
          max={file.nb_total}
          value={file.nb_done}
        />
      )}
      <p role="status" className={status === 'failed' ? 'text-bad' : ''}>
        {stateText(file)}
      </p>
      <div className="flex flex-wrap gap-2">
        {status === 'ready' && (
          <Button
            variant="primary"
            icon={<Download aria-hidden="true" />}
            busy={linking.isPending}
            onClick={() => linking.mutate()}
          >
            Télécharger le dossier
          </Button>
        )}
        {status === 'writing' ? (
          <Button busy={removing.isPending} onClick={() => removing.mutate()}>
            Annuler
          </Button>
        ) : (
          <Button
            icon={<FileArchive aria-hidden="true" />}
            busy={creating.isPending}
            onClick={() => creating.mutate()}
          >
            {status === 'ready' ? 'Préparer un nouveau dossier' : 'Préparer le dossier'}
          </Button>
        )}
        {status === 'ready' && (
          <Button busy={removing.isPending} onClick={() => removing.mutate()}>
            Supprimer
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className="text-bad">
          {failureText(error, 'Le dossier n’a pas pu être préparé. Réessayez.')}
        </p>
      )}
    </section>
  )
}

export default EvidenceScreen
