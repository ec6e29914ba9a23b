import { tiePunctuation } from '#domain/common/french-spacing.ts'
import {
  changeText,
  hasRadar,
  OWN_PROGRESS_TITLE,
  type OwnProgress,
  pointsText,
  progressLegend,
} from '#domain/progress/own-progress.ts'
import { END_TITLE, linkButtonOf } from '#domain/questionnaire/pages.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { dimensionInsertions, formatPercent, shownDimensions } from '#domain/run/dimensions.ts'
import { MIN_RADAR_AXES } from '#domain/run/radar.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import {
  blocksOf,
  fillAddress,
  fillRichText,
  type Insertions,
  insertionsOf,
} from '#domain/run/rich-text.ts'
import { PUBLIC_RULES, shownResults } from '#domain/run/scoring.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import {
  CERTIFICATE_TEXT,
  certificateIssuer,
  certificateName,
  certificateTitle,
  type NamedRun,
} from './certificate.ts'
import {
  type DocumentPart,
  lookOf,
  type ParseText,
  type PdfDocument,
  paragraph,
  pictureParts,
} from './document.ts'
import { replyParts } from './reply-parts.ts'

/** Finished run of a participant with the stored result. */
export type ReportedRun = NamedRun & {
  result: SnapshotResult | null
  /** Dimensions before and after, if the person has also replied to the campaign before. */
  progress?: OwnProgress | undefined
}

/** Returns true if participants of a version can download a report. */
export const hasReport = ({ quiz }: Pick<Snapshot, 'quiz'>): boolean =>
  (quiz.report ?? 'none') !== 'none'

/**
 * Returns the report of a run: the texts of its end page and, if the creator chose so, the replies. `day` is the day of
 * the submission in words; `read` parses the formatting of a text.
 */
export const reportDocument = (run: ReportedRun, day: string, read: ParseText): PdfDocument => {
  const { snapshot } = run
  const { quiz } = snapshot
  const values = valuesOf(run)
  return {
    ...lookOf(snapshot),
    title: quiz.name,
    layout: 'report',
    parts: [
      { kind: 'note', text: `${quiz.name} – ${day}` },
      ...(isSondage(quiz) ? endParts(run, values, read) : resultParts(run, values, read)),
      ...variantParts(run, values, read),
      ...detailParts(run),
      ...dimensionParts(run, values, read),
      ...(run.progress ? progressParts(run.progress) : []),
      ...buttonParts(run, values),
      ...tiedParts(run, values, read),
      ...(quiz.report === 'replies' ? replyParts(run, values, read) : []),
    ],
  }
}

const valuesOf = ({ snapshot, replies, result }: ReportedRun): Insertions =>
  insertionsOf(snapshot, replies, result, dimensionInsertions(snapshot, replies))

const textParts = (
  text: string | null | undefined,
  values: Insertions,
  read: ParseText,
): DocumentPart[] => {
  if (!text) return []
  const blocks = blocksOf(fillRichText(read(text), values))
  return blocks.length > 0 ? [{ kind: 'text', blocks }] : []
}

const linkParts = (
  text: string | null | undefined,
  url: string | null | undefined,
  values: Insertions,
): DocumentPart[] => {
  const button = linkButtonOf(text, url)
  if (!button) return []
  return [{ kind: 'link', text: button.text, href: fillAddress(button.address, values) }]
}

const endParts = (
  { snapshot: { quiz } }: ReportedRun,
  values: Insertions,
  read: ParseText,
): DocumentPart[] => [
  { kind: 'heading', level: 1, text: quiz.end_title ?? wordingOf(quiz, END_TITLE) },
  ...textParts(quiz.end_text, values, read),
]

const resultParts = (
  { result }: ReportedRun,
  values: Insertions,
  read: ParseText,
): DocumentPart[] =>
  result
    ? [
        ...pictureParts(result),
        { kind: 'heading', level: 1, text: result.name },
        ...textParts(result.description, values, read),
      ]
    : [{ kind: 'heading', level: 1, text: 'Aucun résultat ne correspond à ces réponses' }]

const buttonParts = (
  { snapshot: { quiz }, result }: ReportedRun,
  values: Insertions,
): DocumentPart[] =>
  isSondage(quiz)
    ? linkParts(quiz.end_button_text, quiz.end_button_url, values)
    : linkParts(result?.button_text, result?.button_url, values)

const variantParts = (
  { snapshot, replies, result }: ReportedRun,
  values: Insertions,
  read: ParseText,
): DocumentPart[] =>
  shownTexts(snapshot, 'page', finishedRunOf(snapshot, replies, result)).flatMap((variant) => [
    ...textParts(variant.text, values, read),
    ...linkParts(variant.button_text, variant.button_url, values),
  ])

const formatTotal = (total: number): string => total.toLocaleString('fr-FR')

