import { adminEndpoints } from './admin-endpoints.ts'
import { initialEndpoints } from './initial-endpoints.ts'
import { lazyEndpoints } from './lazy-endpoints.ts'

/**
 * Method and path of every call (product 13.1). Shapes are in separate files, so that the browser's client needs no
 * validation library.
 */
export const calls = { ...initialEndpoints, ...lazyEndpoints, ...adminEndpoints } as const
