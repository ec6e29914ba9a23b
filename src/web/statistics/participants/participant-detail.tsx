import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { DetailedParticipant } from '#contract/participants.ts'
import { fullNameOf } from '#domain/run/contact/full-name.ts'
import type { Explanation } from '#domain/run/explanation.ts'
import { DeliveryBadge, deliveryTarget, labelsText } from '#web/deliveries/delivery-labels.tsx'
import { DocumentButtons } from '#web/statistics/documents/document-buttons.tsx'
import { parameterTitle } from '#web/statistics/filters/filters.ts'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import {
  formatDuration,
  formatPercentage,
  formatPoints,
  MISSING,
} from '#web/statistics/format/format.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import {
  attemptsText,
  confirmationText,
  consentText,
  mailAddress,
  phoneAddress,
  skippedPageText,
} from './participant-labels.ts'
import { AnswerList } from './participants-table.tsx'
import { Reasons } from './result-reasons.tsx'

/** Renders the data of one participant. */
export const ParticipantDetail = ({
  quizId,
  participant,
  explanation,
}: {
  quizId: string
  participant: DetailedParticipant
  explanation: Explanation
}) => (
  <>
    <Facts participant={participant} />
    <Part title="Ses réponses">
      <Path path={participant.path} />
    </Part>
    {explanation.result_name !== null && (
      <Part title="Pourquoi ce résultat ?">
        <Reasons explanation={explanation} />
      </Part>
    )}
    {participant.documents.length > 0 && (
      <Part title="Documents">
        <DocumentButtons quizId={quizId} participant={participant} />
      </Part>
    )}
    <Part title="Envois vers vos outils">
      <Deliveries deliveries={participant.deliveries} />
      <Link to={`/quiz/${quizId}/envois`} className="self-start text-brand underline">
        Tous les envois de ce questionnaire
      </Link>
    </Part>
    <Part title="Consentement">
      <Consent participant={participant} />
    </Part>
  </>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

const Facts = ({ participant }: { participant: DetailedParticipant }) => {
  const { created_at, email, phone, final_result_name, score, elapsed_seconds } = participant
  const { dimensions, is_suspect, parameters } = participant
  const name = fullNameOf(participant)
  const keys = distinctKeys(dimensions.map((dimension) => dimension.name))
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {name !== null && <Fact name="Nom">{name}</Fact>}
        <Fact name="Email">
          {email === null ? MISSING : <ContactLink address={mailAddress(email)} text={email} />}
        </Fact>
        {phone !== null && (
          <Fact name="Téléphone">
            <ContactLink address={phoneAddress(phone)} text={phone} />
          </Fact>
        )}
        <Fact name="Date">{formatNamedMoment(created_at)}</Fact>
        {final_result_name !== null && (
          <Fact name="Résultat">
            <Badge tone="info">{final_result_name}</Badge>
          </Fact>
        )}
        {score !== null && <Fact name="Score">{formatPoints(score)}</Fact>}
        {dimensions.length > 0 && (
          <Fact name="Dimensions">
            <ul>
              {dimensions.map(({ name, percent, tier }, rank) => (
                <li key={keys[rank]}>
                  {`${name} : ${formatPercentage(percent)}${tier === null ? '' : ` · ${tier}`}`}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {elapsed_seconds !== null && (
          <Fact name="Durée">{`Rempli en ${formatDuration(elapsed_seconds)}`}</Fact>
        )}
        {Object.entries(parameters).map(([name, value]) => (
          <Fact key={name} name={parameterTitle(name)}>
            {value}
          </Fact>
        ))}
      </dl>
      {is_suspect && (
        <div className="flex flex-col items-start gap-1">
          <Badge tone="warn">À vérifier</Badge>
          <p>
            Un champ invisible a été rempli, ou les réponses sont venues plus vite qu’on ne lit. Un
            programme a peut-être répondu. Ce participant compte comme les autres.
          </p>
        </div>
      )}
    </>
  )
}

const ContactLink = ({ address, text }: { address: string | null; text: string }) =>
  address === null ? (
    text
  ) : (
    <a
      href={address}
      className="inline-flex min-h-6 items-center text-brand underline underline-offset-2 pointer-coarse:min-h-11"
    >
      {text}
    </a>
  )

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 wrap-anywhere tabular-nums" dir="auto">
      {children}
    </dd>
  </>
)

const Path = ({ path }: Pick<DetailedParticipant, 'path'>) => (
  <ol className="flex flex-col gap-3">
    {path.map(({ page_number, is_left_out, answers }) => (
      <li key={page_number}>
        {path.length > 1 && (
          <p className="text-xs font-medium text-ink-2">
            {is_left_out ? skippedPageText(page_number) : `Page ${page_number}`}
          </p>
        )}
        {answers.length > 0 && <AnswerList answers={answers} />}
      </li>
    ))}
  </ol>
)

const Deliveries = ({ deliveries }: Pick<DetailedParticipant, 'deliveries'>) => {
  if (deliveries.length === 0)
    return <p className="text-ink-2">Aucun outil n’était activé quand ce participant a répondu.</p>
  return (
    <ul className="flex flex-col divide-y divide-line">
      {deliveries.map((delivery) => (
        <li key={delivery.connection_id} className="flex flex-col gap-1 py-2">
          <p className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 font-medium wrap-anywhere">{deliveryTarget(delivery)}</span>
            <DeliveryBadge status={delivery.status} />
          </p>
          <p className="empty:hidden">{labelsText(delivery)}</p>
          {delivery.reason && <p>{delivery.reason}</p>}
          {delivery.is_replaced && <p>Remplacé par un résultat plus récent.</p>}
          <p className="text-ink-2 empty:hidden">{attemptsText(delivery)}</p>
        </li>
      ))}
    </ul>
  )
}

/** Shows the text that a participant accepted, with its number and its first day. */
const Wording = ({ consent }: Pick<DetailedParticipant, 'consent'>) =>
  consent?.wording && (
    <figure className="rounded-lg bg-wash p-3">
      <blockquote className="whitespace-pre-line wrap-anywhere" dir="auto">
        {consent.wording.text}
      </blockquote>
      <figcaption className="mt-2 text-xs text-ink-2">
        {`Texte n° ${consent.wording.version}, affiché depuis le ${formatNamedMoment(consent.wording.created_at)}`}
      </figcaption>
    </figure>
  )

const Consent = ({ participant }: { participant: DetailedParticipant }) => {
  const { consent, measure_consent, created_at, confirmation } = participant
  return (
    <>
      <p>{consentText({ consent, created_at })}</p>
      {confirmation && <p>{confirmationText(confirmation)}</p>}
      <Wording consent={consent} />
      {measure_consent && (
        <>
          <p>{`Mesure des ouvertures et des clics : ${consentText({ consent: measure_consent, created_at })}`}</p>
          <Wording consent={measure_consent} />
        </>
      )}
    </>
  )
}
