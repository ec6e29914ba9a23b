import {
  INVITATION_STATE_LABELS,
  INVITATION_STATES,
  returnRate,
  type StateCounts,
  totalOf,
} from '#domain/campaigns/campaign.ts'
import { MIN_ANONYMOUS_REPLIES } from '#domain/campaigns/reply-pool.ts'
import type { Change } from '#domain/progress/change.ts'
import { describeChange } from '#domain/progress/change-texts.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import {
  type DocumentPart,
  type FigureRow,
  lookOf,
  type PdfDocument,
  paragraph,
} from '#domain/reports/document.ts'
import type { ResultCounts } from './count-results.ts'
import { figures, heading, line, note, percentText, plural } from './document-parts.ts'
import { resultParts } from './result-parts.ts'

/** Measure of a comparison, without its key. */
type NamedMeasure = { name: string; nb_before: number; nb_after: number; change: Change | null }

/** Comparison with the campaign before, as its screen shows it. */
type EvidenceProgress = {
  before: { name: string; quiz_name: string }
  is_paired: boolean
  nb_people: number | null
  measures: readonly NamedMeasure[]
  groups: readonly { group_name: string | null; measures: readonly NamedMeasure[] }[]
}

/** Mails of a step that left, and the days of the first and the last in words. */
export type SentMails = { step: number; count: number; first_day: string; last_day: string }

/** Facts of a campaign that its document states; days and times are in words. */
export type EvidenceFacts = {
  /** Newest answered or published version. */
  snapshot: Snapshot
  versions: readonly { version: number; published_on: string; nb_replies: number }[]
  campaign: {
    name: string
    is_anonymous: boolean
    starts_on: string
    ends_on: string
    /** True if no reply can arrive any more. */
    has_ended: boolean
    nb_deleted_replies: number
    reminder_days: readonly number[]
  }
  written_on: string
  counts: StateCounts
  groups: readonly { group_name: string | null; counts: StateCounts }[]
  mails: readonly SentMails[]
  results: ResultCounts
  progress: EvidenceProgress | null
  actions_text: string
}

/** Maximum number of groups that the document lists. */
const MAX_LISTED_GROUPS = 200
/** Name of the groups of an anonymous campaign that are too small to be named. */
const SMALL_GROUPS = 'Groupes de moins de cinq personnes'

/** Returns the document of a campaign for an audit. An anonymous campaign shows no figure of fewer than five replies. */
export const evidenceDocument = (facts: EvidenceFacts): PdfDocument => {
  const { snapshot, campaign } = facts
  return {
    ...lookOf(snapshot),
    title: `Dossier de preuves – ${campaign.name}`,
    layout: 'report',
    parts: [
      heading(1, `Dossier de preuves – ${campaign.name}`),
      note(`Écrit le ${facts.written_on}`),
      ...questionnaireParts(facts),
      ...invitationParts(facts),
      ...mailParts(facts),
      ...resultParts(facts.results, campaign),
      ...(facts.progress ? progressParts(facts.progress) : []),
      heading(2, 'Actions menées'),
      ...actionParts(facts.actions_text),
    ],
  }
}

const questionnaireParts = ({ snapshot, versions, campaign }: EvidenceFacts): DocumentPart[] => [
  heading(2, 'Questionnaire et dates'),
  line(`${isSondage(snapshot.quiz) ? 'Sondage' : 'Quiz'} : ${snapshot.quiz.name}`),
  ...versions.map(({ version, published_on, nb_replies }) =>
    line(
      `Version ${version}, publiée le ${published_on} : ${plural(nb_replies, 'réponse', 'réponses')}`,
    ),
  ),
  line(`Début : ${campaign.starts_on}. Fin : ${campaign.ends_on}.`),
  ...(campaign.has_ended ? [] : [line('La campagne n’est pas terminée.')]),
  ...(campaign.is_anonymous
    ? [
        line(
          'Campagne anonyme : ce dossier ne nomme personne, et aucun chiffre ne porte sur moins de cinq réponses.',
        ),
      ]
    : []),
]

