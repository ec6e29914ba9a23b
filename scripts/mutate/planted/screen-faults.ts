import type { PlantedFault } from './planted-fault.ts'

/** Faults of states, focus and texts of screens. */
export const SCREEN_FAULTS: PlantedFault[] = [
  {
    name: 'the focus is lost after a result is deleted',
    file: 'src/web/editor/results/results-list.tsx',
    from: '    focusName(results[index + 1] ?? results[index - 1])\n',
    to: '',
    journey: 'e2e/specification/spec-screens.spec.ts',
  },
  {
    name: 'a dialog that disappears does not return the focus',
    file: 'src/web/ui/overlay/dialog.tsx',
    from: 'return () => element?.close()',
    to: 'return () => void element',
    journey: 'e2e/accounts/account-focus.spec.ts',
  },
  {
    name: 'screen readers do not read the error of a field',
    file: 'src/web/ui/form/text-field.tsx',
    from: '[hint && `${id}-hint`, error && `${id}-error`]',
    to: '[hint && `${id}-hint`]',
    journey: 'e2e/specification/spec-errors.spec.ts',
  },
  {
    name: 'the message about a renamed quiz swaps the names',
    file: 'src/web/dashboard/quizzes/use-quiz-changes.ts',
    from: '`« ${quiz.name} » s’appelle maintenant « ${name} »`',
    to: '`« ${name} » s’appelle maintenant « ${quiz.name} »`',
    journey: 'e2e/dashboard/dashboard-menu.spec.ts',
  },
  {
    name: 'the rows of an earlier search are shown as current',
    file: 'src/web/statistics/participants/use-participant-list.ts',
    from: 'own_query.isPending || own_query.isPlaceholderData',
    to: 'own_query.isPending',
    journey: 'e2e/statistics/awaited-lists.spec.ts',
  },
  {
    name: 'the error of an empty password stays while the creator types one',
    file: 'src/web/session/ended-session.tsx',
    from: '          setError(undefined)\n',
    to: '',
    journey: 'e2e/accounts/ended-session.spec.ts',
  },
  {
    name: 'dates stay in the time zone before the creator changed it',
    file: 'src/web/ui/moments.ts',
    from: 'const key = `${style} ${time_zone}`',
    to: 'const key = style',
    journey: 'e2e/accounts/time-zone.spec.ts',
  },
]
