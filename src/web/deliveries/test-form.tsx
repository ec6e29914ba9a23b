import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { useSession } from '#web/session/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/**
 * Sends the creator's own address to a tool, and shows exactly what was sent. With an automation, its tag or list is
 * applied too.
 */
export const TestForm = ({
  quizId,
  provider,
  automationId,
  summary = 'Tester l’envoi',
}: {
  quizId: string
  provider: ProviderName
  automationId?: string
  summary?: string
}) => {
  const { user } = useSession()
  const [email, setEmail] = useState(user?.email ?? '')
  const sending = useMutation({
    mutationFn: () =>
      client.deliveries.test({
        id: quizId,
        body: { provider, email, automation_id: automationId },
      }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    sending.mutate()
  }
  return (
    <details>
      <summary className="min-h-6 text-sm text-brand">{summary}</summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            type="email"
            label="Votre adresse email"
            value={email}
            maxLength={LIMITS.email}
            autoComplete="email"
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" busy={sending.isPending} className="min-h-10">
          Envoyer
        </Button>
      </form>
      <p role="status" className="mt-2 text-sm empty:hidden">
        {sending.data?.message}
      </p>
      {sending.error && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {errorText(sending.error)}
        </p>
      )}
      {sending.data && (
        <pre className="mt-2 rounded-lg bg-wash p-3 text-xs whitespace-pre-wrap wrap-anywhere">
          {JSON.stringify(sending.data.contact, null, 2)}
        </pre>
      )}
    </details>
  )
}
