/** Error of a file that the server does not have, because a newer release has replaced it. */
export class MissingFileError extends Error {}

/** Delay before the second attempt, after which a short loss of the network is often over. */
const RETRY_DELAY_MS = 500

/** Files that are loaded or being loaded, by their path. */
const files = new Map<string, Promise<void>>()

/** Downloads a file into the browser's cache, from which `import()` and stylesheets then read it. */
const download = async (path: string, cache?: RequestCache): Promise<void> => {
  const response = await fetch(path, cache && { cache })
  if (response.status === 404) throw new MissingFileError(path)
  // A network that asks for a sign-in answers with a page of its own.
  if (!response.ok || response.headers.get('content-type')?.includes('html')) throw new Error(path)
  await response.arrayBuffer()
}

const addStyle = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', crossOrigin: '', href: path, onload: resolve })
    link.onerror = () => {
      link.remove()
      reject(new Error(path))
    }
    document.head.append(link)
  })

const loadFile = async (path: string): Promise<void> => {
  if (document.head.querySelector(`[src="${path}"],[href="${path}"]`)) return
  try {
    await download(path)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    // Past the cache, which may hold what the first attempt received.
    await download(path, 'reload')
  }
  if (path.endsWith('.css')) await addStyle(path)
}

/**
 * Imports a module after its files are in the browser's cache. Replaces Vite's helper around each `import()`. A browser
 * may remember a failed `import()` as long as the page is open, so `load` is only called if nothing can fail.
 */
export const importWithFiles = async <Module>(
  load: () => Promise<Module>,
  names: readonly string[] = [],
): Promise<Module> => {
  await Promise.all(
    names.map((name) => {
      const loading = files.get(name) ?? loadFile(`/${name}`)
      files.set(name, loading)
      loading.catch(() => files.delete(name))
      return loading
    }),
  )
  return load()
}
