import { Check, Copy } from 'lucide-react'
import { useId } from 'react'
import type { TestPlace } from '#contract/test-runs.ts'
import { placeName } from '#web/deliveries/place-name.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** What one tool or webhook would have been sent, call by call, or why nothing. */
export const TestPlaceSection = ({ place }: { place: TestPlace }) => {
  const title = useId()
  const { message, mail, requests } = place
  const isSent = requests.length > 0 || mail !== null
  const name = placeName(place)
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
          // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other name than their place
          key={`${index} ${request.address}`}
          request={request}
          label={`${name}, appel ${index + 1}`}
        />
      ))}
      {requests.some(({ address, body }) => GIVEN.test(address + (body ?? ''))) && (
        <p className="text-sm text-ink-2">
          CONTACT_ID et TAG_ID sont donnés par l’outil, en réponse aux appels précédents.
        </p>
      )}
    </section>
  )
}

/** What an answer of a tool gives. */
const GIVEN = /\b(?:CONTACT_ID|TAG_ID)\b/
const TAB_STOP = 0

const Request = ({
  request: { method, address, headers, body },
  label,
}: {
  request: TestPlace['requests'][number]
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
