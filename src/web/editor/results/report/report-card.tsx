import { useMutation } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useContext, useId } from 'react'
import { LIMITS, REPORTS } from '#domain/common/vocabulary.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { CERTIFICATE_NAMES } from '#domain/publishing/report-check.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { CERTIFICATE_TEXT, CERTIFICATE_TITLE } from '#domain/reports/certificate.ts'
import { download } from '#web/api/download.ts'
import { errorText } from '#web/api/error-text.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { type ChangePage, useDraft } from '#web/editor/draft/use-draft.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readThreshold } from '#web/editor/fields/parse-numbers.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { RadioGroup, Switch } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { InsertionsContext, RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'

type Props = {
  session: DraftSession
  /** Publish errors of this step. */
  errors: readonly PublishError[]
  changePage: ChangePage
}

/** Initial percent when a creator switches the certificate on. */
const FIRST_PERCENT = 70

const NO_ISSUER =
  'Sans ce nom, ni l’attestation ni la page qui la confirme ne disent de qui elle vient.'

const HINTS = {
  none: 'Les participants ne reçoivent pas de document.',
  result: 'Les textes de la page de fin, à garder ou à imprimer.',
  replies: 'Le résultat, puis chaque question avec la réponse donnée.',
}

/** Shows the report and the certificate that participants can download as PDF. */
const ReportCard = ({ session, errors, changePage }: Props) => {
  const heading_id = useId()
  const { quiz } = useDraft(session).draft
  const { report, certificate_percent } = quiz
  return (
    <section
      aria-labelledby={heading_id}
      className="flex flex-col gap-4 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 id={heading_id} className="text-base font-semibold">
            Rapport et attestation
          </h2>
          <HelpLink about="rapport et attestation" page="rapports-et-attestations" />
        </div>
        <p className="text-sm text-ink-2">
          Des documents PDF aux couleurs de votre questionnaire, que le participant télécharge à la
          fin ou reçoit par email. Ils sont écrits à la demande : aucun n’est gardé.
        </p>
      </div>
      <RadioGroup
        id={pageFieldId('report')}
        legend={PAGE_FIELDS.report.label}
        value={report}
        options={REPORTS.map((value) => ({
          value,
          label: PAGE_FIELDS.report.names[value],
          hint: HINTS[value],
        }))}
        onChange={(chosen) => changePage({ report: chosen })}
      />
      {report !== 'none' && <Preview session={session} file="report_preview" />}
      {(!isSondage(quiz) || certificate_percent !== null) && (
        <Certificate session={session} errors={errors} changePage={changePage} />
      )}
    </section>
  )
}

export default ReportCard

const Certificate = ({ session, errors, changePage }: Props) => {
  const { quiz } = useDraft(session).draft
  const { certificate_percent, certificate_title, certificate_text, certificate_issuer } = quiz
  const hasCertificate = certificate_percent !== null
  const errorOf = (field: string): string | undefined =>
    errors.find((error) => error.field === field)?.message
  const error = errorOf('certificate_percent')
  const listAtEnd = useContext(InsertionsContext)
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <Switch
        label="Délivrer une attestation"
        checked={hasCertificate}
        onChange={({ currentTarget }) =>
          changePage({ certificate_percent: currentTarget.checked ? FIRST_PERCENT : null })
        }
      />
      {hasCertificate && (
        <>
          <div className="w-56">
            <NumberField
              id={pageFieldId('certificate_percent')}
              label="À partir de (% des points)"
              min={0}
              value={certificate_percent}
              onType={(typed) => changePage({ certificate_percent: percentOf(typed) })}
            />
          </div>
          <p className="text-sm text-ink-2">
            Le pourcentage est compté entre le moins et le plus de points possibles, puis arrondi
            vers le bas : 49,5 % ne suffisent pas pour 50 %.
          </p>
          {error && (
            <p role="alert" className="text-sm text-bad">
              {error}
            </p>
          )}
          <TextField
            id={pageFieldId('certificate_title')}
            label={PAGE_FIELDS.certificate_title.label}
            placeholder={CERTIFICATE_TITLE}
            value={certificate_title ?? ''}
            maxLength={LIMITS.title}
            onChange={({ currentTarget: { value } }) =>
              changePage({ certificate_title: value || null })
            }
          />
          <InsertionsContext
            value={() => [...CERTIFICATE_NAMES.map((name) => ({ name })), ...listAtEnd()]}
          >
            <RichTextField
              id={pageFieldId('certificate_text')}
              label={PAGE_FIELDS.certificate_text.label}
              placeholder={CERTIFICATE_TEXT}
              rows={3}
              value={certificate_text ?? ''}
              error={errorOf('certificate_text')}
              maxLength={LIMITS.certificate_text}
              onChange={({ currentTarget: { value } }) =>
                changePage({ certificate_text: value || null })
              }
            />
          </InsertionsContext>
          <TextField
            id={pageFieldId('certificate_issuer')}
            label={PAGE_FIELDS.certificate_issuer.label}
            hint={certificate_issuer ? undefined : NO_ISSUER}
            value={certificate_issuer ?? ''}
            maxLength={LIMITS.certificate_issuer}
            onChange={({ currentTarget: { value } }) =>
              changePage({ certificate_issuer: value || null })
            }
          />
          <p className="text-sm text-ink-2">
            Le nom du participant vient des questions Prénom et Nom ; sans elles, l’attestation n’en
            porte pas. Son numéro se vérifie sur ce site tant que le participant n’est pas effacé.
          </p>
          <Preview session={session} file="certificate_preview" />
        </>
      )}
    </div>
  )
}

/** Returns the typed percent, limited to 0 to 100. */
const percentOf = (typed: string): number => Math.min(readThreshold(typed) ?? 0, 100)

const Preview = ({
  session,
  file,
}: {
  session: DraftSession
  file: 'report_preview' | 'certificate_preview'
}) => {
  const what = file === 'report_preview' ? 'du rapport' : 'de l’attestation'
  const preview = useMutation({
    mutationFn: async () => {
      await session.flush()
      return lazyClient.documents.link({ id: session.view().draft.quiz.id, body: { file } })
    },
    onSuccess: (link) => {
      download(link)
      announceToScreenReader(`L’aperçu ${what} est prêt : son téléchargement commence.`)
    },
  })
  const nb_pages = preview.data?.nb_pages ?? 1
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        icon={<FileDown aria-hidden="true" />}
        busy={preview.isPending}
        onClick={() => preview.mutate()}
      >
        Aperçu {what} (PDF)
      </Button>
      {nb_pages > 1 && (
        <p role="alert" className="text-sm text-bad">
          Même en petits caractères, l’attestation ne tient pas sur une page : elle en a {nb_pages}.
          Raccourcissez son texte ou enlevez des lignes.
        </p>
      )}
      {preview.error && (
        <p role="alert" className="text-sm text-bad">
          {errorText(preview.error)}
        </p>
      )}
    </div>
  )
}
