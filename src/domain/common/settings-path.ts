/** Tabs of the settings of a quiz, in order; the address names every tab but the first. */
export const SETTINGS_TABS = ['design', 'integrations', 'automatisations', 'acces'] as const
/** Tab of the settings of a quiz. */
export type SettingsTab = (typeof SETTINGS_TABS)[number]

/** Parameter of the address that names the open tab. */
export const TAB_PARAMETER = 'onglet'

/** Returns the path of the settings of a quiz, opened at a tab. */
export const settingsPath = (quiz_id: string, tab: SettingsTab = 'design'): string =>
  `/quiz/${quiz_id}/settings${tab === SETTINGS_TABS[0] ? '' : `?${TAB_PARAMETER}=${tab}`}`

/** Returns the tab that the parameter of an address names; the first tab if the parameter is absent or invalid. */
export const parseSettingsTab = (name: string | null): SettingsTab =>
  SETTINGS_TABS.find((tab) => tab === name) ?? SETTINGS_TABS[0]
