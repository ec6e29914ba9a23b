import { initialEndpoints } from './initial-endpoints.ts'
import { lazyEndpoints } from './lazy-endpoints.ts'

/**
 * Method and path of every call (spec §7), apart from its shapes so that the browser's client needs
 * no validation library. The shapes are in the file named as the group.
 */
export const calls = { ...initialEndpoints, ...lazyEndpoints } as const
