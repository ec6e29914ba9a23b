import { useQuery } from '@tanstack/react-query'
import { CONFIRMATION_DAYS, REMINDER_HOURS } from '#domain/confirmations/confirmation.ts'
import { hasEmailQuestion } from '#domain/questionnaire/consent/consent.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { mailsQuery } from '#web/automations/automation-queries.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useAccessField } from '#web/editor/draft/use-access-field.ts'
import { NoEmailNote } from '#web/integrations/provider-card.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { AccessSwitch, noText } from './own-page-section.tsx'

const HINT =
  'Chaque participant qui donne son adresse reçoit un email avec un bouton. Jusqu’à sa pression, rien ne part vers vos outils ni vos webhooks, et l’email de résultat attend. Le résultat s’affiche tout de suite.'
const BALANCE = `Vous y gagnez des adresses qui existent, avec la preuve de l’accord. Vous y perdez qui n’ouvre pas cet email : un rappel part après ${REMINDER_HOURS} heures, et l’envoi prend fin après ${CONFIRMATION_DAYS} jours.`

/** Renders the switch with which participants confirm their address by mail. It applies at once. */
export const ConfirmationSection = ({
  session,
  draft,
}: {
  session: DraftSession
  draft: Draft
}) => {
  const field = useAccessField<'confirms_email'>(session, 'confirms_email', noText)
  const { data: mails } = useQuery(mailsQuery(draft.quiz.id))
  const isWithoutServer = mails !== undefined && !mails.has_mail_server
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex items-start justify-between gap-2">
        <AccessSwitch
          name="confirms_email"
          label="Faire confirmer l’adresse par email"
          hint={HINT}
          field={field}
          isDisabled={field.chosen !== true && isWithoutServer}
        />
        <HelpLink about="confirmation de l’adresse" page="consentement#confirmer-l-adresse" />
      </div>
      <p className="text-sm text-ink-2">{BALANCE}</p>
      {isWithoutServer && (
        <p role="status" className="text-sm">
          {field.chosen
            ? 'Ce site n’a plus de serveur d’emails : les demandes attendent, et les envois avec elles.'
            : 'Ce site n’a pas de serveur d’emails : aucune adresse ne peut être confirmée.'}
        </p>
      )}
      {field.chosen && !hasEmailQuestion(draft.questions) && <NoEmailNote />}
    </div>
  )
}
