/** Where a call goes. Names in braces are ids taken from the call's input. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/${string}` }

export const BASE_PATH = '/api/v1'
