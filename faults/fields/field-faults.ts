import type { ProviderName } from '#domain/common/vocabulary.ts'
import { fieldNameOf } from '#domain/deliveries/integrations.ts'
import { KILLED_LEASE_MS, sendAndKillWorker } from '#server/testing/app/killed-worker.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import {
  type ContactField,
  keyAt,
  MAPPED_FIELDS,
  type Respondent,
} from '#server/testing/quizzes/mapped-contacts.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'

/** One quiz that forwards to one tool. */
type FaultScene = { creator: ConnectedCreator; provider: ProviderName }

/** Fault of a tool while people answer. */
export type FieldFault = {
  name: string
  /** True if each field has a run of its own. */
  is_per_field?: true
  /** True if the tool accepts nothing until the fault ends. */
  is_outage?: true
  /** Prepares the fault, and changes the people who will answer if needed. */
  begin: (scene: FaultScene, field: ContactField) => Promise<Partial<Respondent>>
  /** Runs after a part of the people have answered. */
  go: (scene: FaultScene) => Promise<void>
  /** Ends the fault, before all deliveries are completed. */
  end: (scene: FaultScene) => Promise<void>
}

const HOUR_MS = 3_600_000
const STEP_MS = 30_000
const SLOW_MS = 100
const MAX_CALLS = 1_000_000
const TAKEN_PHONE = '0611111111'
/** Maximum length of values at Kit that refuses the first name below, but no mapped value. */
const SHORT = 10
const LONG_NAME = 'Anne-Charlotte'

/** Creates the faults of a running app with fake tools. */
export const createFieldFaults = (app: OutboxApp): FieldFault[] => {
  const { fakes, secrets, worker, advanceClock } = app
  const { deleteField, refuseFields } = createToolFields(app)

  /** Adds a field to an account, as its owner does. */
  const addField = (
    { creator: { account }, provider }: FaultScene,
    name: string,
    key = name.toLowerCase(),
  ): void => {
    const { fields } = fakes.convertkit.accountOf(account)
    const id = 70_000 + fields.size
    if (provider === 'convertkit') fields.set(id, { id, name, key, label: name })
    else if (provider === 'systemio') fakes.systemio.accountOf(account).fields.set(key, name)
    else {
      const attribute = { name, category: 'normal', type: 'text' } as const
      fakes.brevo.accountOf(account).attributes.set(name, attribute)
    }
  }
  /** Makes the tool refuse one field. Returns what people answer then. */
  const refuseField = (scene: FaultScene, field: ContactField): Partial<Respondent> => {
    const { creator, provider } = scene
    if (field === 'question' || field === 'score' || field === 'result') {
      const others = Object.values(MAPPED_FIELDS).filter((name) => name !== MAPPED_FIELDS[field])
      for (const name of others) addField(scene, name)
      const own = fieldNameOf(provider, { kit_custom_field: null, brevo_attribute_name: null })
      addField(scene, own, 'resultat_quiz')
      refuseFields(provider)
      return {}
    }
    if (provider === 'convertkit') {
      fakes.convertkit.switches.max_value_length = SHORT
      return { first_name: LONG_NAME }
    }
    if (provider === 'brevo' && field === 'phone') {
      // Brevo refuses a number that another contact has.
      const other = {
        id: 1,
        email: 'autre@exemple.test',
        list_ids: [],
        emailBlacklisted: false,
        attributes: { SMS: `33${TAKEN_PHONE.slice(1)}` },
      }
      fakes.brevo.accountOf(creator.account).contacts.set(other.id, other)
      return { phone: TAKEN_PHONE }
    }
    deleteField(creator, provider, keyAt(provider, field))
    return {}
  }
  const revoke = async ({ creator, provider }: FaultScene): Promise<void> => {
    if (provider === 'convertkit') fakes.convertkit.uninstall()
    else fakes[provider].keys.remove(secrets.get(creator.connections[provider]) ?? '')
  }
  const reconnect = async ({ creator, provider }: FaultScene): Promise<void> => {
    const { account } = creator
    const id = creator.connections[provider]
    if (provider === 'convertkit')
      secrets.set(id, await createConsentToken(fakes.convertkit, account))
    else {
      const secret = `${secrets.get(id)}-again`
      secrets.set(id, secret)
      fakes[provider].keys.add(secret, { account })
    }
    await app.db
      .updateTable('integration_connections')
      .set({ status: 'active', status_reason: null })
      .where('id', '=', id)
      .execute()
  }
  const nothing = async () => undefined
  const drain = async (): Promise<void> => {
    await worker.drain()
  }
  const letAnHourPass = () => advanceClock(HOUR_MS, STEP_MS)
  const heal = async ({ provider }: FaultScene) => fakes[provider].heal()
  const killAndContinue = async (): Promise<void> => {
    await sendAndKillWorker(app)
    await advanceClock(KILLED_LEASE_MS)
  }
  const faults: FieldFault[] = [
    { name: 'healthy', begin: async () => ({}), go: () => app.finishDeliveries(), end: nothing },
    {
      name: 'field refused',
      is_per_field: true,
      begin: async (scene, field) => refuseField(scene, field),
      go: () => app.finishDeliveries(),
      end: nothing,
    },
    {
      name: 'slow',
      begin: async ({ provider }) => {
        fakes[provider].fail({ mode: 'slow', delay_ms: SLOW_MS, times: MAX_CALLS })
        return {}
      },
      go: drain,
      end: nothing,
    },
    {
      name: 'down for an hour',
      is_outage: true,
      begin: async ({ provider }) => {
        fakes[provider].fail({ mode: 'before', status: 503, times: MAX_CALLS })
        return {}
      },
      go: letAnHourPass,
      end: heal,
    },
    {
      name: 'revoked for an hour, then reconnected',
      is_outage: true,
      begin: async (scene) => {
        await revoke(scene)
        return {}
      },
      go: letAnHourPass,
      end: reconnect,
    },
    {
      name: 'process killed before its commit',
      begin: async () => ({}),
      go: killAndContinue,
      end: killAndContinue,
    },
  ]
  return faults
}
