import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { cleanSenderName, senderNameError } from '#domain/mail-senders/sender-name.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { SenderPreview } from './sender-preview.tsx'
import { senderQuery } from './sender-queries.ts'

/** Value of the select for the choice of the account. */
const AS_ACCOUNT = 'as-account'

/** Edits the sender of a quiz's mails and the address of the replies. Both apply at once. */
export const QuizSender = ({
  session,
  quiz,
  reply_to,
  onReplyTo,
}: {
  session: DraftSession
  quiz: Pick<Quiz, 'sender_name'>
  reply_to: string | null
  onReplyTo: (choice: string | null) => void
}) => {
  const query = useQuery(senderQuery())
  const { data: sender, error } = query
  // Typed name; null while the field shows the stored name.
  const [typed, setTyped] = useState<string | null>(null)
  if (!sender)
    return error ? (
      <LoadFailure
        text={failureText(error, 'L’expéditeur n’a pas pu être chargé.')}
        query={query}
      />
    ) : (
      <Loading text="Chargement..." />
    )
  const refusal = typed === null ? undefined : senderNameError(typed)
  const write = (text: string): void => {
    setTyped(text)
    if (senderNameError(text) !== undefined) return
    session.changeEveryStep(
      (draft) => ({
        ...draft,
        quiz: { ...draft.quiz, sender_name: cleanSenderName(text) || null },
      }),
      AUTOSAVE_KINDS.page,
    )
  }
  const addresses = sender.addresses.map(({ id, email }) => ({ value: id, label: email }))
  const isKnown =
    reply_to === null ||
    ['account', 'none', ...sender.addresses.map(({ id }) => id)].includes(reply_to)
  return (
    <div className="flex flex-col gap-3">
      <h3 className="mt-2 text-sm font-semibold">Expéditeur</h3>
      <TextField
        id={pageFieldId('sender_name')}
        label="Nom de l’expéditeur"
        hint={`Vide : ${sender.sender_name || 'celui du site'}. « via Quizaine » suit toujours le nom.`}
        value={typed ?? quiz.sender_name ?? ''}
        maxLength={LIMITS.sender_name}
        {...(refusal && { error: refusal })}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => refusal === undefined && setTyped(null)}
      />
      <Select
        label="Adresse pour les réponses"
        hint="D’autres adresses s’ajoutent dans Mon compte, section « Envoi des emails »."
        value={isKnown ? (reply_to ?? AS_ACCOUNT) : AS_ACCOUNT}
        options={[
          { value: AS_ACCOUNT, label: 'Comme dans Mon compte' },
          ...(sender.account_email ? [{ value: 'account', label: sender.account_email }] : []),
          ...addresses,
          { value: 'none', label: 'Aucune : personne ne lit les réponses' },
        ]}
        onChange={(choice) => onReplyTo(choice === AS_ACCOUNT ? null : choice)}
      />
      <SenderPreview
        sender={sender}
        quiz_name={refusal === undefined ? (typed ?? quiz.sender_name) : quiz.sender_name}
        quiz_choice={reply_to}
      />
    </div>
  )
}
