import { type SettingsTab, settingsPath } from '#domain/common/settings-path.ts'
import { pageFieldId } from './field-ids.ts'
import type { FieldTarget } from './publish-targets.ts'

/** Tabs of the settings by the fields that they show; the other fields are on the first tab. */
const TABS_OF_FIELDS: Record<string, SettingsTab> = Object.fromEntries(
  Object.entries({
    integrations: [
      'consent_mode',
      'consent_text',
      'measure_consent',
      'measure_text',
      'confirms_email',
    ],
    acces: ['slug', 'opens_at', 'closes_at', 'max_responses', 'closed_text', 'keeps_page'],
  }).flatMap(([tab, fields]) => fields.map((field) => [pageFieldId(field), tab as SettingsTab])),
)

/** Returns the path of the step, and of the tab of the settings, that shows these fields. */
export const targetPath = (quiz_id: string, { step, field_ids: [id = ''] }: FieldTarget): string =>
  step === 'settings' ? settingsPath(quiz_id, TABS_OF_FIELDS[id]) : `/quiz/${quiz_id}/${step}`
