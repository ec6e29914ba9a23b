import { kills } from './kills.ts'
import type { Scenario } from './scenario.ts'

/** Every fault of the plan, F1 to F26, and what makes it happen. */
export const SCENARIOS: readonly Scenario[] = [...kills]
