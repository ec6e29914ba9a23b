import type { OpenidProvider } from '#server/testing/openid-provider.ts'
import type { Sites } from './sites.ts'

/** What an attack is given: sites to attack, the mails they send, and a provider to come through. */
export type Scene = Sites & { provider: OpenidProvider }

/** One attack on accounts, over HTTP, made without any right on the machine. */
export type Attack = {
  name: string
  /** What the attacker got, one line each; nothing when the product held. Throws when it could not be made. */
  run: (scene: Scene) => Promise<string[]>
}

/** What the attack needs to be one at all: else « held » would say nothing. */
export const needs = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(`the attack could not be made: ${what}`)
}
