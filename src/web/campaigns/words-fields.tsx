import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CAMPAIGN_INSERTIONS, type CampaignWords } from '#domain/campaigns/campaign-mail.ts'
import { MAIL_LIMITS } from '#domain/deliveries/quiz-mail.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { InsertionsContext, RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'

const listSubjectInsertions = () =>
  CAMPAIGN_INSERTIONS.filter((name) => name !== 'lien').map((name) => ({ name }))
const listTextInsertions = () => CAMPAIGN_INSERTIONS.map((name) => ({ name }))

type Kind = 'invitation' | 'reminder'
const KINDS: Record<Kind, { subject: string; text: string; test: string }> = {
  invitation: {
    subject: 'Objet de l’invitation',
    text: 'Texte de l’invitation',
    test: 'M’envoyer l’invitation en test',
  },
  reminder: {
    subject: 'Objet des rappels',
    text: 'Texte des rappels',
    test: 'M’envoyer un rappel en test',
  },
}

/** Fields of the words of the invitation or of the reminders, with a test mail to the creator. */
export const WordsFields = ({
  quizId,
  kind,
  words,
  endsAt,
  canTest,
  onWords,
}: {
  quizId: string
  kind: Kind
  words: CampaignWords
  endsAt: string
  canTest: boolean
  onWords: (changed: Partial<CampaignWords>) => void
}) => {
  const labels = KINDS[kind]
  const [tested, setTested] = useState<CampaignWords>()
  const trying = useMutation({
    mutationFn: () =>
      lazyClient.campaigns.test({ id: quizId, body: { ...words, kind, ends_at: endsAt } }),
  })
  const isCurrent = tested === words
  return (
    <div className="flex flex-col gap-3">
      <InsertionsContext value={listSubjectInsertions}>
        <RichTextField
          label={labels.subject}
          value={words[`${kind}_subject`]}
          has_marks={false}
          maxLength={MAIL_LIMITS.subject}
          onChange={({ currentTarget }) =>
            // A subject is a single line.
            onWords({ [`${kind}_subject`]: currentTarget.value.replaceAll(/[\r\n]+/g, ' ') })
          }
        />
      </InsertionsContext>
      <InsertionsContext value={listTextInsertions}>
        <RichTextField
          label={labels.text}
          value={words[`${kind}_text`]}
          maxLength={MAIL_LIMITS.text}
          hint="Un bouton « Répondre » avec le lien de la personne suit ce texte."
          onChange={({ currentTarget }) => onWords({ [`${kind}_text`]: currentTarget.value })}
        />
      </InsertionsContext>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          busy={trying.isPending}
          disabled={!canTest}
          onClick={() => {
            setTested(words)
            trying.mutate()
          }}
        >
          {labels.test}
        </Button>
        <p role="status" className="text-sm empty:hidden">
          {isCurrent ? trying.data?.message : null}
        </p>
      </div>
      {isCurrent && trying.error && (
        <p role="alert" className="text-sm text-bad">
          {failureText(trying.error, 'Le test n’a pas pu partir. Réessayez.')}
        </p>
      )}
    </div>
  )
}
