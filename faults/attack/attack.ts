import type { OpenidProvider } from '#server/testing/people/openid-provider.ts'
import type { Sites } from './accounts/sites.ts'
import type { MeasuredSite } from './measured-site.ts'

/** Everything that attacks may use: sites to attack, caught mails, and a provider of OpenID Connect. */
export type AttackContext = Sites & {
  provider: OpenidProvider
  /** The site whose memory and event loop are measured; started when the first attack asks for it. */
  measured: () => Promise<MeasuredSite>
  /** Adds a figure to the line that the runner prints for this attack. */
  note: (figure: string) => void
}

/** One attack over HTTP, made without any right on the machine. */
export type Attack = {
  name: string
  /** Gives one line for each thing that the attacker got; none if the product held. Throws if the attack could not be made. */
  run: (context: AttackContext) => Promise<string[]>
}

/** Throws unless the precondition of an attack holds, because « held » would mean nothing without it. */
export const needs = (holds: boolean, precondition: string): void => {
  if (!holds) throw new Error(`the attack could not be made: ${precondition}`)
}
