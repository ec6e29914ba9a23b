import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import type { DetailedParticipant } from '#contract/participants.ts'
import type { DocumentKind } from '#domain/reports/document.ts'
import { download } from '#web/api/download.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'

const LABELS: Record<DocumentKind, string> = {
  report: 'Rapport (PDF)',
  certificate: 'Attestation (PDF)',
}

/** Renders the buttons that download the documents of one participant. */
export const DocumentButtons = ({
  quizId,
  participant: { participant_uuid, documents },
}: {
  quizId: string
  participant: Pick<DetailedParticipant, 'participant_uuid' | 'documents'>
}) => {
  const order = useMutation({
    mutationFn: (file: DocumentKind) =>
      lazyClient.documents.link({ id: quizId, body: { file, participant_uuid } }),
    onSuccess: download,
  })
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {documents.map((kind) => (
          <Button
            key={kind}
            icon={<FileDown aria-hidden="true" />}
            busy={order.isPending && order.variables === kind}
            onClick={() => order.mutate(kind)}
          >
            {LABELS[kind]}
          </Button>
        ))}
      </div>
      {order.error && (
        <p role="alert" className="text-bad">
          {errorText(order.error)}
        </p>
      )}
    </>
  )
}
