import type { ShownSender } from '#contract/forwarding/mail-senders.ts'
import { findReplyTo } from '#domain/mail-senders/reply-to.ts'
import { shownSenderName } from '#domain/mail-senders/sender-name.ts'

/** Renders the header lines of a mail to participants, and a sentence about its replies. */
export const SenderPreview = ({
  sender,
  quiz_name,
  quiz_choice,
}: {
  sender: ShownSender
  /** Name of the quiz; null or blank means that of the account. */
  quiz_name: string | null
  /** Choice of the quiz for the replies; null means that of the account. */
  quiz_choice: string | null
}) => {
  const name = shownSenderName(quiz_name) ?? shownSenderName(sender.sender_name)
  const shown = name === null ? sender.from_name : `${name} via Quizaine`
  const replies = findReplyTo({ ...sender, quiz_choice, account_choice: sender.reply_to })
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-line px-3 py-2 text-sm">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 wrap-anywhere">
        <dt className="text-ink-3">De</dt>
        <dd>
          <strong className="font-semibold" dir="auto">
            {shown}
          </strong>{' '}
          &lt;{sender.from_address}&gt;
        </dd>
        {replies !== null && (
          <>
            <dt className="text-ink-3">Répondre à</dt>
            <dd>{replies}</dd>
          </>
        )}
      </dl>
      <p role="status" className="text-ink-2 wrap-anywhere">
        {replies === null
          ? 'Personne ne lit les réponses, et le bas de l’email le dit.'
          : `Les réponses arrivent à ${replies}.`}
      </p>
    </div>
  )
}
