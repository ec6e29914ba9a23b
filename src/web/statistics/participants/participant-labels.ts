import type { DetailedParticipant } from '#contract/participants.ts'
import type { Explanation } from '#domain/run/explanation.ts'
import { formatPoints } from '#web/statistics/format/format.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'

/** Returns the text about a page that the participant's path skipped. */
export const skippedPageText = (page_number: number): string =>
  `Page ${page_number} : sautée, une réponse menait plus loin`

type Delivery = DetailedParticipant['deliveries'][number]

/** Returns the attempts of a delivery as text: their number, the last and the next; '' before the first. */
export const attemptsText = ({
  attempts,
  last_attempt_at,
  settled_at,
  next_attempt_at,
}: Pick<Delivery, 'attempts' | 'last_attempt_at' | 'settled_at' | 'next_attempt_at'>): string => {
  // Attempts are deleted after thirty days, but their outcome is not.
  const last = last_attempt_at ?? (attempts > 0 ? settled_at : null)
  const parts = [
    attempts > 0 ? `${attempts} tentative${attempts > 1 ? 's' : ''}` : '',
    last === null ? '' : `dernière le ${formatNamedMoment(last)}`,
    next_attempt_at === null || attempts === 0
      ? ''
      : `prochaine le ${formatNamedMoment(next_attempt_at)}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** Returns what a participant agreed to, and when. */
export const consentText = ({
  consent,
  created_at,
}: Pick<DetailedParticipant, 'consent' | 'created_at'>): string => {
  const when = formatNamedMoment(created_at)
  if (consent === null) return `Aucune case ne lui a été proposée (réponse du ${when}).`
  if (consent.withdrawn_at !== null) {
    const since = formatNamedMoment(consent.withdrawn_at)
    return `A retiré son accord le ${since}${consent.wording ? ', après avoir coché la case :' : '.'}`
  }
  return consent.is_given
    ? `A coché la case le ${when} :`
    : `La case lui a été proposée, et n’a pas été cochée (réponse du ${when}).`
}

/** Returns the proof of the confirmation of an address, or what is still awaited. */
export const confirmationText = ({
  email,
  asked_at,
  reminded_at,
  confirmed_at,
  expired_at,
}: NonNullable<DetailedParticipant['confirmation']>): string => {
  if (confirmed_at !== null)
    return `A confirmé l’adresse ${email} le ${formatNamedMoment(confirmed_at)}.`
  const asked = `La confirmation de ${email} lui a été demandée le ${formatNamedMoment(asked_at)}`
  const reminded = reminded_at === null ? '' : `, et rappelée le ${formatNamedMoment(reminded_at)}`
  return expired_at === null
    ? `${asked}${reminded}.`
    : `${asked}${reminded}. L’adresse n’a pas été confirmée : la demande a pris fin le ${formatNamedMoment(expired_at)}.`
}

type Contribution = Explanation['contributions'][number]
type ResultDistance = Explanation['standings'][number]
type Tie = NonNullable<Explanation['tie']>

const LIST = new Intl.ListFormat('fr')

/** Returns a name in French quotes, with non-breaking spaces. */
const quoted = (name: string): string => `«\u00a0${name}\u00a0»`
const signed = (count: number): string => `${count > 0 ? '+' : ''}${formatPoints(count)}`

/** Returns the points of one answer as text: '+3 points', or '+1 point pour « Grand saut »'. */
export const pointsText = ({ score, points: nb_points }: Contribution): string => {
  if (score !== null) return signed(score)
  if (nb_points.length === 0) return 'Aucun point'
  return nb_points
    .map(({ result_name, points: count }) => `${signed(count)} pour ${quoted(result_name)}`)
    .join(', ')
}

/** Returns the standing of one result as text. */
export const standingText = ({
  points: count,
  min_score,
  max_score,
  distance,
}: ResultDistance): string => {
  if (count !== null) return formatPoints(count)
  if (distance === null) return ''
  const tier = max_score === null ? `${min_score} et plus` : `de ${min_score} à ${max_score}`
  return distance === 0 ? tier : `${tier}, à ${formatPoints(distance)} près`
}

/** Returns a sentence about how a tie was settled. */
const tieText = ({ result_names, settled_by, question_number }: Tie): string => {
  const several = result_names.length > 1
  const equals = `À égalité avec ${LIST.format(result_names.map(quoted))}`
  if (settled_by === 'all_shown')
    return `${equals} : ${several ? 'tous' : 'les deux'} ont été montrés, c’est le premier qui compte.`
  if (settled_by === 'question')
    return `${equals} : la réponse à la question ${question_number} a départagé.`
  const left =
    question_number === null ? '' : ` La question ${question_number} ne les départageait pas.`
  return `${equals}, qui ${several ? 'viennent' : 'vient'} après lui.${left}`
}

/** Returns the result, its reason, and the distance to the next result as sentences. */
export const conclusionOf = (explanation: Explanation): string => {
  const { result_name, score, quiz_mode, is_fallback, runner_up, tie } = explanation
  if (result_name === null) return 'Ce questionnaire ne donne pas de résultat.'
  const total = score === null ? '' : ` avec ${formatPoints(score)}`
  const begin = `${quoted(result_name)}${total}.`
  if (quiz_mode === null)
    return `${begin} Ce quiz ne compte pas de points : c’est son premier résultat.`
  if (is_fallback) return `${begin} Aucun résultat ne correspond : c’est le premier qui est donné.`
  if (tie) return `${begin} ${tieText(tie)}`
  // A result that no answer leads to is not tied with a result whose links weigh nothing.
  if (!runner_up || (score === null && runner_up.margin === 0)) return begin
  const next = quoted(runner_up.result_name)
  return score === null
    ? `${begin} ${formatPoints(runner_up.margin)} de plus que ${next}.`
    : `${begin} Le plus proche ensuite, ${next}, était à ${formatPoints(runner_up.margin)}.`
}

/** Returns the address that opens the mail program. */
export const mailAddress = (email: string): string => `mailto:${encodeURIComponent(email)}`

/** Minimum number of digits of a number that can be called. */
const MIN_CALLED_DIGITS = 3

/** Returns the address that calls a phone number, without a zero in brackets; null without enough digits. */
export const phoneAddress = (phone: string): string | null => {
  const number = phone
    .replace(/^(\s*(?:\+|00)[^()]*)\(0\)/, '$1')
    .replaceAll(/[^\d+]/g, '')
    .replaceAll(/(?!^)\+/g, '')
  return number.replace('+', '').length < MIN_CALLED_DIGITS ? null : `tel:${number}`
}
