import type { MailPart } from '#domain/deliveries/mail-result.ts'
import { composeMail, type QuizMail, sampleRun } from '#domain/deliveries/quiz-mail.ts'
import { fitLetter, letterBytes, MAX_MAIL_BYTES } from '#domain/mail-letters/fit-letter.ts'
import { resultLetter } from '#domain/mail-letters/result-letter.ts'
import { imageAddress } from '#domain/questionnaire/images.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { mayHaveMarks } from '#domain/run/rich-text.ts'
import { useSession } from '#web/session/session.tsx'
import { FormattedText } from '#web/ui/rich-text/formatted-text.tsx'
import { useParser } from '#web/ui/rich-text/use-read-text.ts'

const SAMPLE_EMAIL = 'camille@exemple.fr'
const SAMPLE_TOKEN = 'x'.repeat(100)

/** Returns the texts of a version that a mail can show. */
const textsOf = ({ results, dimensions = [], text_variants = [] }: Snapshot): string[] => [
  ...results.map(({ description }) => description ?? ''),
  ...dimensions.flatMap(({ description, tiers }) => [
    description ?? '',
    ...tiers.map(({ text }) => text ?? ''),
  ]),
  ...text_variants.map(({ text }) => text),
]

const kilobytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_000).toLocaleString('fr-FR')}\u00a0Ko`

/** Renders the email of a sample participant, who chose the first answers, and its size. */
export const MailPreview = ({
  typedMail,
  snapshot,
  page_url,
}: {
  typedMail: QuizMail
  snapshot: Snapshot
  page_url: string | null
}) => {
  const { user } = useSession()
  const parser = useParser([typedMail.text, ...textsOf(snapshot)].some(mayHaveMarks))
  const run = sampleRun(snapshot, user?.email ?? SAMPLE_EMAIL, page_url)
  const content = composeMail(typedMail, run, parser?.parseRichText ?? String)
  const { origin: public_url } = window.location
  const letter = resultLetter({
    ...content,
    quiz: snapshot.quiz,
    public_url,
    page_url,
    unsubscribe_url: `${public_url}/desinscription/${SAMPLE_TOKEN}`,
  })
  const bytes = letterBytes(letter)
  return (
    <div className="flex flex-col gap-2">
      <section aria-label="Aperçu de l’email" className="rounded-lg border border-line">
        <p className="border-b border-line px-3 py-2 text-sm wrap-anywhere">
          <span className="text-ink-3">Objet : </span>
          <strong className="font-semibold" dir="auto">
            {content.subject}
          </strong>
        </p>
        <div className="flex flex-col gap-2 px-3 py-3 wrap-anywhere">
          <p className="text-lg font-semibold" dir="auto">
            {snapshot.quiz.name}
          </p>
          <FormattedText text={fitLetter(letter).body ?? ''} />
          {content.parts.map((part, rank) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names and keep their order
            <Part key={rank} part={part} />
          ))}
          <p className="text-sm text-ink-3">
            Vous recevez cet email parce que votre adresse a été donnée en réponse à «{' '}
            {snapshot.quiz.name} ».
          </p>
        </div>
      </section>
      <p role="status" className="text-sm text-ink-2">
        {bytes > MAX_MAIL_BYTES
          ? `Cet email ferait ${kilobytes(bytes)} : au-delà de ${kilobytes(MAX_MAIL_BYTES)}, ses textes les plus longs sont raccourcis, et le lien de désinscription reste toujours visible.`
          : `Cet email fait environ ${kilobytes(bytes)} sur ${kilobytes(MAX_MAIL_BYTES)}.`}
      </p>
    </div>
  )
}

const Part = ({ part }: { part: MailPart }) => {
  switch (part.kind) {
    case 'heading':
      return (
        <p className="text-lg font-semibold" dir="auto">
          {part.note && <span className="block text-sm font-normal text-ink-3">{part.note}</span>}
          {part.text}
        </p>
      )
    case 'picture':
      return (
        <img
          src={imageAddress(part.image_id, 400)}
          alt={part.alt}
          className="max-h-60 self-start rounded-lg"
        />
      )
    case 'text':
      return <FormattedText text={part.text} />
    case 'button':
      return (
        <p>
          <span className="inline-block rounded-lg bg-brand px-4 py-2 font-semibold text-on-brand">
            {part.label}
          </span>
        </p>
      )
  }
}