const detailParts = ({ snapshot, replies }: ReportedRun): DocumentPart[] => {
  const detail = resultDetail(snapshot, replies)
  if (!detail) return []
  if (detail.kind === 'profils') {
    const rows = detail.rows.map(({ name, percent }) => ({
      label: name,
      value: formatPercent(percent),
      share: percent / 100,
    }))
    return [{ kind: 'figures', rows, is_numbered: false }]
  }
  const rows = detail.rows.map(({ name, from, to }) => ({
    label: name,
    value: formatTotal(from) + (from < to ? ` à ${formatTotal(to)}` : ''),
  }))
  return [
    paragraph({ strong: [formatTotal(detail.total)] }, ` sur ${formatTotal(detail.maximum)}`),
    { kind: 'figures', rows, is_numbered: false },
  ]
}

const dimensionParts = (
  { snapshot, replies }: ReportedRun,
  values: Insertions,
  read: ParseText,
): DocumentPart[] => {
  const dimensions = shownDimensions(snapshot, replies)
  if (dimensions.length === 0) return []
  const { dimension_chart = 'bars' } = snapshot.quiz
  const isRadar = dimension_chart === 'radar' && dimensions.length >= MIN_RADAR_AXES
  const hasBars = dimension_chart !== 'none' && !isRadar
  const rows = dimensions.map(({ name, percent, tier }) => ({
    label: name,
    value: formatPercent(percent),
    note: tier?.title,
    ...(hasBars && { share: percent / 100 }),
  }))
  const texts = dimensions.flatMap(({ name, percent, tier, description }): DocumentPart[] => {
    if (!tier?.text && !description) return []
    const figure = tier ? `${formatPercent(percent)} : ${tier.title}` : formatPercent(percent)
    return [
      { kind: 'heading', level: 3, text: name },
      paragraph({ strong: [figure] }),
      ...textParts(tier?.text, values, read),
      ...textParts(description, values, read),
    ]
  })
  const chart: DocumentPart[] = isRadar
    ? [{ kind: 'radar', percents: dimensions.map(({ percent }) => percent) }]
    : []
  return [
    { kind: 'heading', level: 2, text: 'Résultat par dimension' },
    ...chart,
    { kind: 'figures', rows, is_numbered: isRadar },
    ...texts,
  ]
}

const progressParts = (progress: OwnProgress): DocumentPart[] => {
  const { changes } = progress
  const isRadar = hasRadar(progress)
  const rows = changes.map((change) => ({
    label: change.name,
    value: changeText(change),
    note: pointsText(change),
  }))
  const radar: DocumentPart = {
    kind: 'radar',
    percents: changes.map(({ after }) => after),
    before: changes.map(({ before }) => before),
  }
  return [
    { kind: 'heading', level: 2, text: OWN_PROGRESS_TITLE },
    { kind: 'note', text: tiePunctuation(progressLegend(progress)) },
    ...(isRadar ? [radar] : []),
    { kind: 'figures', rows, is_numbered: isRadar },
  ]
}

const tiedParts = (run: ReportedRun, values: Insertions, read: ParseText): DocumentPart[] => {
  const { snapshot, replies, result } = run
  const [first, ...ties] = shownResults(snapshot, replies, PUBLIC_RULES)
  if (first?.id !== result?.id) return []
  return ties.flatMap((tied): DocumentPart[] => [
    { kind: 'note', text: 'Ex æquo' },
    ...pictureParts(tied),
    { kind: 'heading', level: 2, text: tied.name },
    ...textParts(tied.description, values, read),
    ...linkParts(tied.button_text, tied.button_url, values),
  ])
}

/** Values that a certificate prints. */
export type CertificateFacts = {
  /** Day of the submission in words. */
  day: string
  percent: number
  /** Number of the certificate, in groups of four digits. */
  number: string
  /** Address of the page that confirms the certificate. */
  url: string
  /** Insertions of the text, from `certificateInsertions`. */
  values: Insertions
}

/** Returns the certificate of a run. A missing name or issuer has no line. */
export const certificateDocument = (
  run: Pick<ReportedRun, 'snapshot' | 'replies' | 'invited'>,
  { day, percent, number, url, values }: CertificateFacts,
  read: ParseText,
): PdfDocument => {
  const { snapshot } = run
  const { quiz } = snapshot
  const name = certificateName(run)
  const title = certificateTitle(snapshot)
  const issuer = certificateIssuer(snapshot)
  return {
    ...lookOf(snapshot),
    title: `${title} – ${quiz.name}`,
    layout: 'certificate',
    parts: [
      { kind: 'heading', level: 1, text: title },
      { kind: 'note', text: quiz.name },
      ...(name === null ? [] : [{ kind: 'name' as const, text: name }]),
      ...textParts(quiz.certificate_text ?? CERTIFICATE_TEXT, values, read),
      ...(issuer === null ? [] : [paragraph(tiePunctuation(`Délivrée par : ${issuer}`))]),
      paragraph(tiePunctuation(`Date : ${day}`)),
      paragraph(tiePunctuation(`Résultat : ${formatPercent(percent)}`)),
      paragraph(tiePunctuation(`Numéro : ${number}`)),
      { kind: 'link', text: tiePunctuation(`Vérifier : ${url}`), href: url },
    ],
  }
}
