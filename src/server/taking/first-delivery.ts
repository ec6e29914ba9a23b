import { PROVIDERS } from '#domain/vocabulary.ts'

/** SQL: whether a participant agreed, or was shown no box in a quiz that announces the transfer (docs/decisions/018). */
export const HAS_AGREED =
  "(consent_version > 0 or (consent_mode = 'requested' and consent_version is null))"

/** SQL: whether the quiz asks, and did not when the participant came. */
export const WAS_NOT_ASKED = "(consent_mode = 'box' and consent_version is null)"

/**
 * SQL: the first status of a delivery: pending, or, to an email tool, settled at once without an address or
 * consent. A webhook gets every participant (docs/decisions/042), and the creator hears of each; a participant with an
 * address gets the mail that the page announces, which is no tool's (docs/decisions/044).
 */
export const FIRST_STATUS = `case
      when provider in ('webhook', 'notice') then 'pending'
      when email is null then 'no_email'
      when provider = 'mail' then 'pending'
      when ${HAS_AGREED} then 'pending'
      else 'no_consent'
    end`

/** SQL: whether a delivery goes to an email tool. */
export const TO_TOOLS = `provider in (${PROVIDERS.map((provider) => `'${provider}'`).join(', ')})`
