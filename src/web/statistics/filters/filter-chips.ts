import type { Figures } from '#contract/statistics/figures.ts'
import { CONFIRMATION_LABELS } from '#domain/confirmations/confirmation.ts'
import { filteredPercents, type PercentFilter } from '#domain/statistics/percent-filters.ts'
import {
  type Filters,
  idsOf,
  parametersOf,
  setIdFilter,
  setParameterFilter,
  setPercentFilter,
} from './filters.ts'

/** A filter as text, and the filters that remain without it. */
export type Chip = { key: string; text: string; rest: Filters }

/**
 * Returns the active filters as removable chips. `choices` has the names of results, replies and tiers; deleted ones
 * have no name.
 */
export const listFilterChips = (filters: Filters, choices: Figures['choices']): Chip[] => {
  const { email, result, from, to } = filters
  const chips: Chip[] = []
  if (from || to)
    chips.push({
      key: 'dates',
      text: datesText(from, to),
      rest: { ...filters, from: undefined, to: undefined },
    })
  if (email)
    chips.push({
      key: 'email',
      text: `Email ou nom : ${email}`,
      rest: { ...filters, email: undefined },
    })
  if (result) {
    const name = choices.results.find(({ id }) => id === result)?.name ?? GONE
    chips.push({
      key: result,
      text: `Résultat : ${name}`,
      rest: { ...filters, result: undefined },
    })
  }
  for (const id of idsOf(filters, 'answer'))
    chips.push({
      key: id,
      text: answerText(id, choices),
      rest: setIdFilter(filters, ['answer', id], false),
    })
  for (const id of idsOf(filters, 'tier'))
    chips.push({
      key: id,
      text: tierText(id, choices),
      rest: setIdFilter(filters, ['tier', id], false),
    })
  for (const range of filteredPercents(filters.percent))
    chips.push({
      key: `percent ${range.subject}`,
      text: percentText(range, choices),
      rest: setPercentFilter(filters, range, false),
    })
  if (filters.certificate)
    chips.push({
      key: 'certificate',
      text: CERTIFICATE_LABELS[filters.certificate] ?? filters.certificate,
      rest: { ...filters, certificate: undefined },
    })
  if (filters.confirmation)
    chips.push({
      key: 'confirmation',
      text: CONFIRMATION_LABELS[filters.confirmation] ?? filters.confirmation,
      rest: { ...filters, confirmation: undefined },
    })
  if (filters.campaign)
    chips.push({
      key: 'campaign',
      text: `Campagne : ${campaignName(filters.campaign, choices)}`,
      rest: { ...filters, campaign: undefined },
    })
  if (filters.group)
    chips.push({
      key: 'group',
      text: `Groupe : ${filters.group}`,
      rest: { ...filters, group: undefined },
    })
  for (const [name, value] of parametersOf(filters))
    chips.push({
      key: `parameter ${name}`,
      text: value === '' ? `Sans ${name}` : `${name} : ${value}`,
      rest: setParameterFilter(filters, [name, value], false),
    })
  return chips
}

const GONE = 'supprimé'

/** French names of the filter by certificate. */
export const CERTIFICATE_LABELS: Record<NonNullable<Filters['certificate']>, string> = {
  delivered: 'Attestation délivrée',
  none: 'Sans attestation',
}

const campaignName = (id: string, { campaigns = [] }: Figures['choices']): string =>
  campaigns.find((campaign) => campaign.id === id)?.name ?? 'supprimée'

/** Returns the groups that can be filtered: those of the filtered campaign, or of all campaigns. */
export const groupChoices = (
  { campaign }: Filters,
  { campaigns = [] }: Figures['choices'],
): string[] => [
  ...new Set(
    campaigns.filter(({ id }) => !campaign || id === campaign).flatMap(({ groups }) => groups),
  ),
]

const percentText = (
  { subject, from, to }: PercentFilter,
  { percents = [] }: Figures['choices'],
): string => {
  const name = percents.find(({ id }) => id === subject)?.name ?? 'Dimension supprimée'
  return `${name} : de ${from} à ${to} %`
}

const answerText = (id: string, { questions }: Figures['choices']): string => {
  for (const { text, answers } of questions) {
    const answer = answers.find((candidate) => candidate.id === id)
    if (answer) return `${text} ${answer.text}`
  }
  return 'Réponse : supprimée'
}

const tierText = (id: string, { dimensions }: Figures['choices']): string => {
  for (const { name, tiers } of dimensions) {
    const tier = tiers.find((candidate) => candidate.id === id)
    if (tier) return `${name} : ${tier.text}`
  }
  return 'Palier : supprimé'
}

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const dayText = (day: string): string => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : dayFormat.format(time)
}

const datesText = (from: string | undefined, to: string | undefined): string => {
  if (from && to) return `Du ${dayText(from)} au ${dayText(to)}`
  return from ? `Depuis le ${dayText(from)}` : `Jusqu’au ${dayText(to ?? '')}`
}
