import type { Finding } from '#domain/findings.ts'
import {
  formatDuration,
  formatNumber,
  formatPercentageOf,
  formatShare,
  formatShareOf,
} from './format.ts'
import { changeOf, daysBefore } from './key-figure-words.ts'

/** A finding as a French sentence, its numbers as the charts say them. */
export const findingText = (finding: Finding): string => {
  switch (finding.kind) {
    case 'loss':
      return lossText(finding)
    case 'change':
      return changeText(finding)
    case 'result':
      return resultText(finding)
    case 'skipped':
      return `« ${finding.question_text} » est laissée vide par ${findingPercentage(finding)} des participants qui la voient (${findingShare(finding)}).`
    case 'slow':
      return `La moitié des participants mettent ${formatDuration(finding.median_seconds)} ou plus à finir.`
  }
}

type Of<Kind extends Finding['kind']> = Extract<Finding, { kind: Kind }>
type Part = { count: number; total: number }

const findingPercentage = ({ count, total }: Part): string => formatPercentageOf(count, total)
const findingShare = ({ count, total }: Part): string => formatShare(count, total)

const lossText = (finding: Of<'loss'>): string => {
  const { kind, page } = finding.step
  const [part, share] = [findingPercentage(finding), findingShare(finding)]
  if (kind === 'opened') return `${part} des visiteurs partent sans donner de réponse (${share}).`
  if (kind === 'began') return `La première page perd ${part} des visiteurs (${share}).`
  return `La page ${page} perd ${part} des visiteurs (${share}).`
}

const changeText = ({ of, now, before, comparison }: Of<'change'>): string => {
  const what = of === 'participants' ? 'de participants' : 'de visites'
  const way = now > before ? 'plus' : 'moins'
  const when = comparison.is_without_today ? 'Hors aujourd’hui, ' : ''
  return `${when}${changeOf(now, before)?.by} ${what} de ${way} que ${daysBefore(comparison)}.`
}

const resultText = (finding: Of<'result'>): string => {
  const { result_name, count, total, percentage } = finding
  const part = formatShareOf(percentage, count)
  if (count === 0)
    return `Personne n’obtient « ${result_name} », sur ${formatNumber(total)} participants.`
  return count * 2 > total
    ? `${part} des participants obtiennent « ${result_name} » (${findingShare(finding)}).`
    : `Presque personne n’obtient « ${result_name} » : ${part} des participants (${findingShare(finding)}).`
}
