import type { PlantedFault } from './planted-fault.ts'

/** Faults of saving, merging and undoing. */
export const EDITOR_FAULTS: PlantedFault[] = [
  {
    name: 'the editor shows a failure after a successful save',
    file: 'src/web/editor/draft/autosave.ts',
    from: 'stored: outcome.value, failures: 0 }',
    to: 'stored: outcome.value }',
    journey: 'e2e/editor/saving.spec.ts',
  },
  {
    name: 'redo brings back a draft from before a merge',
    file: 'src/web/editor/draft/history.ts',
    from: 'future: future.map(change)',
    to: 'future',
    journey: 'e2e/editor/two-editors.spec.ts',
  },
  {
    name: 'a merge puts an item before its predecessor',
    file: 'src/domain/editing/merge-order.ts',
    from: '(onPage.get(previous.id) ?? 0) + 1',
    to: 'onPage.get(previous.id) ?? 0',
  },
  {
    name: 'a merge loses the row that the other author edited and this one deleted',
    file: 'src/domain/editing/merge-rows.ts',
    from: "isEdited(old, their, 'theirs')",
    to: "isEdited(old, their, 'mine')",
  },
  {
    name: 'the reason of a refused save stays after a later save',
    file: 'src/web/editor/draft/draft-session.ts',
    from: '      refusal = null\n      onStored',
    to: '      onStored',
    journey: 'e2e/questions/refused-rows.spec.ts',
  },
  {
    name: 'Ctrl+Z does nothing in a field that was typed in before',
    file: 'src/web/editor/undo/use-undo-controls.ts',
    from: 'const onFocus = (): void => {\n    typedIn = null\n  }',
    to: 'const onFocus = (): void => undefined',
  },
  {
    name: 'the check of an address allows one address too many',
    file: 'src/server/quizzes/slugs.store.ts',
    from: '(await countSlugs(db, quiz_id)) >= LIMITS.slugs_per_quiz',
    to: '(await countSlugs(db, quiz_id)) > LIMITS.slugs_per_quiz',
    test: 'src/server/published-versions/slugs.test.ts',
  },
]
