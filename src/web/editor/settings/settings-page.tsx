import { EditorGate } from '#web/editor/editor-gate.tsx'
import { SettingsEditor } from './settings-editor.tsx'

/** Step 3 of a quiz (spec §2 « Settings screen »). */
const SettingsPage = () => (
  <EditorGate>{(session) => <SettingsEditor session={session} />}</EditorGate>
)

export default SettingsPage
