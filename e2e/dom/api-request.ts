type Options = { data?: unknown; headers?: Record<string, string> }
type ApiResponse = {
  status: () => number
  ok: () => boolean
  json: () => Promise<unknown>
  text: () => Promise<string>
  body: () => Promise<Buffer>
}

/** Creates a client for calls that the test itself sends to the server, like Playwright's `page.request`. */
export const createApiRequest = (base: string) => {
  const send = async (
    method: string,
    path: string,
    options: Options = {},
  ): Promise<ApiResponse> => {
    const { data, headers = {} } = options
    const isJson = data !== undefined && typeof data !== 'string'
    const response = await fetch(new URL(path, base), {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(data !== undefined && { body: isJson ? JSON.stringify(data) : data }),
    })
    const body = Buffer.from(await response.arrayBuffer())
    return {
      status: () => response.status,
      ok: () => response.ok,
      json: async () => JSON.parse(body.toString()),
      text: async () => body.toString(),
      body: async () => body,
    }
  }
  return {
    get: (path: string, options?: Options) => send('GET', path, options),
    post: (path: string, options?: Options) => send('POST', path, options),
    put: (path: string, options?: Options) => send('PUT', path, options),
    delete: (path: string, options?: Options) => send('DELETE', path, options),
  }
}
