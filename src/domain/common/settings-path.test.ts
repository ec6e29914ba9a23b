import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSettingsTab, SETTINGS_TABS, settingsPath, TAB_PARAMETER } from './settings-path.ts'

test('the address of the settings names the open tab', () => {
  for (const tab of SETTINGS_TABS) {
    const { searchParams } = new URL(settingsPath('quiz', tab), 'https://quizaine.test')
    assert.equal(parseSettingsTab(searchParams.get(TAB_PARAMETER)), tab)
  }
  assert.equal(settingsPath('quiz'), '/quiz/quiz/settings')
})

test('an unknown tab in the address opens the first tab', () => {
  for (const asked of [null, '', 'Accès', '__proto__'])
    assert.equal(parseSettingsTab(asked), 'design')
})
