import type { FakeBrevo } from './brevo.ts'
import type { BrevoSwitches } from './brevo-contacts.ts'
import type { FakeKit } from './kit.ts'
import type { KitSwitches } from './kit-account.ts'
import type { FakeSystemio } from './systemio.ts'
import type { SystemioSwitches } from './systemio-contacts.ts'

type Kit = Pick<
  KitSwitches,
  | 'unknown_field'
  | 'repeated_label'
  | 'max_value_length'
  | 'reuse_ends_grant'
  | 'repeated_unsubscribe'
  | 'archived_group'
  | 'joining'
>
type Systemio = Pick<
  SystemioSwitches,
  | 'language'
  | 'unknown_slug'
  | 'field_path'
  | 'checks_phone'
  | 'repeated_tag'
  | 'max_tags'
  | 'fields_per_page'
  | 'sends_remaining'
  | 'refill'
  | 'plan_status'
  | 'repeated_member'
  | 'member_form'
>
type Brevo = Pick<BrevoSwitches, 'duplicate_code' | 'reset_in' | 'max_lists' | 'long_text'>

/** Settings of the fakes for behaviour that the vendors do not document. */
type FakeVariant = { name: string; convertkit: Kit; systemio: Systemio; brevo: Brevo }

/** Variants of the fakes. Together, they contain each value of each switch. */
export const FAKE_VARIANTS: readonly FakeVariant[] = [
  {
    name: 'fake tools that ignore unknown fields, in French',
    convertkit: {
      unknown_field: 'ignore',
      max_value_length: null,
      repeated_label: 'answer',
      reuse_ends_grant: false,
      repeated_unsubscribe: 'accept',
      archived_group: 'accept',
      joining: 'keeps state',
    },
    systemio: {
      language: 'fr',
      unknown_slug: 'ignore',
      field_path: 'index',
      checks_phone: false,
      repeated_tag: 'accept',
      max_tags: 1_000,
      fields_per_page: null,
      sends_remaining: true,
      refill: 'seconds',
      plan_status: 403,
      repeated_member: 'accept',
      member_form: 'objects',
    },
    brevo: {
      duplicate_code: 'duplicate_parameter',
      reset_in: 'seconds',
      max_lists: 1_000,
      long_text: 'drop',
    },
  },
  {
    name: 'fake tools that warn of unknown fields, in English',
    convertkit: {
      unknown_field: 'warn',
      max_value_length: 255,
      repeated_label: 'refuse',
      reuse_ends_grant: true,
      repeated_unsubscribe: 'refuse',
      archived_group: 'refuse',
      joining: 'resubscribes',
    },
    systemio: {
      language: 'en',
      unknown_slug: 'reject',
      field_path: 'slug',
      checks_phone: true,
      repeated_tag: 'refuse',
      max_tags: 1_000,
      fields_per_page: 100,
      sends_remaining: false,
      refill: 'epoch',
      plan_status: 402,
      repeated_member: 'refuse',
      member_form: 'ids',
    },
    brevo: {
      duplicate_code: 'invalid_parameter',
      reset_in: 'milliseconds',
      max_lists: 1_000,
      long_text: 'refuse',
    },
  },
  {
    name: 'fake tools that refuse unknown fields and new labels, in Spanish',
    convertkit: {
      unknown_field: 'reject',
      max_value_length: 255,
      repeated_label: 'refuse',
      reuse_ends_grant: true,
      repeated_unsubscribe: 'refuse',
      archived_group: 'miss',
      joining: 'resubscribes',
    },
    systemio: {
      language: 'es',
      unknown_slug: 'reject',
      field_path: 'none',
      checks_phone: true,
      repeated_tag: 'refuse',
      max_tags: 0,
      fields_per_page: null,
      sends_remaining: true,
      refill: 'date',
      plan_status: 402,
      repeated_member: 'refuse',
      member_form: 'objects',
    },
    brevo: {
      duplicate_code: 'duplicate_parameter',
      reset_in: 'seconds',
      max_lists: 0,
      long_text: 'refuse',
    },
  },
]

export type Fakes = { convertkit: FakeKit; systemio: FakeSystemio; brevo: FakeBrevo }

/** Applies the settings of a variant. Returns a function that restores the earlier settings. */
export const applyVariant = (fakes: Fakes, variant: FakeVariant): (() => void) => {
  const { convertkit, systemio, brevo } = fakes
  const earlier = [{ ...convertkit.switches }, { ...systemio.switches }, { ...brevo.switches }]
  Object.assign(convertkit.switches, variant.convertkit)
  Object.assign(systemio.switches, variant.systemio)
  Object.assign(brevo.switches, variant.brevo)
  return () => {
    for (const [index, fake] of [convertkit, systemio, brevo].entries())
      Object.assign(fake.switches, earlier[index])
  }
}
