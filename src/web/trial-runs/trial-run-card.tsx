import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useId, useState } from 'react'
import type { DestinationPreview, ListedTrialRun } from '#contract/forwarding/trial-runs.ts'
import { errorText } from '#web/api/error-text.ts'
import { deliveryTarget } from '#web/deliveries/delivery-labels.tsx'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { useCopy } from '#web/ui/use-copy.ts'
import { trialRunQuery } from './trial-run-queries.ts'

/** Renders the requests that one tool or webhook would have received, or the reason why it would receive none. */
const DestinationSection = ({ destination }: { destination: DestinationPreview }) => {
  const title = useId()
  const { message, mail, requests } = destination
  const isSent = requests.length > 0 || mail !== null
  const name = deliveryTarget(destination)
  return (
    <section aria-labelledby={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={title} className="font-semibold wrap-anywhere">
          {name}
        </h3>
        <Badge tone={isSent ? 'ok' : 'neutral'}>{isSent ? 'Serait envoyé' : 'Rien'}</Badge>
      </div>
      {message && <p className="text-sm">{message}</p>}
      {mail && (
        <div className="flex min-w-0 flex-col gap-2 rounded-lg bg-wash p-3 text-sm">
          <p className="wrap-anywhere">À : {mail.to}</p>
          <p className="wrap-anywhere" dir="auto">
            Objet : {mail.subject}
          </p>
          <section
            aria-label={`${name}, texte`}
            tabIndex={TAB_STOP}
            className="max-h-96 overflow-auto"
          >
            <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
              {mail.text}
            </p>
          </section>
        </div>
      )}
      {requests.map((request, index) => (
        <Request
          // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id, and their order never changes
          key={`${index} ${request.address}`}
          request={request}
          label={`${name}, appel ${index + 1}`}
        />
      ))}
      {requests.some(({ address, body }) => TOOL_PLACEHOLDER.test(address + (body ?? ''))) && (
        <p className="text-sm text-ink-2">
          CONTACT_ID et TAG_ID sont donnés par l’outil, en réponse aux appels précédents.
        </p>
      )}
    </section>
  )
}

/** Placeholders for values that an answer of the tool provides. */
const TOOL_PLACEHOLDER = /\b(?:CONTACT_ID|TAG_ID)\b/
const TAB_STOP = 0

const Request = ({
  request: { method, address, headers, body },
  label,
}: {
  request: DestinationPreview['requests'][number]
  label: string
}) => {
  const { isCopied, copy } = useCopy()
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-lg bg-wash p-3 text-sm">
      <p className="font-mono wrap-anywhere">
        <strong>{method}</strong> {address}
      </p>
      {Object.entries(headers).map(([name, value]) => (
        <p key={name} className="font-mono text-ink-2 wrap-anywhere">
          {name}: {value}
        </p>
      ))}
      {body !== null && (
        <>
          <section aria-label={label} tabIndex={TAB_STOP} className="max-h-96 overflow-auto">
            <pre className="whitespace-pre-wrap wrap-anywhere">
              {JSON.stringify(JSON.parse(body), null, 2)}
            </pre>
          </section>
          <Button
            className="self-start"
            icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
            onClick={() => void copy(body)}
          >
            {isCopied ? 'Copié' : 'Copier'}
            <span className="sr-only">{` le contenu : ${label}`}</span>
          </Button>
        </>
      )}
    </div>
  )
}

/** Renders one trial run, loaded when it is opened; the newest is open at first. */
export const TrialRunCard = ({
  quizId,
  run,
  isNewest,
}: {
  quizId: string
  run: ListedTrialRun
  isNewest: boolean
}) => {
  const [isOpen, setOpen] = useState(isNewest)
  return (
    <li>
      <details
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="rounded-xl border border-line bg-card"
      >
        <summary className="min-h-11 cursor-pointer rounded-xl px-4 py-2.5 wrap-anywhere">
          <h2 className="inline text-base font-semibold">{formatNamedMoment(run.created_at)}</h2>{' '}
          <span className="text-ink-2">
            {[run.result_name ?? 'Sans résultat', run.email].filter(Boolean).join(' · ')}
          </span>
        </summary>
        {isOpen && <TrialRunDetail quizId={quizId} runId={run.id} />}
      </details>
    </li>
  )
}

const TrialRunDetail = ({ quizId, runId }: { quizId: string; runId: string }) => {
  const { data, error } = useQuery(trialRunQuery(quizId, runId))
  if (!data)
    return (
      <p role={error ? 'alert' : 'status'} className={`p-4 ${error ? 'text-bad' : 'text-ink-2'}`}>
        {error ? errorText(error) : 'Chargement...'}
      </p>
    )
  const { run, places } = data
  return (
    <div className="flex flex-col gap-4 border-t border-line p-4">
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        {run.replies.map(({ question, answer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have the same text
          <div key={`${index} ${question}`} className="contents">
            <dt className="text-ink-2 wrap-anywhere" dir="auto">
              {question}
            </dt>
            <dd className="mb-2 wrap-anywhere sm:mb-0" dir="auto">
              {answer}
            </dd>
          </div>
        ))}
      </dl>
      {places.length === 0 && (
        <p className="text-sm">
          Rien ne serait envoyé : aucun outil n’est connecté, et ce questionnaire n’a pas de
          webhook.
        </p>
      )}
      {places.map((destination) => (
        <DestinationSection key={destination.connection_id} destination={destination} />
      ))}
    </div>
  )
}
