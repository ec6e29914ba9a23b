import type { FakeBrevo } from './brevo.ts'
import type { BrevoSwitches } from './brevo-contacts.ts'
import type { FakeKit } from './kit.ts'
import type { KitSwitches } from './kit-account.ts'
import type { FakeSystemio } from './systemio.ts'
import type { SystemioSwitches } from './systemio-contacts.ts'

type Kit = Pick<
  KitSwitches,
  'unknown_field' | 'same_label' | 'reuse_ends_grant' | 'second_unsubscribe'
>
type Systemio = Pick<
  SystemioSwitches,
  'language' | 'unknown_slug' | 'second_tag' | 'most_tags' | 'says_remaining' | 'refill'
>
type Brevo = Pick<BrevoSwitches, 'duplicate_code' | 'reset_in' | 'most_lists'>

/** Settings of the fakes where the documentation is open. */
type Position = { name: string; convertkit: Kit; systemio: Systemio; brevo: Brevo }

/** Sets of settings in which each switch takes each value. */
export const POSITIONS: readonly Position[] = [
  {
    name: 'tools that pass over what they do not know',
    convertkit: {
      unknown_field: 'ignore',
      same_label: 'answer',
      reuse_ends_grant: false,
      second_unsubscribe: 'accept',
    },
    systemio: {
      language: 'fr',
      unknown_slug: 'ignore',
      second_tag: 'accept',
      most_tags: 1_000,
      says_remaining: true,
      refill: 'seconds',
    },
    brevo: { duplicate_code: 'duplicate_parameter', reset_in: 'seconds', most_lists: 1_000 },
  },
  {
    name: 'tools that warn of it, in English',
    convertkit: {
      unknown_field: 'warn',
      same_label: 'refuse',
      reuse_ends_grant: true,
      second_unsubscribe: 'refuse',
    },
    systemio: {
      language: 'en',
      unknown_slug: 'reject',
      second_tag: 'refuse',
      most_tags: 1_000,
      says_remaining: false,
      refill: 'epoch',
    },
    brevo: { duplicate_code: 'invalid_parameter', reset_in: 'milliseconds', most_lists: 1_000 },
  },
  {
    name: 'tools that refuse it, and any tag',
    convertkit: {
      unknown_field: 'reject',
      same_label: 'refuse',
      reuse_ends_grant: true,
      second_unsubscribe: 'refuse',
    },
    systemio: {
      language: 'es',
      unknown_slug: 'reject',
      second_tag: 'refuse',
      most_tags: 0,
      says_remaining: true,
      refill: 'date',
    },
    brevo: { duplicate_code: 'duplicate_parameter', reset_in: 'seconds', most_lists: 0 },
  },
]

export type Fakes = { convertkit: FakeKit; systemio: FakeSystemio; brevo: FakeBrevo }

/** Applies settings. Returns a function that restores the earlier ones. */
export const turnTo = (fakes: Fakes, position: Position): (() => void) => {
  const { convertkit, systemio, brevo } = fakes
  const usual = [{ ...convertkit.switches }, { ...systemio.switches }, { ...brevo.switches }]
  Object.assign(convertkit.switches, position.convertkit)
  Object.assign(systemio.switches, position.systemio)
  Object.assign(brevo.switches, position.brevo)
  return () => {
    for (const [index, fake] of [convertkit, systemio, brevo].entries())
      Object.assign(fake.switches, usual[index])
  }
}
