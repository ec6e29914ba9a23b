import { CONFIRMATION_LABELS, type ConfirmationState } from '#domain/confirmations/confirmation.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import { sortParameters } from '#domain/questionnaire/parameters.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import {
  type DimensionPercents,
  readDimensions,
  writeDimensions,
} from '#domain/run/stored-dimensions.ts'
import { pageAnswers } from './page-answers.ts'

/** Stored data of a participant for « Recevoir mes données ». */
export type OwnRun = ContactData & {
  snapshot: Snapshot
  replies: Replies
  result: SnapshotResult | null
  /** Version of the questionnaire that the participant took. */
  version: number
  /** Time of the answer with its offset, in the time zone of the creator. */
  answered_at: string
  email: string | null
  score: number | null
  dimension_percents: DimensionPercents | null
  elapsed_seconds: number | null
  parameters: ParameterValues | null
  consent: OwnConsent
  /** Consent to measuring; null if its box was not shown. */
  measure_consent: OwnConsent | null
  /** Confirmation of the address; null if the participant was not asked. */
  confirmation: { state: ConfirmationState; confirmed_at: string | null } | null
  /** French names of the tools and webhooks that received the participant. */
  recipients: readonly string[]
}

/** Consent in the data of a participant. */
type OwnConsent = {
  /** Text that the participant accepted; null without any. */
  text: string | null
  state: ConsentState
  withdrawn_at: string | null
}

/** State of a consent of a participant. */
export type ConsentState = 'agreed' | 'announced' | 'declined' | 'withdrawn'

/** French words for each state of the consent. */
const CONSENT_WORDS: Record<ConsentState, string> = {
  agreed: 'donné',
  announced: 'envoi annoncé, sans case à cocher',
  declined: 'refusé',
  withdrawn: 'retiré',
}

/** Returns the state of a consent from the stored columns. */
export const consentStateOf = ({
  consent_version,
  consent_withdrawn_at,
}: {
  consent_version: number | null
  consent_withdrawn_at: string | null
}): ConsentState => {
  if (consent_withdrawn_at !== null) return 'withdrawn'
  if (consent_version === null) return 'announced'
  return consent_version > 0 ? 'agreed' : 'declined'
}

/** Returns true if the participant gave an address and agreed, or was only told of the transfer ('announced'). */
export const canWithdraw = (state: ConsentState, email: string | null): boolean =>
  email !== null && (state === 'agreed' || state === 'announced')

const writeConsent = ({ state, text, withdrawn_at }: OwnConsent) => ({
  état: CONSENT_WORDS[state],
  texte: text,
  retiré_le: withdrawn_at,
})

/** Returns everything that is stored about a participant, with French names (RGPD art. 15 and 20). */
export const ownDataOf = (run: OwnRun) => {
  const { snapshot, replies, result, email, first_name, last_name, phone, consent } = run
  const dimensions = writeDimensions(readDimensions(snapshot, run.dimension_percents))
  return {
    questionnaire: { nom: snapshot.quiz.name, version: run.version },
    date: run.answered_at,
    durée_en_secondes: run.elapsed_seconds,
    coordonnées: { email, prénom: first_name, nom: last_name, téléphone: phone },
    résultat: result?.name ?? null,
    score: run.score,
    dimensions: dimensions.map(({ name, percent, tier }) => ({
      nom: name,
      pourcentage: percent,
      palier: tier,
    })),
    réponses: pageAnswers(snapshot, replies).map(({ question, answers }) => ({
      question,
      réponses: answers,
    })),
    accord: writeConsent(consent),
    accord_pour_la_mesure: run.measure_consent && writeConsent(run.measure_consent),
    confirmation_de_l_adresse: run.confirmation && {
      état: CONFIRMATION_LABELS[run.confirmation.state],
      confirmée_le: run.confirmation.confirmed_at,
    },
    paramètres: sortParameters(run.parameters),
    envoyé_à: [...run.recipients],
  }
}
