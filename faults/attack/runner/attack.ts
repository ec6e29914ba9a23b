import type { OpenidProvider } from '#server/testing/people/openid-provider.ts'
import type { ConfiguredSites } from './configured-sites.ts'
import type { Account, MeasuredSite } from './measured-site.ts'

/** Context of every attack: sites to attack, received mails, and a fake OpenID Connect provider. */
export type AttackContext = ConfiguredSites & {
  provider: OpenidProvider
  /** Returns the site whose memory and event loop are measured; the first call starts the site. */
  measuredSite: () => Promise<MeasuredSite>
  /** Creates an account on the measured site. */
  openAccount: () => Promise<Account>
  /** Adds a figure to the line that the runner prints for this attack. */
  note: (figure: string) => void
}

/** Attack over HTTP by an attacker without access to the machine. */
export type Attack = {
  /** Printed name, which `npm run attack -- PATTERN` selects. */
  name: string
  /**
   * Makes the attack and returns a line for each success of the attacker; empty if the product resisted. Throws if the
   * attack could not be made.
   */
  run: (context: AttackContext) => Promise<string[]>
}

/** Throws if the precondition of an attack does not hold, because the attack would then prove nothing. */
export const assertPrecondition = (holds: boolean, precondition: string): void => {
  if (!holds) throw new Error(`the attack could not be made: ${precondition}`)
}