/** Returns the groups of a document. Small groups of an anonymous campaign are one, because a group may name a person. */
const listedGroups = ({
  groups,
  campaign: { is_anonymous },
}: Pick<EvidenceFacts, 'groups'> & {
  campaign: Pick<EvidenceFacts['campaign'], 'is_anonymous'>
}): { name: string; counts: StateCounts }[] => {
  const named = groups.map(({ group_name, counts }) => ({
    name: group_name ?? 'Sans groupe',
    counts,
  }))
  if (!is_anonymous) return named
  const isSmall = ({ counts }: { counts: StateCounts }): boolean =>
    totalOf(counts) < MIN_ANONYMOUS_REPLIES
  const small = named.filter(isSmall)
  const others = named.filter((group) => !isSmall(group))
  if (small.length === 0) return others
  const counts = { ...EMPTY_COUNTS }
  for (const group of small)
    for (const state of INVITATION_STATES) counts[state] += group.counts[state]
  return [...others, { name: SMALL_GROUPS, counts }]
}

const EMPTY_COUNTS: StateCounts = {
  invited: 0,
  opened: 0,
  started: 0,
  replied: 0,
  refused: 0,
  failed: 0,
}

const returnRow = (name: string, counts: StateCounts): FigureRow => {
  const rate = returnRate(counts) ?? 0
  return {
    label: name,
    value: `${counts.replied.toLocaleString('fr-FR')} sur ${totalOf(counts).toLocaleString('fr-FR')}`,
    note: `Taux de retour : ${percentText(rate)}`,
    share: rate / 100,
  }
}

const invitationParts = (facts: EvidenceFacts): DocumentPart[] => {
  const { counts } = facts
  const groups = listedGroups(facts)
  const states = INVITATION_STATES.map((state) => ({
    label: INVITATION_STATE_LABELS[state],
    value: counts[state].toLocaleString('fr-FR'),
  }))
  return [
    heading(2, 'Personnes invitées'),
    line(`${plural(totalOf(counts), 'personne invitée', 'personnes invitées')}.`),
    ...figures(states),
    heading(2, 'Taux de retour'),
    ...figures([
      returnRow('Toutes les personnes', counts),
      ...(groups.length > 1
        ? groups.slice(0, MAX_LISTED_GROUPS).map(({ name, counts: own }) => returnRow(name, own))
        : []),
    ]),
    ...(groups.length > MAX_LISTED_GROUPS
      ? [note(`${groups.length - MAX_LISTED_GROUPS} autres groupes ne sont pas dans ce document.`)]
      : []),
  ]
}

/** Returns the name of the mail of a step. */
export const stepName = (step: number): string => (step === 0 ? 'Invitation' : `Rappel ${step}`)

const mailParts = ({ campaign: { reminder_days }, mails }: EvidenceFacts): DocumentPart[] => [
  heading(2, 'Invitations et rappels envoyés'),
  line(
    reminder_days.length === 0
      ? 'Aucun rappel n’est prévu.'
      : `Rappels prévus ${reminder_days.map((day) => plural(day, 'jour', 'jours')).join(', ')} après l’invitation, aux personnes qui n’ont pas répondu.`,
  ),
  ...figures(
    mails.map(({ step, count, first_day, last_day }) => ({
      label: stepName(step),
      value: plural(count, 'email', 'emails'),
      note: first_day === last_day ? `Le ${first_day}` : `Du ${first_day} au ${last_day}`,
    })),
  ),
]

const progressParts = ({
  before,
  is_paired,
  nb_people,
  measures,
  groups,
}: EvidenceProgress): DocumentPart[] => [
  heading(2, 'Avant et après'),
  line(`Campagne d’avant : ${before.name} (${before.quiz_name}).`),
  line(
    is_paired
      ? `${plural(nb_people ?? 0, 'personne a répondu', 'personnes ont répondu')} aux deux campagnes ; leurs réponses sont comparées personne par personne.`
      : 'Une des campagnes est anonyme : les moyennes sont comparées, pas les personnes.',
  ),
  ...figures(measures.map(measureRow)),
  ...groups.flatMap(({ group_name, measures: own }) => [
    heading(3, group_name ?? 'Sans groupe'),
    ...figures(own.map(measureRow)),
  ]),
]

const measureRow = (measure: NamedMeasure): FigureRow => {
  const { value, detail } = describeChange(measure)
  return { label: measure.name, value, note: detail }
}

/** Returns the lines of a typed text as paragraphs, because the text has no formatting. */
const actionParts = (text: string): DocumentPart[] => {
  const lines = text.split(/\n+/).filter((one) => one.trim() !== '')
  return lines.length > 0 ? lines.map((one) => paragraph(one)) : [line('Aucune action notée.')]
}
